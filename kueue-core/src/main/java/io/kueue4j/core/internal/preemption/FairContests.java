package io.kueue4j.core.internal.preemption;

import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeLayout;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.BitSet;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FairContest} for each cohort of a tree, among its members that borrow. A search modifies
 * them; standings that have changed are updated when the next search begins.
 *
 * <p>Rules: H-14, H-15, H-16, H-17, H-18.
 */
final class FairContests {
  private final QuotaTree tree;
  private final TreeLayout layout;
  private final NeededPairs needed;
  private final IntFunction<CandidateList> candidates;
  private final ContestsByCohort<FairContest> contests;

  /** The nodes whose standing may differ from the one entered. */
  private final BitSet outdated = new BitSet();

  /**
   * Creates contests without entries, in which only queues that borrow take part.
   *
   * @param needed the pairs that lack room
   * @param candidates returns the candidates of a ClusterQueue
   */
  FairContests(
      QuotaTree tree,
      TreeLayout layout,
      NeededPairs needed,
      IntFunction<CandidateList> candidates) {
    this.tree = tree;
    this.layout = layout;
    this.needed = needed;
    this.candidates = candidates;
    this.contests = new ContestsByCohort<>(
        layout,
        tree.nodeCount(),
        cohort -> Ints.concat(layout.childCohorts(cohort), layout.childQueues(cohort)),
        FairContest::new);
    for (int node = needed.nextBorrowing(0);
        node < tree.nodeCount();
        node = needed.nextBorrowing(node + 1)) {
      outdate(node);
    }
  }

  /** Records that the standing of a node may have changed. */
  void outdate(int node) {
    outdated.set(node);
  }

  /**
   * Updates all standings. Children come after their parents, so iterates backwards.
   *
   * @param searched queues that take part even if they do not borrow needed pairs any more in the
   *     trial
   */
  void refresh(Set<Integer> searched) {
    for (int node = outdated.length() - 1; node > 0; node = outdated.previousSetBit(node)) {
      outdated.clear(node);
      int cohort = tree.parent(node);
      if (!layout.isQueue(node)) {
        contests.of(cohort).enter(contests.index(node), ofCohort(node));
      } else if (layout.queue(node).isActive()
          && (searched.contains(node) || !needed.isWithinNominal(node))) {
        contests
            .of(cohort)
            .enter(contests.index(node), ofQueue(node, candidates.apply(node).first()));
      } else {
        contests.of(cohort).enter(contests.index(node), null);
      }
      outdated.set(cohort);
    }
    outdated.clear();
  }

  private @Nullable FairStanding ofCohort(int node) {
    FairContest contest = contests.of(node);
    Share share = contest.isEmpty() ? null : Share.of(tree, layout, node);
    return share == null || !share.borrows()
        ? null
        : new FairStanding(node, share, null, contest.lowestPriority(), contest.latestQueueTime());
  }

  private @Nullable FairStanding ofQueue(int node, @Nullable QuotaHolder first) {
    Share share = first == null ? null : Share.of(tree, layout, node);
    if (share == null || !share.borrows()) {
      return null;
    }
    CandidateList list = candidates.apply(node);
    return new FairStanding(node, share, first, list.lowestPriority(), list.latestQueueTime());
  }

  /** {@return the candidates of a ClusterQueue} */
  CandidateList candidates(int node) {
    return candidates.apply(node);
  }

  /**
   * {@return the member of a cohort to take victims from, null if there is none}
   *
   * @param excluded the node of a member to skip
   */
  @Nullable
  FairStanding first(int cohort, Preemptor preemptor, PreemptionPolicy policy, int excluded) {
    return contests.of(cohort).first(preemptor, policy, excluded);
  }

  /**
   * Updates the standing of a participating ClusterQueue until the next refresh.
   *
   * @param first the first remaining candidate, null if there is none
   */
  void change(int queue, @Nullable QuotaHolder first) {
    enter(queue, ofQueue(queue, first));
  }

  /** Excludes a cohort until the next refresh. */
  void exclude(int cohort) {
    enter(cohort, null);
  }

  private void enter(int node, @Nullable FairStanding standing) {
    FairStanding entry = standing;
    for (int member = node; tree.hasParent(member); member = tree.parent(member)) {
      contests.of(tree.parent(member)).enter(contests.index(member), entry);
      outdated.set(member);
      entry = ofCohort(tree.parent(member));
    }
  }
}
