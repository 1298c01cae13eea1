/**
 * The scheduling cycle: nominates every head against the same state, orders the entries, and
 * processes them one by one.
 *
 * <p>Start with {@link SchedulingCycle}. The {@link Nominator} finds the flavors and victims of
 * each head, {@link Entry} defines the order, and the {@link EntryProcessor} decides who is
 * admitted.
 *
 * <p>Receives the heads and returns the result of each attempt; knows nothing of the engine's
 * calls.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.cycle;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
