package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.testkit.reference.Assignment.FlavorPick;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import io.kueue4j.core.testkit.reference.PairFit.Mode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the flavor of one resource group for a group of pod sets.
 *
 * <p>Rules: F-8, F-9, F-13, F-14, F-15, F-16, F-17, F-18, F-19, F-20, F-21, F-22, F-23, F-24, F-25,
 * F-26; F-24 as section 17 of the rule index has it.
 */
final class FlavorSearch {
  private final Specs specs;
  private final Snapshot snapshot;
  private final Attempt attempt;
  private final ClusterQueue spec;
  private final Preference preference;
  private final TopologyRules topologies;

  FlavorSearch(Specs specs, Snapshot snapshot, Attempt attempt) {
    this.specs = specs;
    this.snapshot = snapshot;
    this.attempt = attempt;
    this.spec = specs.queue(attempt.queue());
    this.preference =
        spec.flavorFungibility().preference().orElse(Preference.BORROWING_OVER_PREEMPTION);
    this.topologies = new TopologyRules(specs, attempt.queue());
  }

  /**
   * The result of a search.
   *
   * @param picks the flavor of each resource of the group, all the same
   * @param fits whether the worst of them fits (F-29)
   */
  record Result(Map<String, FlavorPick> picks, boolean fits) {
    Result triedAt(int index) {
      Map<String, FlavorPick> changed = new LinkedHashMap<>();
      picks.forEach((resource, pick) ->
          changed.put(resource, new FlavorPick(pick.flavor(), pick.fit(), index)));
      return new Result(changed, fits);
    }
  }

  /** A flavor that was tried: the worst of its resources, and each of them. */
  private record Tried(String flavor, PairFit worst, Map<String, PairFit> fits) {}

  /**
   * {@return the best flavor, empty if there is none}
   *
   * @param group the flavors
   * @param trigger the resource for which the search was started
   * @param members the pod sets, by position
   * @param requests their total requests
   * @param usageSoFar the usage of earlier pod sets
   * @param requestedSoFar the same with what an old slice holds
   */
  Optional<Result> search(
      ResourceGroup group,
      String trigger,
      Map<Integer, PodSetRequests> members,
      Map<String, Long> requests,
      Map<FlavorResource, Long> usageSoFar,
      Map<FlavorResource, Long> requestedSoFar) {
    int last = group.flavors().size() - 1;
    int first = firstIndex(members.keySet(), trigger, last);
    if (specs.settings().includes(KueueFix.ROOM_FOR_EMPTY_POD_SETS)
        && members.values().stream().allMatch(podSet -> podSet.count() == 0)) {
      Predicate<String> hasRoom = flavor -> hasRoomForOne(flavor, group, members, requestedSoFar);
      Optional<Result> found =
          search(group, trigger, members, requests, usageSoFar, first, hasRoom);
      if (found.isEmpty() && first > 0) {
        found = search(group, trigger, members, requests, usageSoFar, 0, hasRoom)
            .map(result -> result.triedAt(index(last, last)));
      }
      if (found.isPresent()) {
        return found;
      }
    }
    return search(group, trigger, members, requests, usageSoFar, first, flavor -> true);
  }

  /** F-35: whether one pod of each pod set could ever run with a flavor. */
  private boolean hasRoomForOne(
      String flavor,
      ResourceGroup group,
      Map<Integer, PodSetRequests> members,
      Map<FlavorResource, Long> requestedSoFar) {
    Map<String, Long> asked = new LinkedHashMap<>();
    for (PodSetRequests member : members.values()) {
      Map<String, Long> ofOne = new LinkedHashMap<>(member.podSet().requests());
      ofOne.put(ResourceNames.PODS, 1L);
      ofOne.forEach((resource, amount) -> asked.merge(resource, amount, Amount::add));
    }
    asked.keySet().retainAll(group.coveredResources());
    return asked.entrySet().stream().allMatch(request -> {
      FlavorResource pair = new FlavorResource(flavor, request.getKey());
      return Amount.add(requestedSoFar.getOrDefault(pair, 0L), request.getValue())
          <= snapshot.queue(attempt.queue()).potential(pair);
    });
  }

  private Optional<Result> search(
      ResourceGroup group,
      String trigger,
      Map<Integer, PodSetRequests> members,
      Map<String, Long> requests,
      Map<FlavorResource, Long> usageSoFar,
      int first,
      Predicate<String> hasRoom) {
    List<PodSet> podSets = members.values().stream().map(PodSetRequests::podSet).toList();
    int last = group.flavors().size() - 1;
    @Nullable Tried best = null;
    int index = first;
    for (; index <= last; index++) {
      String flavor = group.flavors().get(index).flavor();
      Eligibility eligibility = attempt.allows(flavor, members.keySet(), trigger)
          ? specs
              .flavor(flavor)
              .map(known -> Eligibility.of(podSets, known, topologies, group))
              .orElse(Eligibility.INELIGIBLE)
          : Eligibility.INELIGIBLE;
      if (eligibility == Eligibility.UNREADABLE) {
        return Optional.empty();
      }
      boolean isBound =
          !attempt.allows(flavor, members, ImmutableSet.copyOf(group.coveredResources()));
      if (eligibility == Eligibility.INELIGIBLE || isBound || !hasRoom.test(flavor)) {
        continue;
      }
      Tried tried = tryFlavor(flavor, group, requests, usageSoFar);
      if (stopsAt(tried.worst())) {
        best = tried;
        break;
      }
      if (tried.worst().mode() != Mode.NO_FIT && (best == null || isBetter(tried, best))) {
        best = tried;
      }
    }
    return best == null ? Optional.empty() : Optional.of(result(best, index(index, last)));
  }

  /** F-24, F-26; an index past the end of a list that became shorter starts anew. */
  private int firstIndex(Set<Integer> podSets, String trigger, int last) {
    int firstPodSet = podSets.iterator().next();
    int index = hasFungibility() ? attempt.resumeIndex(firstPodSet, trigger) : 0;
    return index > last ? 0 : index;
  }

  private boolean hasFungibility() {
    return specs.isEnabled(FeatureGate.FLAVOR_FUNGIBILITY);
  }

  /** F-23; with the gate off it is never written and reads as 0 (F-26). */
  private int index(int lookedAt, int last) {
    if (!hasFungibility()) {
      return 0;
    }
    return lookedAt >= last ? ScanMemory.END : lookedAt;
  }

  private static Result result(Tried best, int triedIndex) {
    Map<String, FlavorPick> picks = new LinkedHashMap<>();
    best.fits()
        .forEach(
            (resource, fit) -> picks.put(resource, new FlavorPick(best.flavor(), fit, triedIndex)));
    return new Result(picks, best.worst().mode() == Mode.FIT);
  }

  /** F-18, F-19. */
  private Tried tryFlavor(
      String flavor,
      ResourceGroup group,
      Map<String, Long> requests,
      Map<FlavorResource, Long> usageSoFar) {
    Map<String, PairFit> fits = new LinkedHashMap<>();
    PairFit worst = PairFit.BEST;
    for (Map.Entry<String, Long> request : requests.entrySet()) {
      if (group.coveredResources().contains(request.getKey())) {
        FlavorResource pair = new FlavorResource(flavor, request.getKey());
        long amount = Amount.add(usageSoFar.getOrDefault(pair, 0L), request.getValue());
        PairFit fit = fit(pair, amount);
        fits.put(request.getKey(), fit);
        worst = worst.isBetterThan(fit, preference) ? fit : worst;
        if (worst.mode() == Mode.NO_FIT) {
          break;
        }
      }
    }
    return new Tried(flavor, worst, fits);
  }

  /** F-20, F-26. */
  private boolean stopsAt(PairFit fit) {
    if (!hasFungibility()) {
      return fit.mode() == Mode.FIT;
    }
    FlavorFungibility fungibility = spec.flavorFungibility();
    return switch (fit.mode()) {
      case NO_FIT, NO_CANDIDATES -> false;
      case PREEMPT, RECLAIM ->
        fungibility.whenCanPreempt() == Policy.MAY_STOP_SEARCH && mayBorrow(fit, fungibility);
      case FIT -> mayBorrow(fit, fungibility);
    };
  }

  private static boolean mayBorrow(PairFit fit, FlavorFungibility fungibility) {
    return fit.level() == 0 || fungibility.whenCanBorrow() == Policy.MAY_STOP_SEARCH;
  }

  /** F-22, F-26: an equal one that is found later is not better. */
  private boolean isBetter(Tried tried, Tried best) {
    return hasFungibility()
        ? tried.worst().isBetterThan(best.worst(), preference)
        : tried.worst().mode().compareTo(best.worst().mode()) > 0;
  }

  // ----- one pair

  /** F-14, F-15, F-16. */
  private PairFit fit(FlavorResource pair, long amount) {
    Node queue = snapshot.queue(attempt.queue());
    Node.BorrowLevel level = queue.borrowLevel(pair, amount);
    if (amount > queue.potential(pair)) {
      return new PairFit(Mode.NO_FIT, level.height());
    }
    if (amount <= queue.available(pair)) {
      return new PairFit(Mode.FIT, level.height());
    }
    boolean mayPreempt =
        amount <= queue.subtree(pair) || level.mayReclaim() || mayPreemptWhileBorrowing();
    return mayPreempt ? fitAfterPreemption(pair, amount) : new PairFit(Mode.NO_FIT, level.height());
  }

  private boolean mayPreemptWhileBorrowing() {
    return spec.preemption().borrowWithinCohort() != Preemption.Policy.NEVER
        || (specs.settings().fairSharing().isPresent()
            && spec.preemption().reclaimWithinCohort() != Preemption.Policy.NEVER);
  }

  /** F-17. */
  private PairFit fitAfterPreemption(FlavorResource pair, long amount) {
    Demand demand = Demand.of(pair, amount, attempt.spared());
    ImmutableList<Victim> victims =
        VictimSearch.find(specs, snapshot, attempt.job(), attempt.queue(), demand);
    Snapshot after = snapshot.without(victims.stream().map(Victim::holder).toList());
    int level = after.queue(attempt.queue()).borrowLevel(pair, amount).height();
    if (victims.isEmpty()) {
      return new PairFit(Mode.NO_CANDIDATES, level);
    }
    boolean own =
        victims.stream().anyMatch(victim -> victim.holder().queue().equals(attempt.queue()));
    return new PairFit(own ? Mode.PREEMPT : Mode.RECLAIM, level);
  }
}
