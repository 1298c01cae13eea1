package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.internal.fairness.Contests;
import io.kueue4j.core.internal.fairness.Share;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.Preemption;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The contests by share among the members of each cohort of a tree that borrow. A search modifies
 * them; standings that have changed are updated when the next search begins.
 *
 * <p>Rules: H-14, H-15, H-16, H-17, H-18.
 */
final class FairContests {
  private final QuotaTree tree;
  private final NeededPairs needed;
  private final IntFunction<QueueCandidates> candidates;
  private final Contests<FairStanding> contests;

  /**
   * Creates contests without entries, in which only queues that borrow take part.
   *
   * @param needed the pairs that lack room
   * @param candidates returns the candidates of a ClusterQueue
   */
  FairContests(QuotaTree tree, NeededPairs needed, IntFunction<QueueCandidates> candidates) {
    this.tree = tree;
    this.needed = needed;
    this.candidates = candidates;
    this.contests = new Contests<>(tree, FairStanding::play, this::standing);
    needed.forEachBorrowing(contests::outdate);
  }

  /** Records that the standing of a node may have changed. */
  void outdate(int node) {
    contests.outdate(node);
  }

  /** Updates all standings; queues that do not borrow needed pairs take no part. */
  void refresh() {
    contests.refresh();
  }

  private @Nullable FairStanding standing(int node) {
    if (!tree.layout().isQueue(node)) {
      FairStanding first = contests.of(node).winner(Contest.FINAL);
      return first == null
          ? null
          : standing(node, null, first.lowestPriority(), first.latestQueueTime());
    }
    boolean takesPart = tree.layout().queue(node).isActive() && !needed.isWithinNominal(node);
    return takesPart ? ofQueue(node, candidates.apply(node).first()) : null;
  }

  private @Nullable FairStanding ofQueue(int node, @Nullable QuotaHolder first) {
    QueueCandidates all = candidates.apply(node);
    return first == null
        ? null
        : standing(node, first, all.lowestPriority(), all.latestQueueTime());
  }

  private @Nullable FairStanding standing(
      int node, @Nullable QuotaHolder first, long lowestPriority, long latestQueueTime) {
    Share share = Share.of(tree, node);
    return share.borrows()
        ? new FairStanding(node, share, first, lowestPriority, latestQueueTime)
        : null;
  }

  /**
   * {@return the first member of a cohort that may have a candidate for {@code preemptor}, null if
   * there is none}
   *
   * @param excluded the node of a member to skip
   */
  @Nullable
  FairStanding first(int cohort, Preemptor preemptor, int excluded) {
    return first(
        contests.of(cohort), Contest.FINAL, preemptor, preemptor.policy(cohort), excluded, null);
  }

  /**
   * {@return the first of the members below {@code match} and {@code best}, which is null if there
   * is none so far}
   */
  private static @Nullable FairStanding first(
      Contest<FairStanding> contest,
      int match,
      Preemptor preemptor,
      Preemption.Policy policy,
      int excluded,
      @Nullable FairStanding best) {
    FairStanding winner = contest.winner(match);
    if (winner == null
        || (best != null && best.compareTo(winner) < 0)
        || !preemptor.mayPreemptAny(policy, winner.lowestPriority(), winner.latestQueueTime())) {
      return best;
    }
    if (contest.isMember(match)) {
      return winner.node() == excluded ? best : winner;
    }
    FairStanding left = contest.winner(2 * match);
    int before = 2 * match + (left != null && left.node() == winner.node() ? 0 : 1);
    FairStanding first = first(contest, before, preemptor, policy, excluded, best);
    return first(contest, before ^ 1, preemptor, policy, excluded, first);
  }

  /**
   * Updates the standing of a ClusterQueue until the next refresh. It takes part even if it does
   * not borrow needed pairs any more.
   *
   * @param first the first remaining candidate, null if there is none
   */
  void change(int queue, @Nullable QuotaHolder first) {
    contests.enter(queue, ofQueue(queue, first));
  }

  /** Excludes a cohort until the next refresh. */
  void exclude(int cohort) {
    contests.enter(cohort, null);
  }
}
