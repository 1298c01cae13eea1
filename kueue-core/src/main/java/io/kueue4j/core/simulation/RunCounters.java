package io.kueue4j.core.simulation;

/**
 * Counts of a run.
 *
 * @param cycles the cycles with something to try
 * @param unstable how often cycles ended before nothing changed any more
 */
record RunCounters(long cycles, long unstable) {}
