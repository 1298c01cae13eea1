package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.TreeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One contest for each cohort of a tree, among its members.
 *
 * @param <C> the contests
 */
final class ContestsByCohort<C> {
  /** By node, null for ClusterQueues. */
  private final List<@Nullable C> ofCohort;

  /** The index of each node among the members of its parent. */
  private final int[] index;

  /**
   * Creates contests.
   *
   * @param nodeCount the number of nodes of the tree
   * @param membersOf gives the members of a cohort, in the order that decides between equals
   * @param create makes the contest of these members
   */
  ContestsByCohort(
      TreeLayout layout,
      int nodeCount,
      IntFunction<int[]> membersOf,
      Function<int[], ? extends C> create) {
    ofCohort = new ArrayList<>(nodeCount);
    index = new int[nodeCount];
    for (int node = 0; node < nodeCount; node++) {
      if (layout.isQueue(node)) {
        ofCohort.add(null);
        continue;
      }
      int[] members = membersOf.apply(node);
      for (int i = 0; i < members.length; i++) {
        index[members[i]] = i;
      }
      ofCohort.add(create.apply(members));
    }
  }

  /** {@return the contest of a cohort} */
  C of(int cohort) {
    C contest = ofCohort.get(cohort);
    if (contest == null) {
      throw new IllegalArgumentException("node " + cohort + " is a ClusterQueue");
    }
    return contest;
  }

  /** {@return the index of a node among the members of its parent} */
  int index(int member) {
    return index[member];
  }
}
