package io.kueue4j.core.internal.preemption;

import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeLayout;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Contest} for each cohort of a tree, among its members that borrow. Standings that have
 * changed are updated lazily.
 */
final class Contests {
  private final QuotaTree tree;
  private final TreeLayout layout;
  private final IntPredicate borrows;
  private final IntFunction<@Nullable QuotaHolder> firstOfQueue;
  private final ContestsByCohort<Contest<QuotaHolder>> contests;

  /** The nodes whose standing in the contest of their parent may have changed. */
  private final BitSet outdated = new BitSet();

  /**
   * Creates contests without entries.
   *
   * @param borrows decides which nodes use more than their own quota of a needed pair
   * @param firstOfQueue returns the first candidate of a ClusterQueue, null if there is none
   */
  Contests(
      QuotaTree tree,
      TreeLayout layout,
      IntPredicate borrows,
      IntFunction<@Nullable QuotaHolder> firstOfQueue) {
    this.tree = tree;
    this.layout = layout;
    this.borrows = borrows;
    this.firstOfQueue = firstOfQueue;
    this.contests = new ContestsByCohort<>(
        layout,
        tree.nodeCount(),
        cohort -> Ints.concat(layout.childQueues(cohort), layout.childCohorts(cohort)),
        members -> new Contest<>(members, CandidateOrder.OF_OTHERS));
  }

  /** Records that the standing of a node may have changed. */
  void outdate(int node) {
    outdated.set(node);
  }

  /** Updates outdated standings. Children come after their parents, so iterates backwards. */
  void refresh() {
    for (int node = outdated.length() - 1; node > 0; node = outdated.previousSetBit(node)) {
      outdated.clear(node);
      int cohort = tree.parent(node);
      contest(cohort).enter(contests.index(node), first(node));
      outdated.set(cohort);
    }
    outdated.clear();
  }

  private @Nullable QuotaHolder first(int node) {
    if (!borrows.test(node)) {
      return null;
    }
    return layout.isQueue(node) ? firstOfQueue.apply(node) : contest(node).winner(Contest.FINAL);
  }

  /** {@return whether a member is a ClusterQueue} */
  boolean isQueue(int member) {
    return layout.isQueue(member);
  }

  /** {@return the contest of a cohort} */
  Contest<QuotaHolder> contest(int cohort) {
    return contests.of(cohort);
  }
}
