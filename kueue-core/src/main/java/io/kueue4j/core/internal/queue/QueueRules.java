package io.kueue4j.core.internal.queue;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;

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
  /** {@return these settings of an engine} */
  public static QueueRules of(Settings settings) {
    return new QueueRules(
        settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING),
        settings.includes(KueueFix.FORGOTTEN_PREEMPTORS),
        settings.backfill().isPresent(),
        settings
            .backfill()
            .filter(backfill -> backfill.fillerOrder() == Settings.FillerOrder.SHORTEST_FIRST)
            .isPresent());
  }
}
