package io.kueue4j.core.internal.preemption;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Finds victims without fair sharing: takes candidates one after another until the workload fits,
 * then puts back those that are not needed. Greedy; the set is not minimal in size. If victims have
 * a cost, takes a few alternatives besides, and chooses the cheapest set.
 *
 * <p>Rules: P-12, P-13, P-14, P-15, P-16, P-17, P-18, PL-5.
 *
 * @param preemptor the workload that needs victims
 * @param demand what it needs
 * @param usage counts for ClusterQueues whose LocalQueues it orders
 */
record ClassicalSearch(Preemptor preemptor, Demand demand, LocalQueueUsage usage) {
  /**
   * Searches for victims. Usage is unchanged when it returns.
   *
   * @return the victims, empty if no set of candidates suffices
   */
  List<Victim> search() {
    ImmutableList<CandidateLevel> levels = CandidateLevel.of(preemptor.queue(), demand);
    if (levels.isEmpty()) {
      return List.of();
    }
    CandidateIndex index = CandidateIndex.of(preemptor, demand.needed(), usage);
    index.refresh();
    for (boolean allowsBorrowing : attempts(index, levels)) {
      List<Victim> victims = attempt(candidates(index, levels, allowsBorrowing), allowsBorrowing);
      if (!victims.isEmpty()) {
        return victims;
      }
    }
    return List.of();
  }

  private boolean neverWhileBorrowing() {
    return preemptor.queue().spec().preemption().borrowWithinCohort() == Preemption.Policy.NEVER;
  }

  /** {@return the permissions to borrow with which the search is tried, one after another} */
  private List<Boolean> attempts(CandidateIndex index, ImmutableList<CandidateLevel> levels) {
    if (neverWhileBorrowing()
        && !demand.needed().isBelowNominal(preemptor.queue().node())) {
      return List.of(true);
    }
    if (!demand.mayFitWithoutBorrowing(() ->
        index.allowed(preemptor.queue().node(), preemptor, PreemptionReason.IN_CLUSTER_QUEUE))) {
      return List.of(true);
    }
    boolean hierarchical = hasAny(CandidateKind.HIERARCHICAL, index, levels);
    if (!hierarchical && !hasAny(CandidateKind.WITHOUT_BORROWING, index, levels)) {
      return List.of(true);
    }
    return neverWhileBorrowing() && !hierarchical ? List.of(false, true) : List.of(true, false);
  }

  /** {@return whether there is a candidate of a level of that kind} */
  private boolean hasAny(
      CandidateKind kind, CandidateIndex index, ImmutableList<CandidateLevel> levels) {
    return candidates(index, Iterables.filter(levels, level -> level.kind() == kind), false)
        .hasNext();
  }

  private Iterator<Victim> candidates(
      CandidateIndex index, Iterable<CandidateLevel> levels, boolean allowsBorrowing) {
    boolean noneByPriority = allowsBorrowing && neverWhileBorrowing();
    return new ClassicalCandidates(
        index,
        preemptor,
        demand,
        noneByPriority
            ? Iterables.filter(levels, level -> level.kind() != CandidateKind.WITHOUT_BORROWING)
            : levels,
        allowsBorrowing);
  }

  /** Takes further candidates of the kind and priority of the last one, up to a number. */
  private void takeAlternatives(Iterator<Victim> candidates, List<Victim> victims) {
    Victim last = victims.get(victims.size() - 1);
    while (victims.size() < CheapestVictims.EXACT && candidates.hasNext()) {
      Victim next = candidates.next();
      if (next.reason() != last.reason()
          || next.holder().priority() != last.holder().priority()) {
        return;
      }
      demand.takeOut(next.holder());
      victims.add(next);
    }
  }

  private List<Victim> attempt(Iterator<Victim> candidates, boolean allowsBorrowing) {
    return preemptor.queue().tree().inTrial(() -> {
      List<Victim> victims = new ArrayList<>();
      while (candidates.hasNext()) {
        Victim candidate = candidates.next();
        demand.takeOut(candidate.holder());
        victims.add(candidate);
        if (demand.fits(allowsBorrowing)) {
          if (preemptor.choosesByCost()) {
            takeAlternatives(candidates, victims);
          }
          preemptor.fillBack(demand, victims, allowsBorrowing);
          return victims;
        }
      }
      return List.of();
    });
  }
}
