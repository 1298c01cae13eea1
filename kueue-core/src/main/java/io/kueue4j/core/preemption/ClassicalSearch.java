package io.kueue4j.core.preemption;

import io.kueue4j.core.fairness.LocalQueueUsage;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.preemption.ClassicalCandidates.Candidate;
import io.kueue4j.core.preemption.ClassicalCandidates.Kind;
import io.kueue4j.core.quota.QuotaTree;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds victims without fair sharing: candidates are taken one after another until the workload
 * fits, then those are put back that were not needed. Greedy, not the smallest set.
 *
 * <p>Rules: P-11 … P-18.
 */
final class ClassicalSearch implements VictimSearch {
  private final LocalQueueUsage usage;

  /** Creates the search; usage counts for ClusterQueues that are served by it. */
  ClassicalSearch(LocalQueueUsage usage) {
    this.usage = usage;
  }

  @Override
  public List<Victim> search(Preemptor preemptor, Demand demand) {
    ClassicalCandidates found = new ClassicalCandidates(preemptor, demand);
    Selection<Candidate> candidates = found.inOrder(usage);
    if (candidates.isEmpty()) {
      return List.of();
    }
    for (boolean allowsBorrowing : attempts(preemptor, demand, found)) {
      List<Victim> victims = attempt(candidates, demand, allowsBorrowing);
      if (!victims.isEmpty()) {
        return victims;
      }
    }
    return List.of();
  }

  /** {@return with which permissions to borrow the search is tried, one after another} */
  private static List<Boolean> attempts(
      Preemptor preemptor, Demand demand, ClassicalCandidates candidates) {
    boolean neverWhileBorrowing =
        preemptor.queue().compiled().source().preemption().borrowWithinCohort()
            == PreemptionPolicy.NEVER;
    if (!candidates.hasOthers() || (neverWhileBorrowing && !demand.isBelowNominal())) {
      return List.of(true);
    }
    return neverWhileBorrowing && !candidates.has(Kind.HIERARCHICAL)
        ? List.of(false, true)
        : List.of(true, false);
  }

  private static List<Victim> attempt(
      Selection<Candidate> candidates, Demand demand, boolean allowsBorrowing) {
    QuotaTree tree = demand.queue().tree();
    int checkpoint = tree.checkpoint();
    try {
      return take(candidates, demand, allowsBorrowing);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private static List<Victim> take(
      Selection<Candidate> candidates, Demand demand, boolean allowsBorrowing) {
    List<Victim> victims = new ArrayList<>();
    boolean fits = false;
    for (int i = 0; i < candidates.size() && !fits; i++) {
      Candidate candidate = candidates.get(i);
      if (isValid(candidate, demand, allowsBorrowing)) {
        candidate.holder().uncharge();
        victims.add(new Victim(candidate.holder(), candidate.kind().reason()));
        fits = demand.fits(allowsBorrowing);
      }
    }
    if (fits) {
      FillBack.apply(victims, demand, allowsBorrowing);
    }
    return fits ? victims : List.of();
  }

  /** {@return whether the candidate may still be taken, after those taken before it} */
  private static boolean isValid(Candidate candidate, Demand demand, boolean allowsBorrowing) {
    if (candidate.kind() == Kind.OWN) {
      return true;
    }
    if (allowsBorrowing && candidate.kind() == Kind.WITHOUT_BORROWING) {
      return false;
    }
    QuotaTree tree = demand.queue().tree();
    for (int node = candidate.holder().queue().node();
        node != candidate.commonAncestor();
        node = tree.parent(node)) {
      if (demand.isWithinNominal(node)) {
        return false;
      }
    }
    return true;
  }
}
