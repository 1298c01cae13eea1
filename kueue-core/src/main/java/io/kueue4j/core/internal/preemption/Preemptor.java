package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.Preemption;

/**
 * The workload for which victims are searched.
 *
 * <p>Rules: P-3.
 *
 * @param workload the workload
 * @param queueTimeMillis the time that orders it among pending ones, in milliseconds since the
 *     epoch
 * @param queue its queue
 */
public record Preemptor(CompiledWorkload workload, long queueTimeMillis, QueueQuota queue) {
  /** {@return the policy by which it may preempt candidates of a queue, or below a cohort} */
  Preemption.Policy policy(int node) {
    Preemption preemption = queue.spec().preemption();
    return node == queue.node()
        ? preemption.withinClusterQueue()
        : preemption.reclaimWithinCohort();
  }

  /** {@return whether {@code policy} lets it preempt {@code holder}} */
  boolean mayPreempt(QuotaHolder holder, Preemption.Policy policy) {
    return mayPreemptAny(policy, holder.priority(), holder.queueTimeMillis());
  }

  /**
   * {@return whether {@code policy} may let it preempt any of some holders}
   *
   * @param lowestPriority a lower bound of their priorities
   * @param latestQueueTime an upper bound of their queue times
   */
  boolean mayPreemptAny(Preemption.Policy policy, long lowestPriority, long latestQueueTime) {
    return switch (policy) {
      case NEVER -> false;
      case ANY -> true;
      case LOWER_PRIORITY -> workload.priority() > lowestPriority;
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
        workload.priority() > lowestPriority
            || (workload.priority() == lowestPriority && queueTimeMillis < latestQueueTime);
    };
  }
}
