package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QuotaHolder;
import org.jspecify.annotations.Nullable;

/**
 * A member of a cohort from which victims may be taken under fair sharing. As the winner of a
 * match, with the bounds of all members that took part.
 *
 * <p>Rules: H-17, H-18, X-20.
 *
 * @param node the member
 * @param share its share
 * @param first the first candidate of a ClusterQueue, null for a cohort
 * @param lowestPriority a lower bound of the priorities of candidates
 * @param latestQueueTime an upper bound of the queue times of candidates
 */
record FairStanding(
    int node, Share share, @Nullable QuotaHolder first, long lowestPriority, long latestQueueTime)
    implements Comparable<FairStanding> {
  boolean isCohort() {
    return first == null;
  }

  /** {@return the winner of a match: the member from which the next victim is taken} */
  FairStanding play(FairStanding other) {
    FairStanding winner = compareTo(other) < 0 ? this : other;
    long lowest = Math.min(lowestPriority, other.lowestPriority);
    long latest = Math.max(latestQueueTime, other.latestQueueTime);
    return lowest == winner.lowestPriority && latest == winner.latestQueueTime
        ? winner
        : new FairStanding(winner.node, winner.share, winner.first, lowest, latest);
  }

  /** The member from which the next victim is taken comes first. No two members are equal. */
  @Override
  public int compareTo(FairStanding other) {
    int byShare = other.share.compareTo(share);
    if (byShare != 0) {
      return byShare;
    }
    if (first == null || other.first == null) {
      // Cohorts come before queues.
      return Integer.compare(node, other.node);
    }
    return CandidateOrder.BY_PRIORITY.compare(first, other.first);
  }
}
