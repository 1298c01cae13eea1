package io.kueue4j.core.model;

import java.util.OptionalInt;

/**
 * Whom the workloads of a ClusterQueue may preempt.
 *
 * <p>Kueue: {@code ClusterQueue.spec.preemption}. Rules: M-7, M-11, F-16.
 *
 * @param withinClusterQueue which workloads of the same queue
 * @param reclaimWithinCohort which workloads of other queues that borrow
 * @param borrowWithinCohort which workloads of other queues while itself borrowing: never or lower
 *     priority
 * @param maxPriorityThreshold with {@code borrowWithinCohort}, only workloads up to this priority
 */
public record Preemption(
    PreemptionPolicy withinClusterQueue,
    PreemptionPolicy reclaimWithinCohort,
    PreemptionPolicy borrowWithinCohort,
    OptionalInt maxPriorityThreshold) {

  /** The default: nobody. */
  public static final Preemption NEVER = of(PreemptionPolicy.NEVER, PreemptionPolicy.NEVER);

  /** {@return the policies without preemption while borrowing} */
  public static Preemption of(
      PreemptionPolicy withinClusterQueue, PreemptionPolicy reclaimWithinCohort) {
    return new Preemption(
        withinClusterQueue, reclaimWithinCohort, PreemptionPolicy.NEVER, OptionalInt.empty());
  }
}
