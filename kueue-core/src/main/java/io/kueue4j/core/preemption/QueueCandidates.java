package io.kueue4j.core.preemption;

import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Those who hold something needed of the quota of one ClusterQueue, and are not set aside, in the
 * order in which they are preempted for others.
 */
final class QueueCandidates {
  private final QueueQuota queue;
  private final Predicate<QuotaHolder> isNeeded;

  /** Those in order, null as long as nobody has asked for more than the first one, and once. */
  private @Nullable NavigableSet<QuotaHolder> inOrder;

  private boolean lookedAt;

  /**
   * Creates the candidates of {@code queue}.
   *
   * @param isNeeded says who holds something needed
   */
  QueueCandidates(QueueQuota queue, Predicate<QuotaHolder> isNeeded) {
    this.queue = queue;
    this.isNeeded = isNeeded;
  }

  /** {@return who comes first, null if there is nobody} */
  @Nullable
  QuotaHolder first() {
    if (inOrder == null && !lookedAt) {
      lookedAt = true;
      return smallest();
    }
    NavigableSet<QuotaHolder> all = all();
    return all.isEmpty() ? null : all.first();
  }

  private @Nullable QuotaHolder smallest() {
    QuotaHolder smallest = null;
    for (QuotaHolder holder : queue.holders()) {
      if (!holder.isSetAside()
          && isNeeded.test(holder)
          && (smallest == null || CandidateOrder.OF_OTHERS.compare(holder, smallest) < 0)) {
        smallest = holder;
      }
    }
    return smallest;
  }

  /** {@return all in order} */
  Iterator<QuotaHolder> iterator() {
    return all().iterator();
  }

  private NavigableSet<QuotaHolder> all() {
    if (inOrder == null) {
      inOrder = new TreeSet<>(CandidateOrder.OF_OTHERS);
      for (QuotaHolder holder : queue.holders()) {
        if (!holder.isSetAside() && isNeeded.test(holder)) {
          inOrder.add(holder);
        }
      }
    }
    return inOrder;
  }

  /** Takes in who may be preempted from now on. */
  void add(QuotaHolder holder) {
    if (inOrder != null && isNeeded.test(holder)) {
      inOrder.add(holder);
    }
  }

  /** Drops who may not be preempted any more. */
  void remove(QuotaHolder holder) {
    if (inOrder != null) {
      inOrder.remove(holder);
    }
  }
}
