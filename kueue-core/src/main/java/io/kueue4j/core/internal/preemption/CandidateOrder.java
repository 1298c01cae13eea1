package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.Preemption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The order in which candidates of one ClusterQueue are preempted: candidates that are evicted
 * already, then by the largest past usage of their LocalQueue where that counts, by the lowest
 * priority, and by the latest quota reservation.
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
   * The order among candidates of several queues, or among candidates of one queue if the usage of
   * LocalQueues does not count. No two candidates are equal.
   */
  static final Comparator<QuotaHolder> BY_PRIORITY = CandidateOrder::compareByPriority;

  private final QuotaTree tree;
  private final LocalQueueUsage usage;
  private final Map<QuotaHolder, Double> usages = new HashMap<>();

  /** Creates the order by {@code usage}, in queues of a tree whose LocalQueues it orders. */
  CandidateOrder(QuotaTree tree, LocalQueueUsage usage) {
    this.tree = tree;
    this.usage = usage;
  }

  private boolean countsUsage(QuotaHolder holder) {
    return tree.layout().queueOf(holder).spec().admissionMode()
        == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
  }

  private double usage(QuotaHolder holder) {
    return usages.computeIfAbsent(holder, unused -> usage.of(holder.workload().localQueue()));
  }

  @Override
  public int compare(QuotaHolder a, QuotaHolder b) {
    int byUsage =
        a.isEvicted() == b.isEvicted() && countsUsage(a) ? Double.compare(usage(b), usage(a)) : 0;
    return byUsage != 0 ? byUsage : BY_PRIORITY.compare(a, b);
  }

  /**
   * {@return whether {@code policy} may let {@code candidate}, or one after it by priority, be
   * preempted by {@code by}} This relies on the order of the keys in {@link #compareByPriority}.
   *
   * @param anyQueuedAfterReserved whether any candidate was queued after its quota was reserved
   */
  static boolean mayPreemptFrom(
      QuotaHolder candidate,
      Preemptor by,
      Preemption.Policy policy,
      boolean anyQueuedAfterReserved) {
    // Among equal priorities, later candidates were reserved earlier; and most were queued before.
    long latestQueueTime = anyQueuedAfterReserved ? Long.MAX_VALUE : candidate.reservedMillis();
    return candidate.isEvicted() || by.mayPreemptAny(policy, candidate.priority(), latestQueueTime);
  }

  private static int compareByPriority(QuotaHolder a, QuotaHolder b) {
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
