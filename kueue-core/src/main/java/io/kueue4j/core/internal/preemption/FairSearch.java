package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.FairSharingStrategy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds victims under fair sharing, in the queues with the largest shares of the cohort.
 *
 * <p>Rules: H-14, H-15, H-16, H-23, H-24, H-25.
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
   * @param usage the past usage of LocalQueues, for ClusterQueues that it orders
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
    QuotaTree tree = preemptor.queue().tree();
    CandidateOrder order = new CandidateOrder(preemptor.queue(), usage);
    FairContests contests = contests(preemptor.queue(), demand, order);
    contests.refresh(Set.of());
    int checkpoint = tree.checkpoint();
    try {
      demand.charge();
      return take(new FairPasses(preemptor, demand, contests, order), preemptor, demand);
    } finally {
      tree.rollback(checkpoint);
    }
  }

  private List<Victim> take(FairPasses passes, Preemptor preemptor, Demand demand) {
    boolean unconditional = withinNominalNeedsNoShare
        && demand.needed().isWithinNominal(preemptor.queue().node());
    boolean fits = passes.first(strategies.get(0), unconditional)
        || (strategies.size() > 1 && passes.second());
    if (!fits) {
      return List.of();
    }
    demand.uncharge();
    FillBack.apply(passes.victims(), demand, true);
    return passes.victims();
  }

  /**
   * {@return the contests among other queues: those kept with the tree, or new ones if the usage of
   * LocalQueues counts, because indexes are not notified of its changes}
   */
  private FairContests contests(QueueQuota queue, Demand demand, CandidateOrder order) {
    if (!CandidateOrder.mayCount(usage)) {
      return CandidateIndex.of(queue, demand.needed()).fairContests();
    }
    Map<Integer, CandidateList> sorted = new HashMap<>();
    return new FairContests(
        queue.tree(),
        queue.layout(),
        demand.needed(),
        node -> sorted.computeIfAbsent(
            node,
            unused -> new SortedCandidates(queue.layout().queue(node), demand.needed(), order)));
  }
}
