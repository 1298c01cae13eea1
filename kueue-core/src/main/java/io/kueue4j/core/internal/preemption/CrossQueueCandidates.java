package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads candidates of other queues in order. Skips queues and cohorts that no longer borrow when
 * their turn comes.
 *
 * <p>The first candidate of a queue, and each part of the tree that is skipped, take time
 * logarithmic in the size of the tree.
 *
 * <p>Rules: P-6, P-11.
 */
final class CrossQueueCandidates extends CandidateWalk<ClassicalCandidate> {
  private final CandidateIndex index;
  private final Contests contests;
  private final Preemptor preemptor;
  private final PreemptionPolicy policy;
  private final Demand demand;
  private final PriorityQueue<Branch> open = new PriorityQueue<>();

  /**
   * A part of the candidates that has not been read yet.
   *
   * @param first its first candidate
   * @param level its level
   * @param node the cohort or ClusterQueue that it belongs to
   * @param match the match in the contest of the cohort that {@code first} has won
   * @param others the candidates of the ClusterQueue after {@code first}, null for a cohort
   */
  private record Branch(
      QuotaHolder first,
      ReclaimLevel level,
      int node,
      int match,
      @Nullable Iterator<QuotaHolder> others)
      implements Comparable<Branch> {
    @Override
    public int compareTo(Branch other) {
      return CandidateOrder.OF_OTHERS.compare(first, other.first);
    }
  }

  /**
   * Creates the walk over the levels with or without {@code advantage}, in the state that the
   * contests show.
   */
  CrossQueueCandidates(
      CandidateIndex index,
      Contests contests,
      Preemptor preemptor,
      Demand demand,
      List<ReclaimLevel> levels,
      boolean advantage) {
    this.index = index;
    this.contests = contests;
    this.preemptor = preemptor;
    this.policy = preemptor.queue().compiled().source().preemption().reclaimWithinCohort();
    this.demand = demand;
    for (ReclaimLevel level : levels) {
      if (level.advantage() == advantage) {
        open(level, level.ancestor(), Contest.FINAL);
      }
    }
  }

  private void open(ReclaimLevel level, int cohort, int match) {
    QuotaHolder first = contests.contest(cohort).winner(match);
    if (first != null) {
      open.add(new Branch(first, level, cohort, match, null));
    }
  }

  private void open(ReclaimLevel level, int queue, Iterator<QuotaHolder> candidates) {
    if (candidates.hasNext()) {
      open.add(new Branch(candidates.next(), level, queue, 0, candidates));
    }
  }

  @Override
  protected @Nullable ClassicalCandidate read() {
    for (Branch next = open.poll(); next != null; next = open.poll()) {
      QuotaHolder first = next.first;
      ReclaimLevel level = next.level;
      if (!first.isEvicted()
          && preemptor.mayPreemptNoneFrom(first, policy, index.anyQueuedAfterReserved())) {
        break;
      }
      if (!ClassicalSearch.borrowsBelow(level.ancestor(), next.node, demand)) {
        continue;
      }
      if (next.others == null) {
        descend(next);
        continue;
      }
      open(level, next.node, next.others);
      if (preemptor.mayPreempt(first, policy)) {
        CandidateKind kind = CandidateKind.ofOther(first, preemptor, level.advantage());
        return new ClassicalCandidate(first, kind, level.ancestor());
      }
    }
    return null;
  }

  /**
   * Descends to the member of the first candidate, and adds a branch for each match that it has
   * won.
   */
  private void descend(Branch branch) {
    Contest<QuotaHolder> contest = contests.contest(branch.node);
    int match = branch.match;
    while (!contest.isMember(match)) {
      int before = contest.before(match);
      open(branch.level, branch.node, before ^ 1);
      match = before;
    }
    int member = contest.member(match);
    if (member == branch.level.visited()) {
      return;
    }
    if (contests.isQueue(member)) {
      open(branch.level, member, index.candidates(member).iterator());
    } else {
      open(branch.level, member, Contest.FINAL);
    }
  }
}
