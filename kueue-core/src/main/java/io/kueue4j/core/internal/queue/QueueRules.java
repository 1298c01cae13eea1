package io.kueue4j.core.internal.queue;

/**
 * The settings that pending queues depend on.
 *
 * @param usesShapes whether workloads of equal shape are parked together (U-15)
 * @param forgetsPreemptors whether a preemptor is forgotten when it goes back to its queue for
 *     another reason than to wait for others (U-10)
 * @param backfills whether the first waiting workloads are promised a start
 * @param fillsShortestFirst whether the others are tried by their expected durations
 */
public record QueueRules(
    boolean usesShapes, boolean forgetsPreemptors, boolean backfills, boolean fillsShortestFirst) {
  /** {@return rules without backfilling} */
  public static QueueRules of(boolean usesShapes, boolean forgetsPreemptors) {
    return new QueueRules(usesShapes, forgetsPreemptors, false, false);
  }
}
