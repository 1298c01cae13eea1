package io.kueue4j.core.internal.queue;

/**
 * The settings that pending queues depend on.
 *
 * @param usesShapes whether workloads of equal shape are parked together (U-15)
 * @param forgetsPreemptors whether a preemptor is forgotten when it goes back to its queue for
 *     another reason than to wait for others (U-10)
 */
public record QueueRules(boolean usesShapes, boolean forgetsPreemptors) {}
