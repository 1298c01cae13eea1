package io.kueue4j.core.internal.preemption;

import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Contest} for each cohort of a tree, among its members. Standings that have changed are
 * updated lazily.
 *
 * @param <T> the type of standings
 */
final class Contests<T> {
  private final QuotaTree tree;
  private final IntFunction<@Nullable T> standingOf;

  /** By node, null for ClusterQueues. */
  private final List<@Nullable Contest<T>> ofCohort = new ArrayList<>();

  /** The index of each node among the members of its parent. */
  private final int[] index;

  /** The nodes whose standing may differ from the one entered. */
  private final BitSet outdated = new BitSet();

  /**
   * Creates contests without entries.
   *
   * @param create creates the contest of some members
   * @param standingOf returns the current standing of a node, null for none; called for the members
   *     of a cohort before the cohort
   */
  Contests(
      QuotaTree tree, Function<int[], Contest<T>> create, IntFunction<@Nullable T> standingOf) {
    this.tree = tree;
    this.standingOf = standingOf;
    this.index = new int[tree.nodeCount()];
    TreeLayout layout = tree.layout();
    for (int node = 0; node < tree.nodeCount(); node++) {
      int[] members = Ints.concat(layout.childQueues(node), layout.childCohorts(node));
      for (int i = 0; i < members.length; i++) {
        index[members[i]] = i;
      }
      ofCohort.add(layout.isQueue(node) ? null : create.apply(members));
    }
  }

  /** {@return the contest of a cohort} */
  Contest<T> of(int cohort) {
    Contest<T> contest = ofCohort.get(cohort);
    if (contest == null) {
      throw new IllegalArgumentException("node " + cohort + " is a ClusterQueue");
    }
    return contest;
  }

  /** Records that the standing of a node may have changed. */
  void outdate(int node) {
    outdated.set(node);
  }

  /** Records that the standings of all nodes that borrow a needed pair may have changed. */
  void outdate(NeededPairs needed) {
    for (int node = needed.nextBorrowing(0);
        node < tree.nodeCount();
        node = needed.nextBorrowing(node + 1)) {
      outdate(node);
    }
  }

  /** Updates outdated standings. Children come after their parents, so iterates backwards. */
  void refresh() {
    for (int node = outdated.length() - 1; node > 0; node = outdated.previousSetBit(node)) {
      outdated.clear(node);
      int cohort = tree.parent(node);
      of(cohort).enter(index[node], standingOf.apply(node));
      outdated.set(cohort);
    }
    outdated.clear();
  }

  /** Replaces the standing of a node until the next refresh. */
  void enter(int node, @Nullable T standing) {
    T entry = standing;
    for (int member = node; tree.hasParent(member); member = tree.parent(member)) {
      of(tree.parent(member)).enter(index[member], entry);
      outdated.set(member);
      entry = standingOf.apply(tree.parent(member));
    }
  }
}
