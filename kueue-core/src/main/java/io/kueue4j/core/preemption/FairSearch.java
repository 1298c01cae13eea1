package io.kueue4j.core.preemption;

import io.kueue4j.core.fairness.LocalQueueUsage;
import io.kueue4j.core.model.FairSharingStrategy;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.quota.TreeLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds victims under fair sharing: from those who have taken the largest share of the cohort.
 *
 * <p>Rules: H-14 … H-16, H-23 … H-25.
 */
final class FairSearch implements VictimSearch {
  private final List<FairSharingStrategy> strategies;
  private final boolean withinNominalNeedsNoShare;
  private final LocalQueueUsage usage;

  /**
   * Creates the search.
   *
   * @param strategies one or two strategies, tried in this order
   * @param withinNominalNeedsNoShare whether a queue within its nominal quota preempts without
   *     comparing shares
   * @param usage what LocalQueues have used, for ClusterQueues that are served by it
   */
  FairSearch(
      List<FairSharingStrategy> strategies,
      boolean withinNominalNeedsNoShare,
      LocalQueueUsage usage) {
    this.strategies = strategies;
    this.withinNominalNeedsNoShare = withinNominalNeedsNoShare;
    this.usage = usage;
  }

  @Override
  public List<Victim> search(Preemptor preemptor, Demand demand) {
    CandidateOrder order = new CandidateOrder(preemptor.queue(), usage);
    List<QuotaHolder> candidates =
        order.sorted(candidates(preemptor, demand), holder -> holder, order);
    if (candidates.isEmpty()) {
      return List.of();
    }
    QuotaTree tree = preemptor.queue().tree();
    int checkpoint = tree.checkpoint();
    try {
      return take(candidates, preemptor, demand, order);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private List<Victim> take(
      List<QuotaHolder> candidates, Preemptor preemptor, Demand demand, CandidateOrder order) {
    demand.charge();
    boolean unconditional = withinNominalNeedsNoShare
        && demand.needed().isWithinNominal(preemptor.queue().node());
    FairPasses passes = new FairPasses(preemptor.queue(), demand, order);
    boolean fits = passes.first(candidates, strategies.get(0), unconditional)
        || (strategies.size() > 1 && passes.second());
    List<Victim> victims = passes.victims();
    demand.uncharge();
    if (fits) {
      FillBack.apply(victims, demand, true);
    }
    return fits ? victims : List.of();
  }

  private static List<QuotaHolder> candidates(Preemptor preemptor, Demand demand) {
    List<QuotaHolder> found = new ArrayList<>();
    QueueQuota own = preemptor.queue();
    PreemptionPolicy within = own.compiled().source().preemption().withinClusterQueue();
    preemptor.forEachCandidate(own, within, demand, found::add);
    PreemptionPolicy reclaim = own.compiled().source().preemption().reclaimWithinCohort();
    if (own.tree().hasParent(own.node()) && reclaim != PreemptionPolicy.NEVER) {
      TreeLayout layout = own.layout();
      for (int node = demand.needed().nextBorrowing(0);
          node < own.tree().nodeCount();
          node = demand.needed().nextBorrowing(node + 1)) {
        if (layout.isQueue(node) && node != own.node() && layout.queue(node).isActive()) {
          preemptor.forEachCandidate(layout.queue(node), reclaim, demand, found::add);
        }
      }
    }
    return found;
  }
}
