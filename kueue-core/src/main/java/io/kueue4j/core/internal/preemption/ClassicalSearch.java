package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Finds victims without fair sharing: takes candidates one after another until the workload fits,
 * then puts back those that are not needed. Greedy; the set is not minimal in size.
 *
 * <p>Rules: P-11, P-12, P-13, P-14, P-15, P-16, P-17, P-18.
 */
final class ClassicalSearch implements VictimSearch {
  private final LocalQueueUsage usage;

  /** Creates the search; {@code usage} counts for ClusterQueues whose LocalQueues it orders. */
  ClassicalSearch(LocalQueueUsage usage) {
    this.usage = usage;
  }

  @Override
  public List<Victim> search(Preemptor preemptor, Demand demand) {
    ClassicalCandidates candidates = CandidateOrder.mayCount(usage)
        ? new CollectedCandidates(preemptor, demand, usage)
        : IndexedCandidates.find(preemptor, demand);
    if (candidates == null) {
      return List.of();
    }
    for (boolean allowsBorrowing : attempts(preemptor, demand, candidates)) {
      List<Victim> victims = attempt(candidates, demand, allowsBorrowing);
      if (!victims.isEmpty()) {
        return victims;
      }
    }
    return List.of();
  }

  /** {@return the permissions to borrow with which the search is tried, one after another} */
  private static List<Boolean> attempts(
      Preemptor preemptor, Demand demand, ClassicalCandidates candidates) {
    QueueQuota queue = preemptor.queue();
    boolean neverWhileBorrowing =
        queue.compiled().source().preemption().borrowWithinCohort() == PreemptionPolicy.NEVER;
    if ((neverWhileBorrowing && !demand.needed().isBelowNominal(queue.node()))
        || !candidates.hasOthers()) {
      return List.of(true);
    }
    return neverWhileBorrowing && !candidates.hasHierarchical()
        ? List.of(false, true)
        : List.of(true, false);
  }

  private static List<Victim> attempt(
      ClassicalCandidates candidates, Demand demand, boolean allowsBorrowing) {
    QuotaTree tree = demand.queue().tree();
    int checkpoint = tree.checkpoint();
    try {
      return take(candidates.inOrder(allowsBorrowing), demand, allowsBorrowing);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private static List<Victim> take(
      Iterator<ClassicalCandidate> candidates, Demand demand, boolean allowsBorrowing) {
    List<Victim> victims = new ArrayList<>();
    boolean fits = false;
    while (!fits && candidates.hasNext()) {
      ClassicalCandidate candidate = candidates.next();
      if (isValid(candidate, demand, allowsBorrowing)) {
        demand.takeOut(candidate.holder());
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
  static boolean isValid(ClassicalCandidate candidate, Demand demand, boolean allowsBorrowing) {
    if (candidate.kind() == CandidateKind.OWN) {
      return true;
    }
    if (allowsBorrowing && candidate.kind() == CandidateKind.WITHOUT_BORROWING) {
      return false;
    }
    return borrowsBelow(candidate.commonAncestor(), candidate.holder().queue().node(), demand);
  }

  /** {@return whether {@code node} and all its ancestors below {@code ancestor} borrow} */
  static boolean borrowsBelow(int ancestor, int node, Demand demand) {
    QuotaTree tree = demand.queue().tree();
    for (int above = node; above != ancestor; above = tree.parent(above)) {
      if (demand.needed().isWithinNominal(above)) {
        return false;
      }
    }
    return true;
  }
}
