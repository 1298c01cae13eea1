package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The candidates of one ClusterQueue in the order of preemption. */
final class QueueCandidates {
  private final QueueQuota queue;
  private final Comparator<QuotaHolder> order;
  private final Predicate<QuotaHolder> isIncluded;

  /** All in order, kept so from the first time that one is read; null before. */
  private @Nullable NavigableSet<QuotaHolder> inOrder;

  // Bounds of all candidates since the bounds were last computed.
  private long lowestPriority;
  private long latestQueueTime;
  private boolean areBoundsKnown;

  /** The number of candidates removed since the bounds were computed. */
  private int goneSince;

  /**
   * Creates the candidates of {@code queue}.
   *
   * @param isIncluded decides whether a workload that is not set aside is a candidate
   */
  QueueCandidates(
      QueueQuota queue, Comparator<QuotaHolder> order, Predicate<QuotaHolder> isIncluded) {
    this.queue = queue;
    this.order = order;
    this.isIncluded = isIncluded;
  }

  /** {@return the first one, null if there is none} */
  @Nullable
  QuotaHolder first() {
    return inOrder().isEmpty() ? null : inOrder().first();
  }

  /** {@return all in order} */
  NavigableSet<QuotaHolder> inOrder() {
    if (inOrder == null) {
      inOrder = new TreeSet<>(order);
      for (QuotaHolder holder : queue.holders()) {
        if (!queue.isSetAside(holder) && isIncluded.test(holder)) {
          inOrder.add(holder);
        }
      }
    }
    return inOrder;
  }

  /** {@return a lower bound of their priorities} */
  long lowestPriority() {
    computeBounds();
    return lowestPriority;
  }

  /** {@return an upper bound of their queue times} */
  long latestQueueTime() {
    computeBounds();
    return latestQueueTime;
  }

  /**
   * Amortized: computed once per as many changes as there are candidates. In between, the bounds
   * may be too wide.
   */
  private void computeBounds() {
    if (areBoundsKnown && goneSince <= queue.holderCount()) {
      return;
    }
    lowestPriority = Long.MAX_VALUE;
    latestQueueTime = Long.MIN_VALUE;
    inOrder().forEach(this::widenBounds);
    areBoundsKnown = true;
    goneSince = 0;
  }

  private void widenBounds(QuotaHolder holder) {
    lowestPriority = Math.min(lowestPriority, holder.priority());
    latestQueueTime = Math.max(latestQueueTime, holder.queueTimeMillis());
  }

  /** Adds a candidate. */
  void add(QuotaHolder holder) {
    if (!isIncluded.test(holder)) {
      return;
    }
    widenBounds(holder);
    if (inOrder != null) {
      inOrder.add(holder);
    }
  }

  /** Removes a candidate. */
  void remove(QuotaHolder holder) {
    goneSince++;
    if (inOrder != null) {
      inOrder.remove(holder);
    }
  }
}
