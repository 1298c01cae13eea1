/**
 * The lifecycle of a workload: admission checks, evictions and requeueing, deadlines.
 *
 * <p>Pure functions of immutable states; the time is an argument. Knows no queues and no quota.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.lifecycle;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
