/**
 * Support for workloads that try all flavors concurrently: keeps their variants consistent, and
 * decides which of them may preempt.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.variant;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
