package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.Arrays;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The members of a cohort in the order in which victims are taken from them, with bounds that
 * decide whether a preemptor may take any.
 */
final class FairContest {
  private final Contest<FairStanding> contest;
  private final long[] lowestPriority;
  private final long[] latestQueueTime;

  /** A match whose members have not been examined yet, with its winner. */
  private record Branch(int match, FairStanding winner) implements Comparable<Branch> {
    @Override
    public int compareTo(Branch other) {
      return FairStanding.ORDER.compare(winner, other.winner);
    }
  }

  FairContest(int[] members) {
    contest = new Contest<>(members, FairStanding.ORDER);
    lowestPriority = new long[2 * Math.max(1, members.length)];
    latestQueueTime = new long[lowestPriority.length];
    Arrays.fill(lowestPriority, Long.MAX_VALUE);
    Arrays.fill(latestQueueTime, Long.MIN_VALUE);
  }

  /** Replaces the standing of the member at {@code index}; null if nothing may be taken from it. */
  void enter(int index, @Nullable FairStanding standing) {
    int match = contest.matchOf(index);
    if (standing == null && contest.winner(match) == null) {
      return;
    }
    contest.enter(index, standing);
    lowestPriority[match] = standing == null ? Long.MAX_VALUE : standing.lowestPriority();
    latestQueueTime[match] = standing == null ? Long.MIN_VALUE : standing.latestQueueTime();
    while (match > Contest.FINAL) {
      match /= 2;
      lowestPriority[match] = Math.min(lowestPriority[2 * match], lowestPriority[2 * match + 1]);
      latestQueueTime[match] = Math.max(latestQueueTime[2 * match], latestQueueTime[2 * match + 1]);
    }
  }

  boolean isEmpty() {
    return contest.winner(Contest.FINAL) == null;
  }

  /** {@return a lower bound of the priorities of candidates} */
  long lowestPriority() {
    return lowestPriority[Contest.FINAL];
  }

  /** {@return an upper bound of the queue times of candidates} */
  long latestQueueTime() {
    return latestQueueTime[Contest.FINAL];
  }

  /**
   * {@return the first member that may have a candidate for {@code preemptor}, null if there is
   * none}
   *
   * @param excluded the node of a member to skip
   */
  @Nullable
  FairStanding first(Preemptor preemptor, PreemptionPolicy policy, int excluded) {
    PriorityQueue<Branch> open = new PriorityQueue<>();
    open(Contest.FINAL, preemptor, policy, open);
    for (Branch next = open.poll(); next != null; next = open.poll()) {
      if (!contest.isMember(next.match)) {
        open(2 * next.match, preemptor, policy, open);
        open(2 * next.match + 1, preemptor, policy, open);
      } else if (next.winner.node() != excluded) {
        return next.winner;
      }
    }
    return null;
  }

  private void open(
      int match, Preemptor preemptor, PreemptionPolicy policy, PriorityQueue<Branch> open) {
    FairStanding winner = contest.winner(match);
    if (winner != null
        && preemptor.mayPreemptAny(policy, lowestPriority[match], latestQueueTime[match])) {
      open.add(new Branch(match, winner));
    }
  }
}
