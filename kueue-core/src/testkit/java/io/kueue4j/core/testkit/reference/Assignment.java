package io.kueue4j.core.testkit.reference;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.reference.placement.PlacedPods;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The flavors nominated for a workload, and how well they fit.
 *
 * <p>Rules: F-1, F-27, F-28, F-29, F-34, P-2, T-70, T-72.
 *
 * @param mode how well they fit
 * @param podSets the choice for each pod set, by group; those after a failure are missing
 * @param places the places of pods that need one, by position of the pod set
 */
record Assignment(
    AssignmentMode mode,
    ImmutableList<PodSetFlavors> podSets,
    ImmutableMap<Integer, Place> places) {

  /**
   * The places of the pods of a pod set.
   *
   * @param flavor the flavor of the nodes
   * @param domains the domains
   */
  record Place(String flavor, TopologyAssignment domains) {}

  /** An assignment without places. */
  Assignment(AssignmentMode mode, ImmutableList<PodSetFlavors> podSets) {
    this(mode, podSets, ImmutableMap.of());
  }

  /** F-1, worst first. */
  enum AssignmentMode {
    NO_FIT,
    PREEMPT,
    FIT
  }

  /**
   * The flavor found for a resource.
   *
   * @param flavor its name
   * @param fit how the resource fits there
   * @param triedIndex the last flavor that was tried (F-23)
   */
  record FlavorPick(String flavor, PairFit fit, int triedIndex) {
    /** F-2: any other fit requires preemption. */
    boolean isFit() {
      return fit.mode() == PairFit.Mode.FIT;
    }
  }

  /**
   * The choice for a pod set.
   *
   * @param index its position in the workload
   * @param requests the pods and their requests, including {@code pods} if it is charged
   * @param asked the {@code requests} minus the requests of an elastic slice to replace
   * @param askedWithoutPods the same without {@code pods}
   * @param picks the flavor of each resource
   */
  record PodSetFlavors(
      int index,
      PodSetRequests requests,
      ImmutableMap<String, Long> asked,
      ImmutableMap<String, Long> askedWithoutPods,
      ImmutableMap<String, FlavorPick> picks) {
    PodSetFlavors withPicks(ImmutableMap<String, FlavorPick> newPicks) {
      return new PodSetFlavors(index, requests, asked, askedWithoutPods, newPicks);
    }
  }

  Assignment withPlaces(ImmutableMap<Integer, Place> newPlaces) {
    return new Assignment(mode, podSets, newPlaces);
  }

  /**
   * T-72.
   *
   * @return the pods that have a place
   */
  ImmutableList<PlacedPods> pods() {
    ImmutableList.Builder<PlacedPods> pods = ImmutableList.builder();
    for (PodSetFlavors podSet : podSets) {
      Place place = places.get(podSet.index());
      if (place != null) {
        pods.addAll(PlacedPods.of(podSet.requests().podSet(), place.flavor(), place.domains()));
      }
    }
    return pods.build();
  }

  /** F-27. */
  int borrowLevel() {
    return podSets.stream()
        .flatMap(podSet -> podSet.picks().values().stream())
        .mapToInt(pick -> pick.fit().level())
        .max()
        .orElse(0);
  }

  /** F-28: amounts of 0 are entries too. */
  Map<FlavorResource, Long> usage() {
    Map<FlavorResource, Long> usage = new LinkedHashMap<>();
    for (PodSetFlavors podSet : podSets) {
      podSet
          .picks()
          .forEach((resource, pick) -> usage.merge(
              new FlavorResource(pick.flavor(), resource),
              podSet.asked().getOrDefault(resource, 0L),
              Amount::add));
    }
    return usage;
  }

  /** P-2: the pairs that require victims. */
  Set<FlavorResource> needed() {
    Set<FlavorResource> needed = new LinkedHashSet<>();
    for (PodSetFlavors podSet : podSets) {
      podSet.picks().forEach((resource, pick) -> {
        if (!pick.isFit()) {
          needed.add(new FlavorResource(pick.flavor(), resource));
        }
      });
    }
    return needed;
  }

  /** P-2, X-2: the totals without zeros. */
  Map<FlavorResource, Long> requests(boolean countsPods) {
    Map<FlavorResource, Long> requests = new LinkedHashMap<>();
    for (PodSetFlavors podSet : podSets) {
      Map<String, Long> asked = countsPods ? podSet.asked() : podSet.askedWithoutPods();
      asked.forEach((resource, amount) -> {
        FlavorPick pick = podSet.picks().get(resource);
        if (pick != null && amount != 0) {
          requests.merge(new FlavorResource(pick.flavor(), resource), amount, Amount::add);
        }
      });
    }
    return requests;
  }

  /** F-23. */
  ImmutableMap<Integer, ImmutableMap<String, Integer>> triedIndexes() {
    return podSets.stream()
        .collect(toImmutableMap(
            PodSetFlavors::index,
            podSet -> podSet.picks().entrySet().stream()
                .collect(
                    toImmutableMap(Map.Entry::getKey, pick -> pick.getValue().triedIndex()))));
  }

  /**
   * {@return the admission; S-22, F-34}
   *
   * @param isDelayed whether the placement of a pod set is delayed (T-76)
   */
  Admission toAdmission(
      WorkloadId workload, String queue, Instant now, Predicate<PodSetFlavors> isDelayed) {
    Admission.Builder admission =
        Admission.builder().workload(workload).clusterQueue(queue).quotaReservedTime(now);
    for (PodSetFlavors podSet : podSets) {
      PodSetAssignment.Builder assignment = PodSetAssignment.builder()
          .name(podSet.requests().podSet().name())
          .count(podSet.requests().count());
      podSet
          .picks()
          .forEach((resource, pick) -> assignment
              .putFlavors(resource, pick.flavor())
              .resourceUsageAmount(resource, amount(podSet.requests(), resource)));
      assignment.topologyAssignment(
          Optional.ofNullable(places.get(podSet.index())).map(Place::domains));
      if (isDelayed.test(podSet)) {
        assignment.delayedTopologyRequest(DelayedTopologyRequest.PENDING);
      }
      admission.addPodSetAssignments(assignment.build());
    }
    return admission.build();
  }

  private static long amount(PodSetRequests requests, String resource) {
    return requests.amounts().getOrDefault(resource, 0L);
  }
}
