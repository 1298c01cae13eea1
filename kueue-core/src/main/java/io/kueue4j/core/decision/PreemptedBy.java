package io.kueue4j.core.decision;

import io.kueue4j.core.model.WorkloadId;

/**
 * The workload for which another one was preempted. The rule and the time are in
 * {@link io.kueue4j.core.model.PreemptedCondition}. Immutable.
 *
 * <p>Kueue: the message of the condition {@code Preempted}. Rules: P-20.
 *
 * @param preemptor the workload that needs the quota
 * @param clusterQueue the ClusterQueue of that workload
 * @since 0.1.0
 */
public record PreemptedBy(WorkloadId preemptor, String clusterQueue) {
  /** {@return for example {@code ns/high in ClusterQueue a}} */
  @Override
  public String toString() {
    return preemptor + " in ClusterQueue " + clusterQueue;
  }
}
