package io.kueue4j.core.preemption;

import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import java.util.function.Consumer;

/**
 * The workload that victims are searched for.
 *
 * <p>Rules: P-3, P-4.
 *
 * @param workload the workload
 * @param queueTimeMillis the time that it is ordered by among pending ones, since the epoch
 * @param queue its queue
 */
public record Preemptor(CompiledWorkload workload, long queueTimeMillis, QueueQuota queue) {
  /**
   * Hands those who hold quota of {@code queue} to {@code action} that {@code policy} lets it
   * preempt and who hold something that {@code demand} needs, in no order that matters.
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
   * @param lowestPriority a priority that none of them falls below
   * @param latestQueueTime a time that none of them was queued after
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
   * nor anyone who comes after that in the order in which candidates of other queues are preempted}
   *
   * @param anyQueuedAfterReserved whether some of them may have been queued later than their quota
   *     was reserved; if not, whose quota was reserved before the preemptor was queued is older
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
