package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.RepeatedStop;

/**
 * Counts of a run.
 *
 * @param cycles the cycles with something to try
 * @param unstable how often cycles ended before nothing changed any more
 * @param repeatedStops the stops in loops
 */
record RunCounters(long cycles, long unstable, ImmutableList<RepeatedStop> repeatedStops) {}
