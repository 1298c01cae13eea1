package io.kueue4j.core;

import io.kueue4j.core.model.WorkloadId;

/**
 * For whom a workload was told to stop. Under which rule and when says
 * {@link io.kueue4j.core.model.PreemptedCondition}.
 *
 * <p>Kueue: the message of the condition {@code Preempted}. Rules: P-20.
 *
 * @param preemptor the workload that it made room for
 * @param clusterQueue the ClusterQueue of that workload
 */
public record PreemptedBy(WorkloadId preemptor, String clusterQueue) {
  /** {@return for example {@code ns/high in ClusterQueue a}} */
  @Override
  public String toString() {
    return preemptor + " in ClusterQueue " + clusterQueue;
  }
}
