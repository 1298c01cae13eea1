package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The search for victims without fair sharing.
 *
 * <p>Rules: P-5, P-6, P-7, P-8, P-9, P-10, P-11, P-12, P-13, P-14, P-15, P-16, P-17, P-20.
 */
final class ClassicalVictimSearch {
  /** P-7. */
  private enum Kind {
    WITHIN_QUEUE,
    HIERARCHICAL_RECLAIM,
    RECLAIM_WITHOUT_BORROWING,
    RECLAIM_WHILE_BORROWING;

    /** P-20. */
    PreemptionReason reason() {
      return switch (this) {
        case WITHIN_QUEUE -> PreemptionReason.IN_CLUSTER_QUEUE;
        case HIERARCHICAL_RECLAIM, RECLAIM_WITHOUT_BORROWING ->
          PreemptionReason.IN_COHORT_RECLAMATION;
        case RECLAIM_WHILE_BORROWING -> PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING;
      };
    }
  }

  /** A possible victim, and the lowest common cohort of it and the preemptor. */
  private record Candidate(
      Holder holder, Kind kind, @Nullable String lowestCommonAncestor) {}

  private final Snapshot snapshot;
  private final Job preemptor;
  private final Node queue;
  private final Demand demand;
  private final Preemption policy;
  private final List<Candidate> hierarchical = new ArrayList<>();
  private final List<Candidate> priority = new ArrayList<>();
  private final List<Candidate> own = new ArrayList<>();

  ClassicalVictimSearch(
      Specs specs, Snapshot snapshot, Job preemptor, String queue, Demand demand) {
    this.snapshot = snapshot;
    this.preemptor = preemptor;
    this.queue = snapshot.queue(queue);
    this.demand = demand;
    this.policy = specs.queue(queue).preemption();
  }

  ImmutableList<Victim> find() {
    collectOwn();
    collectOthers();
    List<Candidate> sequence = sequence();
    for (boolean allowsBorrowing : attempts()) {
      ImmutableList<Victim> victims = attempt(sequence, allowsBorrowing);
      if (!victims.isEmpty()) {
        return victims;
      }
    }
    return ImmutableList.of();
  }

  /** P-5. */
  private void collectOwn() {
    VictimSearch.candidates(queue, preemptor, demand, policy.withinClusterQueue())
        .forEach(holder -> own.add(new Candidate(holder, Kind.WITHIN_QUEUE, null)));
  }

  /** P-6. */
  private void collectOthers() {
    if (queue.parent == null || policy.reclaimWithinCohort() == Preemption.Policy.NEVER) {
      return;
    }
    boolean hasAdvantage = queue.fitsInQuota(demand.requests());
    Map<FlavorResource, Long> rest = queue.beyondLocal(demand.requests());
    Node below = queue;
    for (Node ancestor : queue.ancestors()) {
      collectBelow(ancestor, below, ancestor.name, hasAdvantage);
      hasAdvantage |= ancestor.fitsInQuota(rest);
      rest = ancestor.beyondLocal(rest);
      below = ancestor;
    }
  }

  private void collectBelow(Node cohort, Node except, String lowest, boolean isHierarchical) {
    for (Node child : cohort.children) {
      if (child == except || child.isWithinNominal(demand.needed())) {
        continue;
      }
      if (!child.isQueue) {
        collectBelow(child, except, lowest, isHierarchical);
        continue;
      }
      for (Holder holder :
          VictimSearch.candidates(child, preemptor, demand, policy.reclaimWithinCohort())) {
        Kind kind = isHierarchical ? Kind.HIERARCHICAL_RECLAIM : kindByPriority(holder.job());
        (isHierarchical ? hierarchical : priority).add(new Candidate(holder, kind, lowest));
      }
    }
  }

  /** P-7. */
  private Kind kindByPriority(Job candidate) {
    boolean tooHigh = candidate.priority() >= preemptor.priority()
        || (policy.maxPriorityThreshold().isPresent()
            && candidate.priority() > policy.maxPriorityThreshold().getAsInt());
    return isBorrowingForbidden() || tooHigh
        ? Kind.RECLAIM_WITHOUT_BORROWING
        : Kind.RECLAIM_WHILE_BORROWING;
  }

  private boolean isBorrowingForbidden() {
    return policy.borrowWithinCohort() == Preemption.Policy.NEVER;
  }

  /** P-10. */
  private List<Candidate> sequence() {
    List<Candidate> sequence = new ArrayList<>();
    for (boolean evicted : new boolean[] {true, false}) {
      for (List<Candidate> candidates : List.of(hierarchical, priority, own)) {
        List<Candidate> some = candidates.stream()
            .filter(candidate -> candidate.holder().job().isEvicted() == evicted)
            .toList();
        sequence.addAll(VictimSearch.inOrder(some, Candidate::holder, queue.name));
      }
    }
    return sequence;
  }

  /** P-12. */
  private List<Boolean> attempts() {
    boolean isBelowNominal =
        demand.needed().stream().allMatch(pair -> queue.usage(pair) < queue.subtree(pair));
    boolean hasOthers = !hierarchical.isEmpty() || !priority.isEmpty();
    if (!hasOthers || (isBorrowingForbidden() && !isBelowNominal)) {
      return List.of(true);
    }
    return isBorrowingForbidden() && hierarchical.isEmpty()
        ? List.of(false, true)
        : List.of(true, false);
  }

  /** P-13. */
  private ImmutableList<Victim> attempt(List<Candidate> sequence, boolean allowsBorrowing) {
    Snapshot trial = snapshot.copy();
    List<Victim> victims = new ArrayList<>();
    for (Candidate candidate : sequence) {
      if (isValid(candidate, trial, allowsBorrowing)) {
        trial.remove(candidate.holder());
        victims.add(new Victim(candidate.holder(), candidate.kind().reason()));
        if (fits(trial, allowsBorrowing)) {
          return VictimSearch.fillBack(victims, trial, each -> fits(each, allowsBorrowing));
        }
      }
    }
    return ImmutableList.of();
  }

  private boolean fits(Snapshot trial, boolean allowsBorrowing) {
    Node node = trial.queue(queue.name);
    return trial.fits(queue.name, demand.requests())
        && (allowsBorrowing
            || demand.requests().entrySet().stream()
                .noneMatch(request -> node.isBorrowingWith(request.getKey(), request.getValue())))
        && demand.hasPlace().test(trial);
  }

  /** P-11. */
  private boolean isValid(Candidate candidate, Snapshot trial, boolean allowsBorrowing) {
    if (candidate.kind() == Kind.WITHIN_QUEUE) {
      return true;
    }
    if (allowsBorrowing && candidate.kind() == Kind.RECLAIM_WITHOUT_BORROWING) {
      return false;
    }
    Node node = trial.queue(candidate.holder().queue());
    while (node.isQueue || !node.name.equals(candidate.lowestCommonAncestor())) {
      if (node.isWithinNominal(demand.needed())) {
        return false;
      }
      node = Objects.requireNonNull(node.parent);
    }
    return true;
  }
}
