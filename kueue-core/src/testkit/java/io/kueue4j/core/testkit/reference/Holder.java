package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.testkit.reference.placement.PlacedPods;

/**
 * A workload that holds quota, as a snapshot shows it.
 *
 * @param job the workload
 * @param queue the ClusterQueue whose quota it holds
 * @param usage what it holds; a pair of amount 0 counts as held too (P-4)
 * @param pods its pods that have a place (T-9)
 * @param localQueueUsage what its LocalQueue has used, 0 unless its queue goes by that (W-8)
 */
record Holder(
    Job job,
    String queue,
    ImmutableMap<FlavorResource, Long> usage,
    ImmutableList<PlacedPods> pods,
    double localQueueUsage) {
  Holder withLocalQueueUsage(double figure) {
    return new Holder(job, queue, usage, pods, figure);
  }

  /** That a holder has to stop, and under which rule. */
  record Victim(Holder holder, PreemptionReason reason) {}
}
