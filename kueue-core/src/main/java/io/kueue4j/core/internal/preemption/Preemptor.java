package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workload for which victims are searched.
 *
 * <p>Rules: P-3, PL-1, PL-2, PL-5.
 *
 * @param workload the workload
 * @param queueTimeMillis the time that orders it among pending ones, in milliseconds since the
 *     epoch
 * @param queue its queue
 * @param exemptions the candidates that limits exempt from preemption, null without limits
 */
public record Preemptor(
    CompiledWorkload workload,
    long queueTimeMillis,
    QueueQuota queue,
    @Nullable Exemptions exemptions) {
  /** Creates a preemptor without limits. */
  public Preemptor(CompiledWorkload workload, long queueTimeMillis, QueueQuota queue) {
    this(workload, queueTimeMillis, queue, null);
  }

  /** {@return the same workload with or without limits} */
  Preemptor with(@Nullable Exemptions others) {
    return new Preemptor(workload, queueTimeMillis, queue, others);
  }

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

  /** {@return whether its victims are chosen by their cost} */
  boolean choosesByCost() {
    return exemptions != null && exemptions.cheapest() != null;
  }

  /**
   * Removes from {@code victims}, all of which are taken out, those that are not needed for
   * {@code demand} to fit.
   */
  void fillBack(Demand demand, List<Victim> victims, boolean allowsBorrowing) {
    CheapestVictims cheapest = exemptions == null ? null : exemptions.cheapest();
    if (cheapest == null) {
      demand.fillBack(victims, allowsBorrowing);
    } else {
      cheapest.choose(demand, victims, allowsBorrowing);
    }
  }

  /** {@return whether {@code policy} and the limits of preemption let it preempt {@code holder}} */
  boolean mayPreemptNow(QuotaHolder holder, Preemption.Policy policy, PreemptionReason reason) {
    return mayPreempt(holder, policy)
        && (exemptions == null || !exemptions.include(holder, reason));
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
