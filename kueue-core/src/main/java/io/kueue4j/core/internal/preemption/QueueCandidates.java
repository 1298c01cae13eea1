package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The candidates of one ClusterQueue in the order of preemption. */
final class QueueCandidates {
  /*
   * Holders change all the time, and most searches read only the first candidate. So the first one
   * is maintained without sorting the others; many holders are kept sorted from the first time that
   * more than one is read.
   */
  private static final int FEW = 32;

  private final QueueQuota queue;
  private final Comparator<QuotaHolder> order;
  private final Predicate<QuotaHolder> isIncluded;

  /** The sorted candidates if there are many, null until needed. */
  private @Nullable NavigableSet<QuotaHolder> inOrder;

  /** The sorted candidates if there are few, null if not needed since the last change. */
  private @Nullable List<QuotaHolder> fewInOrder;

  /** The first candidate, valid if {@code isFirstKnown} and {@code inOrder} is null. */
  private @Nullable QuotaHolder first;

  private boolean isFirstKnown;
  private boolean lookedAt;

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
    if (inOrder == null && !isFirstKnown && lookedAt && !areFew()) {
      inOrder = sorted();
    }
    if (inOrder != null) {
      return inOrder.isEmpty() ? null : inOrder.first();
    }
    if (!isFirstKnown) {
      first = smallest();
      isFirstKnown = true;
      lookedAt = true;
    }
    return first;
  }

  private boolean areFew() {
    return queue.holderCount() <= FEW;
  }

  private @Nullable QuotaHolder smallest() {
    QuotaHolder smallest = null;
    for (QuotaHolder holder : queue.holders()) {
      if (isCandidate(holder) && (smallest == null || isBefore(holder, smallest))) {
        smallest = holder;
      }
    }
    return smallest;
  }

  private boolean isCandidate(QuotaHolder holder) {
    return !queue.isSetAside(holder) && isIncluded.test(holder);
  }

  private boolean isBefore(QuotaHolder holder, QuotaHolder other) {
    return order.compare(holder, other) < 0;
  }

  /** {@return all in order} */
  Collection<QuotaHolder> inOrder() {
    if (inOrder == null && areFew()) {
      if (fewInOrder == null) {
        fewInOrder = new ArrayList<>();
        collect(fewInOrder);
        fewInOrder.sort(order);
      }
      return fewInOrder;
    }
    if (inOrder == null) {
      inOrder = sorted();
    }
    return inOrder;
  }

  private NavigableSet<QuotaHolder> sorted() {
    NavigableSet<QuotaHolder> all = new TreeSet<>(order);
    collect(all);
    return all;
  }

  private void collect(Collection<QuotaHolder> into) {
    for (QuotaHolder holder : queue.holders()) {
      if (isCandidate(holder)) {
        into.add(holder);
      }
    }
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
    for (QuotaHolder holder : queue.holders()) {
      if (isCandidate(holder)) {
        widenBounds(holder);
      }
    }
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
    fewInOrder = null;
    if (inOrder != null) {
      inOrder.add(holder);
    } else if (isFirstKnown && (first == null || isBefore(holder, first))) {
      first = holder;
    }
  }

  /** Removes a candidate. */
  void remove(QuotaHolder holder) {
    goneSince++;
    fewInOrder = null;
    if (inOrder != null) {
      inOrder.remove(holder);
    } else if (holder.equals(first)) {
      isFirstKnown = false;
    }
    if (inOrder != null && areFew()) {
      inOrder = null;
      isFirstKnown = false;
    }
  }
}
