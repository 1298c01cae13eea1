package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeLayout;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.Preemption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Rules P-4, P-5, P-6, P-7, P-8, P-9, P-10, P-11, P-12, P-13 and P-15, implemented literally:
 * collects and sorts all candidates.
 */
final class NaiveClassicalSearch {
  private final Preemptor preemptor;
  private final Demand demand;
  private final QuotaTree tree;
  private final TreeLayout layout;
  private final Preemption policies;
  private final List<Candidate> candidates = new ArrayList<>();

  /** A candidate with the lowest cohort that is above its queue and the preemptor's. */
  private record Candidate(QuotaHolder holder, CandidateKind kind, int commonAncestor) {
    int list() {
      return kind == CandidateKind.HIERARCHICAL ? 0 : kind == CandidateKind.OWN ? 2 : 1;
    }
  }

  NaiveClassicalSearch(Preemptor preemptor, Demand demand, LocalQueueUsage usage) {
    QueueQuota own = preemptor.queue();
    this.preemptor = preemptor;
    this.demand = demand;
    this.tree = own.tree();
    this.layout = own.tree().layout();
    this.policies = own.compiled().source().preemption();
    collect(own, CandidateKind.OWN, own.node());
    if (tree.hasParent(own.node()) && policies.reclaimWithinCohort() != Preemption.Policy.NEVER) {
      collectOthers();
    }
    Comparator<Candidate> order = Comparator.comparing(
            (Candidate candidate) -> !candidate.holder.isEvicted())
        .thenComparingInt(Candidate::list)
        .thenComparing(Candidate::holder, new NaiveOrder(own, usage));
    List<Candidate> sorted = NaiveOrder.sorted(candidates, Candidate::holder, order);
    candidates.clear();
    candidates.addAll(sorted);
  }

  private void collectOthers() {
    long[] rest = new long[demand.size()];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = demand.amount(i);
    }
    boolean advantage = false;
    for (int below = preemptor.queue().node(); tree.hasParent(below); below = tree.parent(below)) {
      boolean fits = true;
      for (int i = 0; i < rest.length; i++) {
        fits &= !tree.borrowsWith(below, demand.column(i), rest[i]);
        rest[i] = Math.max(0, rest[i] - tree.localAvailable(below, demand.column(i)));
      }
      advantage |= fits;
      collectBelow(tree.parent(below), below, advantage);
    }
  }

  private void collectBelow(int ancestor, int visited, boolean advantage) {
    Deque<Integer> open = new ArrayDeque<>(List.of(ancestor));
    while (!open.isEmpty()) {
      int above = open.pop();
      for (int node : PreemptionFixture.children(tree, above, true)) {
        if (node != visited
            && !demand.needed().isWithinNominal(node)
            && layout.queue(node).isActive()) {
          CandidateKind kind =
              advantage ? CandidateKind.HIERARCHICAL : CandidateKind.WITHOUT_BORROWING;
          collect(layout.queue(node), kind, ancestor);
        }
      }
      for (int node : PreemptionFixture.children(tree, above, false)) {
        if (node != visited && !demand.needed().isWithinNominal(node)) {
          open.push(node);
        }
      }
    }
  }

  private void collect(QueueQuota queue, CandidateKind kind, int ancestor) {
    for (QuotaHolder holder : PreemptionFixture.candidates(preemptor, queue, demand)) {
      boolean isLowEnough = policies.borrowWithinCohort() != Preemption.Policy.NEVER
          && holder.workload().priority() < preemptor.workload().priority()
          && holder.workload().priority()
              <= policies.maxPriorityThreshold().orElse(Integer.MAX_VALUE);
      candidates.add(new Candidate(
          holder,
          kind == CandidateKind.WITHOUT_BORROWING && isLowEnough
              ? CandidateKind.WHILE_BORROWING
              : kind,
          ancestor));
    }
  }

  List<Victim> search() {
    for (boolean allowsBorrowing : attempts()) {
      List<Victim> victims = attempt(allowsBorrowing);
      if (!victims.isEmpty()) {
        return victims;
      }
    }
    return List.of();
  }

  private List<Boolean> attempts() {
    boolean never = policies.borrowWithinCohort() == Preemption.Policy.NEVER;
    if (candidates.stream().allMatch(candidate -> candidate.kind == CandidateKind.OWN)
        || (never && !demand.needed().isBelowNominal(preemptor.queue().node()))) {
      return List.of(true);
    }
    return never
            && candidates.stream()
                .noneMatch(candidate -> candidate.kind == CandidateKind.HIERARCHICAL)
        ? List.of(false, true)
        : List.of(true, false);
  }

  private List<Victim> attempt(boolean allowsBorrowing) {
    int checkpoint = tree.checkpoint();
    try {
      List<Victim> victims = new ArrayList<>();
      for (Candidate candidate : candidates) {
        if (isValid(candidate, allowsBorrowing)) {
          demand.takeOut(candidate.holder);
          victims.add(new Victim(candidate.holder, candidate.kind.reason()));
          if (demand.fits(allowsBorrowing)) {
            demand.fillBack(victims, allowsBorrowing);
            return victims;
          }
        }
      }
      return List.of();
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private boolean isValid(Candidate candidate, boolean allowsBorrowing) {
    if (candidate.kind == CandidateKind.OWN) {
      return true;
    }
    boolean borrows = !(allowsBorrowing && candidate.kind == CandidateKind.WITHOUT_BORROWING);
    for (int node = demand.queue().tree().layout().queueOf(candidate.holder).node();
        node != candidate.commonAncestor;
        node = tree.parent(node)) {
      borrows &= !demand.needed().isWithinNominal(node);
    }
    return borrows;
  }

  /** {@return the candidates that may be taken in the present state, in order} */
  List<Victim> valid(boolean allowsBorrowing) {
    return candidates.stream()
        .filter(candidate -> isValid(candidate, allowsBorrowing))
        .map(candidate -> new Victim(candidate.holder, candidate.kind.reason()))
        .toList();
  }
}
