package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.TreeLayout;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;

/**
 * Collects all candidates and sorts them. Used if the usage of LocalQueues counts, since indexes
 * are not notified of its changes.
 *
 * <p>Rules: P-4, P-5, P-6, P-7, P-8, P-9, P-10.
 */
final class CollectedCandidates implements ClassicalCandidates {
  private final Preemptor preemptor;
  private final Demand demand;
  private final TreeLayout layout;
  private final List<ClassicalCandidate> inOrder;
  private final EnumSet<CandidateKind> kinds = EnumSet.noneOf(CandidateKind.class);

  CollectedCandidates(Preemptor preemptor, Demand demand, LocalQueueUsage usage) {
    this.preemptor = preemptor;
    this.demand = demand;
    this.layout = preemptor.queue().layout();
    List<ClassicalCandidate> found = new ArrayList<>();
    collectOwn(found);
    ReclaimLevel.of(preemptor.queue(), demand).forEach(level -> collectBelow(level, found));
    found.forEach(candidate -> kinds.add(candidate.kind()));
    CandidateOrder order = new CandidateOrder(preemptor.queue(), usage);
    this.inOrder = order.sorted(found, ClassicalCandidate::holder, (a, b) -> compare(a, b, order));
  }

  private static int compare(ClassicalCandidate a, ClassicalCandidate b, CandidateOrder order) {
    if (a.holder().isEvicted() != b.holder().isEvicted()) {
      return a.holder().isEvicted() ? -1 : 1;
    }
    int byList = Integer.compare(a.kind().list(), b.kind().list());
    return byList != 0 ? byList : order.compare(a.holder(), b.holder());
  }

  @Override
  public boolean hasOthers() {
    return hasHierarchical()
        || kinds.contains(CandidateKind.WITHOUT_BORROWING)
        || kinds.contains(CandidateKind.WHILE_BORROWING);
  }

  @Override
  public boolean hasHierarchical() {
    return kinds.contains(CandidateKind.HIERARCHICAL);
  }

  @Override
  public Iterator<ClassicalCandidate> inOrder(boolean allowsBorrowing) {
    return inOrder.iterator();
  }

  private Preemption policies() {
    return preemptor.queue().compiled().source().preemption();
  }

  private void collectOwn(List<ClassicalCandidate> found) {
    QueueQuota queue = preemptor.queue();
    PreemptionPolicy policy = policies().withinClusterQueue();
    if (policy != PreemptionPolicy.NEVER) {
      preemptor.forEachCandidate(
          queue,
          policy,
          demand,
          holder -> found.add(new ClassicalCandidate(holder, CandidateKind.OWN, queue.node())));
    }
  }

  private void collectBelow(ReclaimLevel level, List<ClassicalCandidate> found) {
    Deque<Integer> open = new ArrayDeque<>(List.of(level.ancestor()));
    while (!open.isEmpty()) {
      int above = open.pop();
      int[] queues = layout.childQueues(above);
      // The nodes are consecutive, so borrowing ones are found without visiting the others.
      int last = queues.length == 0 ? -1 : queues[queues.length - 1];
      for (int node = queues.length == 0 ? 0 : demand.needed().nextBorrowing(queues[0]);
          node <= last;
          node = demand.needed().nextBorrowing(node + 1)) {
        if (node != level.visited() && layout.queue(node).isActive()) {
          collect(layout.queue(node), level, found);
        }
      }
      for (int node : layout.childCohorts(above)) {
        if (node != level.visited() && !demand.needed().isWithinNominal(node)) {
          open.push(node);
        }
      }
    }
  }

  private void collect(QueueQuota queue, ReclaimLevel level, List<ClassicalCandidate> found) {
    preemptor.forEachCandidate(
        queue,
        policies().reclaimWithinCohort(),
        demand,
        holder -> found.add(new ClassicalCandidate(
            holder,
            CandidateKind.ofOther(holder, preemptor, level.advantage()),
            level.ancestor())));
  }
}
