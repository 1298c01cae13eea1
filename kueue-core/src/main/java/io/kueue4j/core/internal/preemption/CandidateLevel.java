package io.kueue4j.core.internal.preemption;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.Preemption;

/**
 * A part of a preemptor's tree with its candidates: the preemptor's queue, or a cohort above it
 * with its descendants that are not below a lower such cohort.
 *
 * <p>Rules: P-5, P-6, P-11.
 *
 * @param node the queue or cohort
 * @param visited the child of the cohort on the path to the preemptor's queue; unused for the queue
 * @param kind {@link CandidateKind#OWN}, {@link CandidateKind#HIERARCHICAL} if the quota of the
 *     preemptor's side suffices for the demand, else {@link CandidateKind#WITHOUT_BORROWING}
 * @param policy decides which candidates may be preempted
 */
record CandidateLevel(int node, int visited, CandidateKind kind, Preemption.Policy policy) {
  /**
   * {@return the levels at which {@code queue} may find candidates: its own, unless it holds none
   * or its policy forbids it; then from its parent to the root, unless its policy forbids it or no
   * node borrows a needed pair}
   */
  static ImmutableList<CandidateLevel> of(QueueQuota queue, Demand demand) {
    QuotaTree tree = queue.tree();
    ImmutableList.Builder<CandidateLevel> levels = ImmutableList.builder();
    Preemption.Policy within = queue.spec().preemption().withinClusterQueue();
    if (within != Preemption.Policy.NEVER && queue.holderCount() > 0) {
      levels.add(new CandidateLevel(queue.node(), queue.node(), CandidateKind.OWN, within));
    }
    Preemption.Policy reclaim = queue.spec().preemption().reclaimWithinCohort();
    if (!tree.hasParent(queue.node())
        || reclaim == Preemption.Policy.NEVER
        || demand.needed().nextBorrowing(0) == tree.nodeCount()) {
      return levels.build();
    }
    long[] rest = new long[demand.size()];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = demand.amount(i);
    }
    int visited = queue.node();
    boolean advantage = fitsAndReduces(tree, visited, demand, rest);
    while (tree.hasParent(visited)) {
      int ancestor = tree.parent(visited);
      CandidateKind kind = advantage ? CandidateKind.HIERARCHICAL : CandidateKind.WITHOUT_BORROWING;
      levels.add(new CandidateLevel(ancestor, visited, kind, reclaim));
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

  /** {@return whether {@code below} and all its ancestors below the node of this level borrow} */
  boolean borrowsBelow(int below, Demand demand) {
    QuotaTree tree = demand.queue().tree();
    for (int above = below; above != node; above = tree.parent(above)) {
      if (demand.needed().isWithinNominal(above)) {
        return false;
      }
    }
    return true;
  }
}
