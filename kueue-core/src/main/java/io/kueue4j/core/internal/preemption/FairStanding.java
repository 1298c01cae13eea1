package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A member of a cohort from which victims may be taken under fair sharing.
 *
 * <p>Rules: H-17, H-18, X-20.
 */
final class FairStanding {
  /** The member from which the next victim is taken comes first. No two members are equal. */
  static final Comparator<FairStanding> ORDER = FairStanding::compare;

  private final int node;
  private final Share share;
  private final @Nullable QuotaHolder first;
  private final long lowestPriority;
  private final long latestQueueTime;

  /**
   * Creates a standing.
   *
   * @param node the member
   * @param share its share
   * @param first the first candidate of a ClusterQueue, null for a cohort
   * @param lowestPriority a lower bound of the priorities of candidates below the member
   * @param latestQueueTime an upper bound of the queue times of candidates below the member
   */
  FairStanding(
      int node,
      Share share,
      @Nullable QuotaHolder first,
      long lowestPriority,
      long latestQueueTime) {
    this.node = node;
    this.share = share;
    this.first = first;
    this.lowestPriority = lowestPriority;
    this.latestQueueTime = latestQueueTime;
  }

  int node() {
    return node;
  }

  Share share() {
    return share;
  }

  @Nullable
  QuotaHolder first() {
    return first;
  }

  boolean isCohort() {
    return first == null;
  }

  long lowestPriority() {
    return lowestPriority;
  }

  long latestQueueTime() {
    return latestQueueTime;
  }

  private static int compare(FairStanding a, FairStanding b) {
    int byShare = b.share.compareTo(a.share);
    if (byShare != 0) {
      return byShare;
    }
    if (a.first == null || b.first == null) {
      return a.isCohort() == b.isCohort() ? Integer.compare(a.node, b.node) : a.isCohort() ? -1 : 1;
    }
    return CandidateOrder.OF_OTHERS.compare(a.first, b.first);
  }
}
