package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that hold a needed pair of one ClusterQueue and are not set aside, in the order in
 * which they are preempted for other queues.
 */
final class QueueCandidates implements CandidateList {
  /*
   * Holders change all the time, and most searches read only the first candidate. So the first one
   * is maintained without sorting the others; many holders are kept sorted from the first time that
   * more than one is read.
   */
  private static final int FEW = 32;

  private final QueueQuota queue;
  private final Predicate<QuotaHolder> isNeeded;

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
   * @param isNeeded decides whether a workload holds a needed pair
   */
  QueueCandidates(QueueQuota queue, Predicate<QuotaHolder> isNeeded) {
    this.queue = queue;
    this.isNeeded = isNeeded;
  }

  @Override
  public @Nullable QuotaHolder first() {
    if (inOrder == null && !isFirstKnown && lookedAt && !areFew()) {
      inOrder = inOrder();
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
    return queue.holders().size() <= FEW;
  }

  private @Nullable QuotaHolder smallest() {
    QuotaHolder smallest = null;
    List<QuotaHolder> holders = queue.holders();
    for (int i = 0; i < holders.size(); i++) {
      QuotaHolder holder = holders.get(i);
      if (isCandidate(holder) && (smallest == null || isBefore(holder, smallest))) {
        smallest = holder;
      }
    }
    return smallest;
  }

  private boolean isCandidate(QuotaHolder holder) {
    return !holder.isSetAside() && isNeeded.test(holder);
  }

  private static boolean isBefore(QuotaHolder holder, QuotaHolder other) {
    return CandidateOrder.OF_OTHERS.compare(holder, other) < 0;
  }

  @Override
  public Iterator<QuotaHolder> iterator() {
    if (inOrder == null && areFew()) {
      if (fewInOrder == null) {
        fewInOrder = new ArrayList<>();
        collect(fewInOrder);
        fewInOrder.sort(CandidateOrder.OF_OTHERS);
      }
      return fewInOrder.iterator();
    }
    if (inOrder == null) {
      inOrder = inOrder();
    }
    return inOrder.iterator();
  }

  private NavigableSet<QuotaHolder> inOrder() {
    NavigableSet<QuotaHolder> all = new TreeSet<>(CandidateOrder.OF_OTHERS);
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

  @Override
  public boolean isByPriority() {
    return true;
  }

  @Override
  public long lowestPriority() {
    computeBounds();
    return lowestPriority;
  }

  @Override
  public long latestQueueTime() {
    computeBounds();
    return latestQueueTime;
  }

  /**
   * Amortized: computed once per as many changes as there are candidates. In between, the bounds
   * may be too wide.
   */
  private void computeBounds() {
    if (areBoundsKnown && goneSince <= queue.holders().size()) {
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
    if (!isNeeded.test(holder)) {
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
