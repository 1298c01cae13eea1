package io.kueue4j.core.internal.preemption;

import com.google.common.collect.AbstractIterator;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.Preemption;
import java.util.Iterator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads candidates without fair sharing lazily, in the order in which they are taken. Passes over
 * those that cannot be taken any more at their turn.
 *
 * <p>Between two reads, usage may decrease in a trial; otherwise it must be as it was when the
 * index was refreshed. The first candidate of a queue, and each part of the tree that is passed
 * over, take time logarithmic in the size of the tree.
 *
 * <p>Rules: P-4, P-5, P-6, P-7, P-8, P-9, P-10, P-11.
 */
final class ClassicalCandidates extends AbstractIterator<Victim> {
  private final CandidateIndex index;
  private final Preemptor preemptor;
  private final Demand demand;
  private final boolean allowsBorrowing;
  private final PriorityQueue<Branch> open = new PriorityQueue<>();

  /**
   * Candidates that have not been read yet: the ones below a match of a cohort's contest, or the
   * ones of a ClusterQueue.
   *
   * @param first the first one
   * @param level the level
   * @param node the cohort or ClusterQueue
   * @param match the match in the contest of the cohort that {@code first} has won
   * @param others the candidates of the ClusterQueue after {@code first}, null if not read yet
   */
  private record Branch(
      QuotaHolder first,
      CandidateLevel level,
      int node,
      int match,
      @Nullable Iterator<QuotaHolder> others)
      implements Comparable<Branch> {
    @Override
    public int compareTo(Branch other) {
      int byEviction = Boolean.compare(other.first.isEvicted(), first.isEvicted());
      if (byEviction != 0) {
        return byEviction;
      }
      int byKind = level.kind().compareTo(other.level.kind());
      return byKind != 0 ? byKind : CandidateOrder.BY_PRIORITY.compare(first, other.first);
    }
  }

  /**
   * Creates the iterator over the candidates of {@code levels}.
   *
   * @param allowsBorrowing whether candidates are taken while the preemptor's queue borrows
   */
  ClassicalCandidates(
      CandidateIndex index,
      Preemptor preemptor,
      Demand demand,
      Iterable<CandidateLevel> levels,
      boolean allowsBorrowing) {
    this.index = index;
    this.preemptor = preemptor;
    this.demand = demand;
    this.allowsBorrowing = allowsBorrowing;
    for (CandidateLevel level : levels) {
      if (index.isQueue(level.node())) {
        // Not sorted before the first one is looked at.
        QuotaHolder first = index.candidates(level.node()).first();
        open(level, level.node(), Contest.FINAL, first, null);
      } else {
        open(level, level.node(), Contest.FINAL);
      }
    }
  }

  private void open(CandidateLevel level, int queue, Iterator<QuotaHolder> candidates) {
    if (candidates.hasNext()) {
      open(level, queue, Contest.FINAL, candidates.next(), candidates);
    }
  }

  private void open(CandidateLevel level, int cohort, int match) {
    open(level, cohort, match, index.contest(cohort).winner(match), null);
  }

  private void open(
      CandidateLevel level,
      int node,
      int match,
      @Nullable QuotaHolder first,
      @Nullable Iterator<QuotaHolder> others) {
    if (first != null) {
      open.add(new Branch(first, level, node, match, others));
    }
  }

  @Override
  protected @Nullable Victim computeNext() {
    for (Branch next = open.poll(); next != null; next = open.poll()) {
      CandidateKind kind = next.level.kind().of(next.first, preemptor);
      Preemption.Policy policy = next.level.policy();
      boolean isTooHigh = allowsBorrowing && kind == CandidateKind.WITHOUT_BORROWING;
      if ((isTooHigh && !next.first.isEvicted() && index.isByPriority())
          || !index.mayPreemptFrom(next.first, preemptor, policy)
          || !next.level.borrowsBelow(next.node, demand)) {
        // No later candidate of the branch may be taken either.
        continue;
      }
      if (next.others == null) {
        descend(next);
        continue;
      }
      open(next.level, next.node, next.others);
      if (!isTooHigh && preemptor.mayPreemptNow(next.first, policy, kind.reason())) {
        return new Victim(next.first, kind.reason());
      }
    }
    return endOfData();
  }

  /**
   * Opens the ClusterQueue of the first candidate; or, in a cohort, descends to the member of the
   * first candidate, and adds a branch for each match that it has won.
   */
  private void descend(Branch branch) {
    if (index.isQueue(branch.node)) {
      open(branch.level, branch.node, index.candidates(branch.node).inOrder().iterator());
      return;
    }
    Contest<QuotaHolder> contest = index.contest(branch.node);
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
    if (index.isQueue(member)) {
      open(branch.level, member, index.candidates(member).inOrder().iterator());
    } else {
      open(branch.level, member, Contest.FINAL);
    }
  }
}
