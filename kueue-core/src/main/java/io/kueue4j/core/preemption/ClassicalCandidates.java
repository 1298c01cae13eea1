package io.kueue4j.core.preemption;

import io.kueue4j.core.fairness.LocalQueueUsage;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.quota.TreeLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The workloads that one could be admitted for by preempting them, in the order in which they are
 * taken.
 *
 * <p>Rules: P-4 … P-10.
 */
final class ClassicalCandidates {
  /** How a candidate came to be one, in the order of preemption. */
  enum Kind {
    /** Of another queue, where the preemptor's side has the quota. */
    HIERARCHICAL(PreemptionReason.IN_COHORT_RECLAMATION),
    /** Of another queue; only as long as the preemptor's queue does not borrow. */
    WITHOUT_BORROWING(PreemptionReason.IN_COHORT_RECLAMATION),
    /** Of another queue, low enough in priority to be preempted while borrowing. */
    WHILE_BORROWING(PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING),
    /** Of the same queue. */
    OWN(PreemptionReason.IN_CLUSTER_QUEUE);

    private final PreemptionReason reason;

    Kind(PreemptionReason reason) {
      this.reason = reason;
    }

    PreemptionReason reason() {
      return reason;
    }

    /** {@return its list: hierarchical, then by priority, then the own queue's} */
    int list() {
      return this == HIERARCHICAL ? 0 : this == OWN ? 2 : 1;
    }
  }

  /**
   * A candidate.
   *
   * @param holder the workload and what it holds
   * @param kind how it came to be one
   * @param commonAncestor the lowest cohort above both its queue and the preemptor's; no matter for
   *     the own queue
   */
  record Candidate(QuotaHolder holder, Kind kind, int commonAncestor) {}

  private final Preemptor preemptor;
  private final Demand demand;
  private final QuotaTree tree;
  private final TreeLayout layout;
  private final List<Candidate> found = new ArrayList<>();

  ClassicalCandidates(Preemptor preemptor, Demand demand) {
    this.preemptor = preemptor;
    this.demand = demand;
    this.tree = preemptor.queue().tree();
    this.layout = preemptor.queue().layout();
  }

  List<Candidate> inOrder(LocalQueueUsage usage) {
    collectOwn();
    collectOthers();
    CandidateOrder order = new CandidateOrder(preemptor.queue(), usage);
    return order.sorted(
        found,
        Candidate::holder,
        Comparator.comparing((Candidate candidate) -> !candidate.holder.isEvicted())
            .thenComparingInt(candidate -> candidate.kind.list())
            .thenComparing(Candidate::holder, order));
  }

  private void collectOwn() {
    QueueQuota queue = preemptor.queue();
    PreemptionPolicy policy = queue.compiled().source().preemption().withinClusterQueue();
    if (policy != PreemptionPolicy.NEVER) {
      collect(queue, policy, queue.node(), true);
    }
  }

  private void collectOthers() {
    QueueQuota queue = preemptor.queue();
    if (queue.compiled().source().preemption().reclaimWithinCohort() == PreemptionPolicy.NEVER) {
      return;
    }
    long[] rest = new long[demand.size()];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = demand.amount(i);
    }
    int visited = queue.node();
    boolean advantage = fitsAndReduces(visited, rest);
    while (tree.hasParent(visited)) {
      int ancestor = tree.parent(visited);
      collectBelow(ancestor, visited, ancestor, advantage);
      advantage |= fitsAndReduces(ancestor, rest);
      visited = ancestor;
    }
  }

  /**
   * {@return whether the node's own quota takes {@code rest}, of which what it does not lend is
   * then taken off}
   */
  private boolean fitsAndReduces(int node, long[] rest) {
    boolean fits = true;
    for (int i = 0; i < rest.length; i++) {
      int column = demand.column(i);
      fits &= !tree.borrowsWith(node, column, rest[i]);
      rest[i] = Math.max(0, rest[i] - tree.localAvailable(node, column));
    }
    return fits;
  }

  private void collectBelow(int cohort, int visited, int commonAncestor, boolean advantage) {
    PreemptionPolicy policy =
        preemptor.queue().compiled().source().preemption().reclaimWithinCohort();
    for (int node : layout.childQueues(cohort)) {
      if (node != visited && layout.queue(node).isActive() && !demand.isWithinNominal(node)) {
        collect(layout.queue(node), policy, commonAncestor, advantage);
      }
    }
    for (int node : layout.childCohorts(cohort)) {
      if (node != visited && !demand.isWithinNominal(node)) {
        collectBelow(node, visited, commonAncestor, advantage);
      }
    }
  }

  private void collect(
      QueueQuota queue, PreemptionPolicy policy, int commonAncestor, boolean advantage) {
    for (QuotaHolder holder : queue.holders()) {
      if (!holder.isSetAside() && preemptor.mayPreempt(holder, policy) && demand.concerns(holder)) {
        found.add(new Candidate(holder, kind(holder, advantage), commonAncestor));
      }
    }
  }

  private Kind kind(QuotaHolder holder, boolean advantage) {
    if (holder.queue().equals(preemptor.queue())) {
      return Kind.OWN;
    }
    if (advantage) {
      return Kind.HIERARCHICAL;
    }
    var preemption = preemptor.queue().compiled().source().preemption();
    long priority = holder.workload().priority();
    boolean tooHigh = priority >= preemptor.workload().priority()
        || (preemption.maxPriorityThreshold().isPresent()
            && priority > preemption.maxPriorityThreshold().getAsInt());
    return preemption.borrowWithinCohort() == PreemptionPolicy.NEVER || tooHigh
        ? Kind.WITHOUT_BORROWING
        : Kind.WHILE_BORROWING;
  }
}
