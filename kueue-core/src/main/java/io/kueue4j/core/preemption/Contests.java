package io.kueue4j.core.preemption;

import com.google.common.primitives.Ints;
import io.kueue4j.core.fairness.Contest;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.quota.TreeLayout;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Contest} for each cohort of a tree, among its members that borrow. They are held anew,
 * when somebody asks, as far as something has changed.
 */
final class Contests {
  private final QuotaTree tree;
  private final TreeLayout layout;
  private final IntPredicate borrows;
  private final IntFunction<@Nullable QuotaHolder> firstOfQueue;
  private final ContestsByCohort<Contest<QuotaHolder>> contests;

  /** The nodes whose standing in the contest of their parent may be another one by now. */
  private final BitSet outdated = new BitSet();

  /**
   * Creates contests in which nobody takes part yet.
   *
   * @param borrows says which nodes use more than their own quota of something needed
   * @param firstOfQueue says who comes first of a ClusterQueue, null if nobody does
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

  /** Notes that a node's standing may have changed. */
  void outdate(int node) {
    outdated.set(node);
  }

  /** Holds anew what is outdated. Children come after their parents, so from the last node on. */
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
