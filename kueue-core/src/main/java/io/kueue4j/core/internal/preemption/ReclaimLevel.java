package io.kueue4j.core.internal.preemption;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.PreemptionPolicy;

/**
 * A cohort above a preemptor, with its descendants that are not below a lower such cohort.
 *
 * <p>Rules: P-6.
 *
 * @param ancestor the cohort
 * @param visited its child on the path to the preemptor's queue
 * @param advantage whether the quota of the preemptor's side suffices for the demand
 */
record ReclaimLevel(int ancestor, int visited, boolean advantage) {

  /**
   * {@return the levels at which {@code queue} may find candidates of other queues, from its parent
   * to the root; none if its policy forbids it or no node borrows a needed pair}
   */
  static ImmutableList<ReclaimLevel> of(QueueQuota queue, Demand demand) {
    QuotaTree tree = queue.tree();
    if (!tree.hasParent(queue.node())
        || queue.compiled().source().preemption().reclaimWithinCohort() == PreemptionPolicy.NEVER
        || demand.needed().nextBorrowing(0) == tree.nodeCount()) {
      return ImmutableList.of();
    }
    long[] rest = new long[demand.size()];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = demand.amount(i);
    }
    ImmutableList.Builder<ReclaimLevel> levels = ImmutableList.builder();
    int visited = queue.node();
    boolean advantage = fitsAndReduces(tree, visited, demand, rest);
    while (tree.hasParent(visited)) {
      int ancestor = tree.parent(visited);
      levels.add(new ReclaimLevel(ancestor, visited, advantage));
      advantage |= fitsAndReduces(tree, ancestor, demand, rest);
      visited = ancestor;
    }
    return levels.build();
  }

  /**
   * {@return whether the node's own quota suffices for {@code rest}, from which its local quota is
   * then subtracted}
   */
  private static boolean fitsAndReduces(QuotaTree tree, int node, Demand demand, long[] rest) {
    boolean fits = true;
    for (int i = 0; i < rest.length; i++) {
      int column = demand.column(i);
      fits &= !tree.borrowsWith(node, column, rest[i]);
      rest[i] = Math.max(0, rest[i] - tree.localAvailable(node, column));
    }
    return fits;
  }
}
