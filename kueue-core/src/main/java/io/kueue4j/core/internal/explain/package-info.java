/**
 * Explains the state of workloads, and finds what prevents them from being queued.
 *
 * <p>Start with {@link Explainer}. {@link QueueingPreconditions} finds the reasons that keep a
 * workload from being tried at all; why it did not fit is recorded by the packages {@code flavor}
 * and {@code cycle}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.explain;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
