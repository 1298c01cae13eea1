package io.kueue4j.core.preemption;

import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import java.util.Comparator;

/**
 * In which order candidates are preempted.
 *
 * <p>Rules: P-9.
 */
final class CandidateOrder implements Comparator<QuotaHolder> {
  private final QueueQuota own;

  /** Creates the order for a preemptor of queue {@code own}. */
  CandidateOrder(QueueQuota own) {
    this.own = own;
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
    int byPriority = Long.compare(a.workload().priority(), b.workload().priority());
    if (byPriority != 0) {
      return byPriority;
    }
    int byTime = Long.compare(b.reservedMillis(), a.reservedMillis());
    if (byTime != 0) {
      return byTime;
    }
    int byUid = a.workload().source().uid().compareTo(b.workload().source().uid());
    return byUid != 0
        ? byUid
        : a.workload().source().id().compareTo(b.workload().source().id());
  }
}
