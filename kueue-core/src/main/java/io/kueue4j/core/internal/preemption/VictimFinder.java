package io.kueue4j.core.internal.preemption;

import com.google.common.primitives.Longs;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ReplacedSlice;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.resource.Amount;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds victims among the workloads that hold quota now.
 *
 * <p>Rules: F-17, P-1, P-2, P-21, PL-1, PL-2, T-71, E-5, SP-1, SP-2.
 */
public final class VictimFinder implements VictimSource {
  private final Settings settings;
  private final LocalQueueUsage usage;
  private final Preemptor preemptor;
  private final @Nullable Exemptions exemptions;

  /**
   * The last search for a single pair, cached because a workload that requests only one pair needs
   * no second search.
   */
  private @Nullable FlavorResource lastPair;

  private long lastAmount;
  private List<Victim> lastVictims = List.of();

  /**
   * Creates the finder for a preemptor.
   *
   * @param settings the settings
   * @param usage the past usage of LocalQueues, for ClusterQueues that it orders
   * @param preemptor the preemptor
   * @param bounds the limits of preemption, null if there are none
   */
  public VictimFinder(
      Settings settings,
      LocalQueueUsage usage,
      Preemptor preemptor,
      @Nullable PreemptionBounds bounds) {
    this.settings = settings;
    this.usage = usage;
    this.exemptions = bounds != null
        ? bounds.exemptions(preemptor.queue().name())
        : settings.strictFairSharing() || settings.strictBorrowing()
            ? new Exemptions(null, null)
            : null;
    this.preemptor = exemptions == null ? preemptor : preemptor.with(exemptions);
  }

  @Override
  public int simulate(
      QueueQuota queue, FlavorResource pair, long amount, @Nullable BooleanSupplier fitsOtherwise) {
    List<Victim> victims = fitsOtherwise == null
        ? searchSingle(pair, amount)
        : search(single(pair, amount, fitsOtherwise));
    if (victims.isEmpty()) {
      return NO_CANDIDATES.simulate(queue, pair, amount, fitsOtherwise);
    }
    QuotaTree tree = queue.tree();
    return tree.inTrial(() -> {
      boolean own = false;
      for (Victim victim : victims) {
        own |= victim.holder().clusterQueue().equals(queue.name());
        tree.layout().queueOf(victim.holder()).unchargeQuota(victim.holder());
      }
      int level = QuotaTree.level(tree.borrowing(queue.node(), tree.column(pair), amount));
      return FlavorFit.of(own ? FlavorFit.PREEMPT : FlavorFit.RECLAIM, level);
    });
  }

  @Override
  public List<Victim> find(Assignment assignment, BooleanSupplier fitsOtherwise) {
    Map<FlavorResource, Long> amounts = new TreeMap<>();
    ResourceName pods = preemptor.queue().compiled().pods();
    for (PodSetFlavors podSet : assignment.podSets()) {
      for (int i = 0; i < podSet.size(); i++) {
        boolean isLeftOut = !settings.includes(KueueFix.PODS_IN_SEARCHES_FOR_VICTIMS)
            && preemptor.queue().compiled().coversPods()
            && podSet.resource(i) == pods;
        long amount = ReplacedSlice.demand(assignment.replaced(), preemptor.workload(), podSet, i);
        if (!isLeftOut && amount != 0) {
          amounts.merge(podSet.pair(i), amount, Amount::add);
        }
      }
    }
    FlavorResource[] pairs = amounts.keySet().toArray(new FlavorResource[0]);
    FlavorResource[] neededPairs = assignment.pairsToPreempt().toArray(new FlavorResource[0]);
    long[] requested = Longs.toArray(amounts.values());
    if (assignment.places() == null && pairs.length == 1 && Arrays.equals(pairs, neededPairs)) {
      return searchSingle(pairs[0], requested[0]);
    }
    return search(new Demand(
        preemptor.queue(),
        neededPairs,
        pairs,
        requested,
        assignment.places() == null ? null : fitsOtherwise));
  }

  @Override
  public @Nullable Exemptions exemptions() {
    return exemptions;
  }

  private List<Victim> search(Demand demand) {
    if (exemptions == null) {
      return search(demand, preemptor);
    }
    exemptions.begin();
    List<Victim> victims = search(demand, preemptor);
    if (victims.isEmpty() && exemptions.any()) {
      exemptions.refuse(search(demand, preemptor.with(null)));
    }
    return victims;
  }

  /** The search is created lazily, because most preemptors need none. */
  private List<Victim> search(Demand demand, Preemptor by) {
    List<Victim> victims;
    if (settings.fairSharing().isPresent()) {
      FairSearch search = new FairSearch(settings, by, demand, usage);
      victims = search.search();
      refuse(search.unfairness(), "strictFairSharing");
    } else {
      victims = new ClassicalSearch(by, demand, usage).search();
    }
    String borrowing = settings.strictBorrowing() ? demand.raisedBorrowing(victims) : null;
    refuse(borrowing, "strictBorrowing");
    return borrowing == null ? victims : List.of();
  }

  private void refuse(@Nullable String victims, String setting) {
    if (victims != null && exemptions != null) {
      exemptions.refuse(victims, setting);
    }
  }

  private List<Victim> searchSingle(FlavorResource pair, long amount) {
    if (pair != lastPair || amount != lastAmount) {
      lastVictims = search(single(pair, amount, null));
      lastPair = pair;
      lastAmount = amount;
    }
    return lastVictims;
  }

  private Demand single(FlavorResource pair, long amount, @Nullable BooleanSupplier fitsOtherwise) {
    FlavorResource[] pairs = {pair};
    return new Demand(preemptor.queue(), pairs, pairs, new long[] {amount}, fitsOtherwise);
  }
}
