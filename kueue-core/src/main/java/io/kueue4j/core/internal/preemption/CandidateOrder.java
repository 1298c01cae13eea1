package io.kueue4j.core.internal.preemption;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.AdmissionMode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The order in which candidates of one {@link CandidateKind} are preempted: candidates that are
 * evicted already, then candidates of other queues, then by the largest past usage of their
 * LocalQueue where that counts, by the lowest priority, and by the latest quota reservation.
 *
 * <p>Rules: P-9, W-8, X-20.
 */
final class CandidateOrder implements Comparator<QuotaHolder> {
  /*
   * The usage of LocalQueues counts only between two candidates of the same ClusterQueue. So with
   * candidates of several queues the comparison may be cyclic: a before b by usage, b before c and
   * c before a by priority. Upstream sorts with it nevertheless, and the result depends on the
   * input order. Here the candidates of each queue are sorted, and the sorted lists are merged by
   * comparing their first elements. This equals sorting if there is no cycle, and is always
   * defined.
   */

  /**
   * The order among candidates of queues other than the preemptor's, or among candidates of one
   * queue, if the usage of LocalQueues does not count. No two candidates are equal.
   */
  static final Comparator<QuotaHolder> OF_OTHERS = CandidateOrder::compareOfOthers;

  private final QueueQuota own;
  private final LocalQueueUsage usage;
  private final Map<QuotaHolder, Double> usages = new HashMap<>();

  /** Creates the order for a preemptor of queue {@code own}. */
  CandidateOrder(QueueQuota own, LocalQueueUsage usage) {
    this.own = own;
    this.usage = usage;
  }

  /**
   * {@return {@code candidates} in order}
   *
   * @param holder returns the workload of a candidate
   * @param order this order, or one with an additional first criterion
   */
  <C> List<C> sorted(
      List<C> candidates, Function<? super C, QuotaHolder> holder, Comparator<? super C> order) {
    if (!mayCount(usage)) {
      return ImmutableList.sortedCopyOf(order, candidates);
    }
    ListMultimap<QueueQuota, C> byQueue =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    candidates.forEach(candidate -> byQueue.put(holder.apply(candidate).queue(), candidate));
    Multimaps.asMap(byQueue).values().forEach(ofQueue -> ofQueue.sort(order));
    return ImmutableList.copyOf(Iterables.mergeSorted(Multimaps.asMap(byQueue).values(), order));
  }

  /** {@return whether the usage of LocalQueues may count} */
  static boolean mayCount(LocalQueueUsage usage) {
    return !usage.equals(LocalQueueUsage.NONE);
  }

  private boolean countsUsage(QuotaHolder holder) {
    return mayCount(usage)
        && holder.queue().compiled().source().admissionMode()
            == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
  }

  private double usage(QuotaHolder holder) {
    return usages.computeIfAbsent(holder, unused -> usage.of(holder.workload().localQueue()));
  }

  @Override
  public int compare(QuotaHolder a, QuotaHolder b) {
    if (a.isEvicted() != b.isEvicted()) {
      return a.isEvicted() ? -1 : 1;
    }
    boolean ownA = a.queue().equals(own);
    if (ownA != b.queue().equals(own)) {
      return ownA ? 1 : -1;
    }
    if (countsUsage(a) && a.queue().equals(b.queue())) {
      int byUsage = Double.compare(usage(b), usage(a));
      if (byUsage != 0) {
        return byUsage;
      }
    }
    return OF_OTHERS.compare(a, b);
  }

  private static int compareOfOthers(QuotaHolder a, QuotaHolder b) {
    if (a.isEvicted() != b.isEvicted()) {
      return a.isEvicted() ? -1 : 1;
    }
    int byPriority = Long.compare(a.priority(), b.priority());
    if (byPriority != 0) {
      return byPriority;
    }
    int byTime = Long.compare(b.reservedMillis(), a.reservedMillis());
    if (byTime != 0) {
      return byTime;
    }
    int byUid = a.uid().compareTo(b.uid());
    return byUid != 0
        ? byUid
        : a.workload().source().id().compareTo(b.workload().source().id());
  }
}
