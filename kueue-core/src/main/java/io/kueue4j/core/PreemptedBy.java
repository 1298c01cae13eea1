package io.kueue4j.core;

import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;

/**
 * For whom a workload was told to stop, under which rule, and when.
 *
 * <p>Kueue: the condition {@code Preempted}. Rules: P-20.
 *
 * @param preemptor the workload that it made room for
 * @param clusterQueue the ClusterQueue of that workload
 * @param reason the rule
 * @param time when it was told
 */
public record PreemptedBy(
    WorkloadId preemptor, String clusterQueue, PreemptionReason reason, Instant time) {
  /** {@return for example {@code ns/high in ClusterQueue a (InClusterQueue)}} */
  @Override
  public String toString() {
    return preemptor + " in ClusterQueue " + clusterQueue + " (" + reason + ")";
  }
}
