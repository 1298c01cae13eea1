/**
 * Workloads that try all flavors at a time: keeps their variants in line with each other, and
 * decides which of them may preempt.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.variant;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
