package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.attempt.PairUsage;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ReasonLog;
import io.kueue4j.core.internal.attempt.ReplacedSlice;
import io.kueue4j.core.internal.compiled.CompiledGroup;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.resource.Amount;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the flavor of one resource group for pod sets of one group, which get the same flavor:
 * tries the flavors in the order of the ClusterQueue, from the resume index on, and stops or goes
 * on as its flavor fungibility says.
 *
 * <p>Rules: M-8, Q-12, F-8, F-9, F-10, F-11, F-12, F-13, F-14, F-15, F-16, F-17, F-18, F-19, F-20,
 * F-21, F-22, F-23, F-24, F-25, F-26, F-33, F-35, E-4, E-5, TPU-F-22.
 */
public final class FlavorSearch {
  private final FlavorTable flavors;
  final WorkloadPlacer placer;
  final Settings settings;
  final boolean isFungible;
  private final PreemptionOracle oracle;
  final CompiledWorkload workload;
  final QueueQuota queue;
  private final @Nullable List<PodSetFlavors> pinned;
  final @Nullable ReplacedSlice replaced;
  private final boolean borrowsWhilePreempting;
  private final boolean preemptionOverBorrowing;
  /** Null if the workload requests no TPU slices. */
  private final @Nullable SlicePlan slices;

  private final PairUsage usage = new PairUsage();

  /** The full requests of earlier groups, also what the replaced slice holds of them. */
  private final PairUsage requested;

  private final ReasonLog reasons = new ReasonLog();
  private PendingCause cause = PendingCause.WAITING_FOR_QUOTA;

  /**
   * Creates the search for one workload.
   *
   * @param flavors the flavors
   * @param placer decides which flavors are eligible for pods that are placed on nodes
   * @param settings the settings
   * @param oracle predicts the effect of preemption
   * @param workload the workload
   * @param queue its queue
   * @param pinned the only flavors to choose from, null for no restriction
   * @param replaced the elastic slice that the workload replaces, null if there is none
   */
  public FlavorSearch(
      FlavorTable flavors,
      WorkloadPlacer placer,
      Settings settings,
      PreemptionOracle oracle,
      CompiledWorkload workload,
      QueueQuota queue,
      @Nullable List<PodSetFlavors> pinned,
      @Nullable ReplacedSlice replaced) {
    this.pinned = pinned;
    this.replaced = replaced;
    this.requested = replaced == null ? usage : new PairUsage();
    this.flavors = flavors;
    this.placer = placer;
    this.slices = placer.slicePlan(workload);
    this.settings = settings;
    this.isFungible = settings.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY);
    this.oracle = oracle;
    this.workload = workload;
    this.queue = queue;
    this.borrowsWhilePreempting = borrowsWhilePreempting(queue, settings);
    this.preemptionOverBorrowing = queue
        .spec()
        .flavorFungibility()
        .preference()
        .equals(Optional.of(Preference.PREEMPTION_OVER_BORROWING));
  }

  /** {@return whether workloads of a queue may preempt while they borrow} */
  private static boolean borrowsWhilePreempting(QueueQuota queue, Settings settings) {
    Preemption preemption = queue.spec().preemption();
    return preemption.borrowWithinCohort() != Preemption.Policy.NEVER
        || (settings.fairSharing().isPresent()
            && preemption.reclaimWithinCohort() != Preemption.Policy.NEVER);
  }

  /** Records the flavors assigned to a pod set. */
  void give(PodSetFlavors podSet) {
    usage.reserve(podSet.size());
    for (int i = 0; i < podSet.size(); i++) {
      usage.add(podSet.pair(i), ReplacedSlice.demand(replaced, workload, podSet, i));
      if (replaced != null) {
        requested.add(podSet.pair(i), podSet.amount(i));
      }
    }
    if (slices != null) {
      slices.add(podSet);
    }
  }

  /** {@return the usage assigned to earlier groups} */
  PairUsage usage() {
    return usage;
  }

  ReasonLog reasons() {
    return reasons;
  }

  /** {@return the general reason why the last search failed} */
  PendingCause cause() {
    return cause;
  }

  /** Records that there was no flavor to try for a group. */
  void failWithoutMatch() {
    cause = PendingCause.NO_MATCHING_FLAVOR;
  }

  /**
   * Searches for a flavor. Pod sets without pods prefer one with room for a pod of each, also
   * before {@code resumeAt}; if there is none, they get what they would get without that wish.
   *
   * @param requests the requests; the flavor found is recorded there
   * @param trigger the resource whose resource group is searched
   * @param resumeAt the first flavor to try
   * @return the {@link FlavorFit} of the flavor found, in mode {@link FlavorFit#NO_FIT} if there is
   *     none
   */
  int search(GroupRequests requests, int trigger, int resumeAt) {
    CompiledGroup group = queue.compiled().group(requests.resources[trigger]);
    // Otherwise a flavor list that has become shorter than the resume index would admit without a
    // flavor.
    int start = resumeAt >= group.flavorCount() ? 0 : resumeAt;
    if (settings.includes(KueueFix.ROOM_FOR_EMPTY_POD_SETS) && requests.isEmpty) {
      int firstReason = reasons.size();
      long[] room = requests.ofOnePodEach();
      int fit = search(requests, trigger, group, start, room);
      if (FlavorFit.mode(fit) == FlavorFit.NO_FIT && start > 0) {
        reasons.truncate(firstReason);
        fit = search(requests, trigger, group, 0, room);
        endWalk(requests, trigger);
      }
      if (FlavorFit.mode(fit) != FlavorFit.NO_FIT) {
        return fit;
      }
      reasons.truncate(firstReason);
    }
    return search(requests, trigger, group, start, null);
  }

  /** Records that all flavors were tried. */
  private void endWalk(GroupRequests requests, int trigger) {
    for (int r = 0; r < requests.size; r++) {
      if (isSearched(requests, trigger, r) && isFungible) {
        requests.tried[r] = PodSetFlavors.WALK_ENDED;
      }
    }
  }

  /** Searches for a flavor whose quota can hold {@code room}, null for any. */
  private int search(
      GroupRequests requests, int trigger, CompiledGroup group, int start, long @Nullable [] room) {
    int firstReason = reasons.size();
    int best = FlavorFit.of(FlavorFit.NO_FIT, 0);
    int bestFlavor = -1;
    int last = start;
    int[] bestFits = new int[requests.size];
    int[] fits = new int[requests.size];
    cause = PendingCause.NO_MATCHING_FLAVOR;
    for (int f = start; f < group.flavorCount(); f++) {
      last = f;
      if (pinned != null
          && !isPinned(requests, group.pair(f, requests.resources[trigger]), pinned)) {
        continue;
      }
      if (!workload.allows(group.flavor(f))) {
        noteNotAllowed(requests, group.flavor(f));
        continue;
      }
      ReasonCode obstacle = obstacle(requests, group, group.flavor(f));
      if (obstacle == ReasonCode.INVALID_NODE_AFFINITY) {
        return FlavorFit.of(FlavorFit.NO_FIT, 0);
      }
      if (obstacle != null) {
        continue;
      }
      if (room != null && !canHold(requests, trigger, group, f, room)) {
        continue;
      }
      if (replaced != null && isBoundElsewhere(requests, trigger, group, f, replaced)) {
        continue;
      }
      int fit = test(requests, trigger, group, f, fits);
      boolean stop = stopsAt(fit);
      if (FlavorFit.mode(fit) != FlavorFit.NO_FIT
          && (bestFlavor < 0 || stop || isBetter(fit, best))) {
        best = fit;
        bestFlavor = f;
        System.arraycopy(fits, 0, bestFits, 0, fits.length);
      }
      if (stop) {
        break;
      }
    }
    if (bestFlavor >= 0) {
      choose(requests, trigger, group, bestFlavor, bestFits, last);
    }
    if (FlavorFit.mode(best) == FlavorFit.FIT) {
      reasons.truncate(firstReason);
    } else {
      int firstSkipped = reasons.size();
      for (int f = 0; f < start; f++) {
        noteSkipped(requests, trigger, group, f);
      }
      reasons.moveForward(firstSkipped, firstReason);
    }
    return best;
  }

  /**
   * Records why a flavor before the first one of the walk does not fit, without effect on the
   * result. Preemption is not tried. If the flavor fits now, the record says how much is available:
   * the flavor did not fit when an earlier attempt tried it.
   */
  private void noteSkipped(GroupRequests requests, int trigger, CompiledGroup group, int f) {
    String flavor = group.flavor(f);
    if (!workload.allows(flavor)) {
      noteNotAllowed(requests, flavor);
      return;
    }
    if (obstacle(requests, group, flavor) != null
        || (replaced != null && isBoundElsewhere(requests, trigger, group, f, replaced))) {
      return;
    }
    int firstReason = reasons.size();
    for (int r = 0; r < requests.size; r++) {
      if (isSearched(requests, trigger, r)) {
        FlavorResource pair = group.pair(f, requests.resources[r]);
        test(requests, pair, Amount.add(usage.amount(pair), requests.demand(r)), false);
      }
    }
    if (slices != null && reasons.size() == firstReason) {
      slices.room(requests.members, group, flavor, reasons);
    }
    if (reasons.size() == firstReason) {
      FlavorResource pair = group.pair(f, requests.resources[trigger]);
      long amount = Amount.add(usage.amount(pair), requests.demand(trigger));
      long nominal = queue.tree().nominal(queue.node(), queue.tree().column(pair));
      note(ReasonCode.INSUFFICIENT_QUOTA, requests, pair, amount, nominal);
    }
  }

  private void choose(
      GroupRequests requests,
      int trigger,
      CompiledGroup group,
      int flavor,
      int[] fits,
      int lastLookedAt) {
    int tried = lastLookedAt == group.flavorCount() - 1 ? PodSetFlavors.WALK_ENDED : lastLookedAt;
    for (int r = 0; r < requests.size; r++) {
      if (isSearched(requests, trigger, r)) {
        requests.pairs[r] = group.pair(flavor, requests.resources[r]);
        requests.fits[r] = fits[r];
        requests.tried[r] = isFungible ? tried : 0;
      }
    }
  }

  /** {@return whether a pod set of the group was nominated for {@code pair}} */
  private static boolean isPinned(
      GroupRequests requests, FlavorResource pair, List<PodSetFlavors> pinned) {
    for (PodSetFlavors podSet : pinned) {
      for (int member : requests.members) {
        if (podSet.podSet() == member && podSet.uses(pair)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isSearched(GroupRequests requests, int trigger, int r) {
    return queue.compiled().inSameGroup(requests.resources[r], requests.resources[trigger]);
  }

  private @Nullable ReasonCode obstacle(
      GroupRequests requests, CompiledGroup group, String flavor) {
    for (int member : requests.members) {
      ReasonCode obstacle = flavors.obstacle(flavor, workload.podSet(member));
      if (obstacle == null) {
        obstacle = placer.obstacle(flavor, group, workload.podSet(member), queue.spec());
      }
      if (obstacle != null) {
        note(obstacle, member, flavor);
        return obstacle;
      }
    }
    return null;
  }

  /** {@return whether pods of the replaced slice run on another flavor; rule E-4} */
  private boolean isBoundElsewhere(
      GroupRequests requests, int trigger, CompiledGroup group, int f, ReplacedSlice slice) {
    CompiledQueue compiled = queue.compiled();
    for (int r = 0; r < requests.size; r++) {
      ResourceName resource = requests.resources[r];
      boolean isPods = compiled.coversPods() && resource == compiled.pods();
      for (int member : requests.members) {
        FlavorResource held = slice.pair(workload, member, resource);
        if (isSearched(requests, trigger, r)
            && (isPods || workload.podSet(member).indexOf(resource) >= 0)
            && held != group.pair(f, resource)) {
          FlavorTable.Entry entry = held == null ? null : flavors.entry(held.flavor());
          reasons.add(ReasonCode.FLAVOR_OF_REPLACED_SLICE, member, group.flavor(f), entry);
          return true;
        }
      }
    }
    return false;
  }

  /** {@return whether the quota of a flavor, when free, has room for one pod of each pod set} */
  private boolean canHold(
      GroupRequests requests, int trigger, CompiledGroup group, int f, long[] room) {
    QuotaTree tree = queue.tree();
    boolean can = true;
    for (int r = 0; r < requests.size; r++) {
      if (isSearched(requests, trigger, r)) {
        FlavorResource pair = group.pair(f, requests.resources[r]);
        long amount = Amount.add(requested.amount(pair), room[r]);
        long potential = tree.potential(queue.node(), tree.column(pair));
        if (amount > potential) {
          note(ReasonCode.EXCEEDS_MAXIMUM, requests, pair, amount, potential);
          can = false;
        }
      }
    }
    return can;
  }

  private void noteNotAllowed(GroupRequests requests, String flavor) {
    for (int member : requests.members) {
      reasons.add(ReasonCode.FLAVOR_NOT_ALLOWED, member, flavor, flavors.entry(flavor));
    }
  }

  private void note(ReasonCode obstacle, int member, String flavor) {
    switch (obstacle) {
      case FLAVOR_WITH_TPU_POOLS, FLAVOR_WITHOUT_TPU_POOLS, SLICE_NOT_OFFERED ->
        reasons.add(obstacle, member, flavor, placer.poolsOf(flavor));
      default -> reasons.add(obstacle, member, flavor, flavors.entry(flavor));
    }
  }

  /**
   * {@return the worst fit among the resources of flavor {@code f}, each recorded in {@code fits}}
   */
  private int test(GroupRequests requests, int trigger, CompiledGroup group, int f, int[] fits) {
    int worst = FlavorFit.BEST;
    PendingCause worstCause = PendingCause.WAITING_FOR_QUOTA;
    for (int r = 0; r < requests.size; r++) {
      if (!isSearched(requests, trigger, r)) {
        continue;
      }
      FlavorResource pair = group.pair(f, requests.resources[r]);
      long amount = Amount.add(usage.amount(pair), requests.demand(r));
      boolean askOracle = FlavorFit.mode(worst) != FlavorFit.NO_FIT;
      fits[r] = test(requests, pair, amount, askOracle);
      if (FlavorFit.isBetter(worst, fits[r], preemptionOverBorrowing)) {
        worst = fits[r];
      }
      if (amount > queue.tree().potential(queue.node(), queue.tree().column(pair))) {
        worstCause = PendingCause.EXCEEDS_MAX_QUOTA;
      }
    }
    if (slices != null && FlavorFit.mode(worst) != FlavorFit.NO_FIT) {
      worst = testSlices(slices, requests, group, f, fits, worst);
      worstCause = PendingCause.TOPOLOGY_PLACEMENT_FAILED;
    }
    if (FlavorFit.mode(worst) == FlavorFit.NO_FIT && worstCause.compareTo(cause) > 0) {
      cause = worstCause;
    }
    return worst;
  }

  /**
   * {@return the worse of {@code worst}, the fit of the quota of a flavor, and the fit of the
   * requested TPU slices}
   */
  private int testSlices(
      SlicePlan given, GroupRequests requests, CompiledGroup group, int f, int[] fits, int worst) {
    String flavor = group.flavor(f);
    SlicePlan.Room room = given.room(requests.members, group, flavor, reasons);
    if (room == SlicePlan.Room.FREE) {
      return worst;
    }
    int fit = FlavorFit.of(FlavorFit.NO_FIT, FlavorFit.level(worst));
    for (int r = 0; r < requests.size; r++) {
      if (requests.resources[r] == given.resource()) {
        FlavorResource pair = group.pair(f, requests.resources[r]);
        if (room == SlicePlan.Room.IN_USE) {
          fit = oracle.simulate(
              queue,
              pair,
              Amount.add(usage.amount(pair), requests.amounts[r]),
              () -> given.fits(requests.members, group, flavor));
        }
        fits[r] = fit;
      }
    }
    return FlavorFit.isBetter(worst, fit, preemptionOverBorrowing) ? fit : worst;
  }

  private int test(GroupRequests requests, FlavorResource pair, long amount, boolean askOracle) {
    QuotaTree tree = queue.tree();
    int node = queue.node();
    int column = tree.column(pair);
    int borrowing = tree.borrowing(node, column, amount);
    int level = QuotaTree.level(borrowing);
    if (amount > tree.potential(node, column)) {
      note(ReasonCode.EXCEEDS_MAXIMUM, requests, pair, amount, tree.potential(node, column));
      return FlavorFit.of(FlavorFit.NO_FIT, level);
    }
    if (amount <= tree.available(node, column)) {
      return FlavorFit.of(FlavorFit.FIT, level);
    }
    boolean mayPreempt = amount <= tree.nominal(node, column)
        || QuotaTree.mayReclaim(borrowing)
        || borrowsWhilePreempting;
    int fit = mayPreempt && askOracle
        ? oracle.simulate(queue, pair, amount, null)
        : FlavorFit.of(FlavorFit.NO_FIT, level);
    ReasonCode code = FlavorFit.mode(fit) == FlavorFit.NO_CANDIDATES
        ? ReasonCode.NO_PREEMPTION_CANDIDATES
        : ReasonCode.INSUFFICIENT_QUOTA;
    note(code, requests, pair, amount, tree.nominal(node, column));
    return fit;
  }

  private void note(
      ReasonCode code, GroupRequests requests, FlavorResource pair, long amount, long limit) {
    reasons.addShortage(
        code,
        requests.members[0],
        pair.flavor(),
        pair.resource(),
        amount,
        queue.usage(pair),
        queue.available(pair),
        limit);
  }

  private boolean isBetter(int fit, int other) {
    return isFungible
        ? FlavorFit.isBetter(fit, other, preemptionOverBorrowing)
        : FlavorFit.mode(fit) > FlavorFit.mode(other);
  }

  private boolean stopsAt(int fit) {
    int mode = FlavorFit.mode(fit);
    if (!isFungible) {
      return mode == FlavorFit.FIT;
    }
    FlavorFungibility fungibility = queue.spec().flavorFungibility();
    if (mode <= FlavorFit.NO_CANDIDATES
        || (mode < FlavorFit.FIT && fungibility.whenCanPreempt() == Policy.TRY_NEXT_FLAVOR)) {
      return false;
    }
    return FlavorFit.level(fit) == 0 || fungibility.whenCanBorrow() == Policy.MAY_STOP_SEARCH;
  }
}
