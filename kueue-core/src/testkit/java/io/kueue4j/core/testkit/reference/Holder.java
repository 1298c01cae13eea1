package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.testkit.reference.placement.PlacedPods;

/**
 * A workload with quota, in a snapshot.
 *
 * @param job the workload
 * @param queue the ClusterQueue whose quota it holds
 * @param usage its usage; a pair with amount 0 counts, too (P-4)
 * @param pods its placed pods (T-9)
 * @param localQueueUsage the usage history of its LocalQueue, 0 unless its queue is ordered by that
 *     (W-8)
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

  /** A holder to preempt, with the reason. */
  record Victim(Holder holder, PreemptionReason reason) {}
}
