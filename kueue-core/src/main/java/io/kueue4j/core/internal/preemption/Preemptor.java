package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.function.Consumer;

/**
 * The workload for which victims are searched.
 *
 * <p>Rules: P-3, P-4.
 *
 * @param workload the workload
 * @param queueTimeMillis the time that orders it among pending ones, in milliseconds since the
 *     epoch
 * @param queue its queue
 */
public record Preemptor(CompiledWorkload workload, long queueTimeMillis, QueueQuota queue) {
  /**
   * Passes the holders of quota of {@code queue} to {@code action} that {@code policy} allows to
   * preempt and that hold something {@code demand} needs, in no particular order.
   */
  void forEachCandidate(
      QueueQuota queue, PreemptionPolicy policy, Demand demand, Consumer<QuotaHolder> action) {
    for (QuotaHolder holder : queue.holders()) {
      if (!holder.isSetAside() && mayPreempt(holder, policy) && demand.needed().concerns(holder)) {
        action.accept(holder);
      }
    }
  }

  /** {@return whether {@code policy} lets it preempt {@code holder}} */
  boolean mayPreempt(QuotaHolder holder, PreemptionPolicy policy) {
    long priority = holder.workload().priority();
    return switch (policy) {
      case NEVER -> false;
      case ANY -> true;
      case LOWER_PRIORITY -> workload.priority() > priority;
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
        workload.priority() > priority
            || (workload.priority() == priority && queueTimeMillis < holder.queueTimeMillis());
    };
  }

  /**
   * {@return whether {@code policy} may let it preempt any of some holders}
   *
   * @param lowestPriority a lower bound of their priorities
   * @param latestQueueTime an upper bound of their queue times
   */
  boolean mayPreemptAny(PreemptionPolicy policy, long lowestPriority, long latestQueueTime) {
    return switch (policy) {
      case NEVER -> false;
      case ANY -> true;
      case LOWER_PRIORITY -> workload.priority() > lowestPriority;
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
        workload.priority() > lowestPriority
            || (workload.priority() == lowestPriority && queueTimeMillis < latestQueueTime);
    };
  }

  /**
   * {@return whether {@code policy} lets it preempt neither {@code holder}, which is not evicted,
   * nor any candidate after it in the order of candidates of other queues}
   *
   * @param anyQueuedAfterReserved whether a candidate may have a queue time after its quota
   *     reservation; if not, a candidate whose quota was reserved before the preemptor was queued
   *     is older than the preemptor
   */
  boolean mayPreemptNoneFrom(
      QuotaHolder holder, PreemptionPolicy policy, boolean anyQueuedAfterReserved) {
    long priority = holder.workload().priority();
    return switch (policy) {
      case NEVER -> true;
      case ANY -> false;
      case LOWER_PRIORITY -> priority >= workload.priority();
      case LOWER_OR_NEWER_EQUAL_PRIORITY ->
        priority > workload.priority()
            || (priority == workload.priority()
                && !anyQueuedAfterReserved
                && holder.reservedMillis() <= queueTimeMillis);
    };
  }
}
