package io.kueue4j.core.model;

import java.util.OptionalInt;

/**
 * Which workloads the workloads of a ClusterQueue may preempt.
 *
 * <p>Kueue: {@code ClusterQueue.spec.preemption}. Rules: M-7, M-11, F-16.
 *
 * @param withinClusterQueue which workloads of the same queue may be preempted
 * @param reclaimWithinCohort which workloads of other queues that borrow may be preempted
 * @param borrowWithinCohort which workloads of other queues may be preempted while this queue
 *     borrows itself: never or lower priority
 * @param maxPriorityThreshold with {@code borrowWithinCohort}, only workloads up to this priority
 * @since 0.1.0
 */
public record Preemption(
    PreemptionPolicy withinClusterQueue,
    PreemptionPolicy reclaimWithinCohort,
    PreemptionPolicy borrowWithinCohort,
    OptionalInt maxPriorityThreshold) {

  /** The default: no preemption. */
  public static final Preemption NEVER = of(PreemptionPolicy.NEVER, PreemptionPolicy.NEVER);

  /** {@return the policies without preemption while borrowing} */
  public static Preemption of(
      PreemptionPolicy withinClusterQueue, PreemptionPolicy reclaimWithinCohort) {
    return new Preemption(
        withinClusterQueue, reclaimWithinCohort, PreemptionPolicy.NEVER, OptionalInt.empty());
  }
}
