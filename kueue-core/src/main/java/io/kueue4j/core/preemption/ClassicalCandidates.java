package io.kueue4j.core.preemption;

import io.kueue4j.core.fairness.LocalQueueUsage;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.quota.TreeLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
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
  private final EnumSet<Kind> kinds = EnumSet.noneOf(Kind.class);

  ClassicalCandidates(Preemptor preemptor, Demand demand) {
    this.preemptor = preemptor;
    this.demand = demand;
    this.tree = preemptor.queue().tree();
    this.layout = preemptor.queue().layout();
  }

  Selection<Candidate> inOrder(LocalQueueUsage usage) {
    collectOwn();
    collectOthers();
    CandidateOrder order = new CandidateOrder(preemptor.queue(), usage);
    return order.select(found, Candidate::holder, (a, b) -> compare(a, b, order));
  }

  private static int compare(Candidate a, Candidate b, CandidateOrder order) {
    if (a.holder.isEvicted() != b.holder.isEvicted()) {
      return a.holder.isEvicted() ? -1 : 1;
    }
    int byList = Integer.compare(a.kind.list(), b.kind.list());
    return byList != 0 ? byList : order.compare(a.holder, b.holder);
  }

  /** {@return whether some candidate is of that kind} */
  boolean has(Kind kind) {
    return kinds.contains(kind);
  }

  /** {@return whether some candidate is of another queue} */
  boolean hasOthers() {
    return has(Kind.HIERARCHICAL) || has(Kind.WITHOUT_BORROWING) || has(Kind.WHILE_BORROWING);
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
    Deque<Integer> open = new ArrayDeque<>(List.of(cohort));
    while (!open.isEmpty()) {
      int above = open.pop();
      int[] queues = layout.childQueues(above);
      // Numbers that follow one another: who borrows is found without a look at the others.
      int last = queues.length == 0 ? -1 : queues[queues.length - 1];
      for (int node = queues.length == 0 ? 0 : demand.nextBorrowing(queues[0]);
          node <= last;
          node = demand.nextBorrowing(node + 1)) {
        if (node != visited && layout.queue(node).isActive()) {
          collect(layout.queue(node), policy, commonAncestor, advantage);
        }
      }
      for (int node : layout.childCohorts(above)) {
        if (node != visited && !demand.isWithinNominal(node)) {
          open.push(node);
        }
      }
    }
  }

  private void collect(
      QueueQuota queue, PreemptionPolicy policy, int commonAncestor, boolean advantage) {
    preemptor.forEachCandidate(queue, policy, demand, holder -> {
      Kind kind = kind(holder, advantage);
      kinds.add(kind);
      found.add(new Candidate(holder, kind, commonAncestor));
    });
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
