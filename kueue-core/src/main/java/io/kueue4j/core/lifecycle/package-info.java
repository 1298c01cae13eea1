/**
 * The lifecycle of a workload: admission checks, evictions and requeueing, deadlines.
 *
 * <p>Pure functions of immutable states; the time is an argument. Knows no queues and no quota.
 */
@Internal
@NullMarked
package io.kueue4j.core.lifecycle;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
