package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.testkit.reference.Assignment.AssignmentMode;
import io.kueue4j.core.testkit.reference.Assignment.FlavorPick;
import io.kueue4j.core.testkit.reference.Assignment.Place;
import io.kueue4j.core.testkit.reference.Assignment.PodSetFlavors;
import io.kueue4j.core.testkit.reference.placement.Nodes;
import io.kueue4j.core.testkit.reference.placement.Placement;
import io.kueue4j.core.testkit.reference.placement.Pods;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Adds placement to an assignment of flavors.
 *
 * <p>Rules: T-20, T-69, T-70, T-71, T-72, T-76, T-88, F-32.
 */
final class PodPlaces {
  private final Specs specs;
  private final String queue;
  private final TopologyRules topologies;

  /** Whether pods stay where they are when their slice is replaced. */
  private final boolean keepsPlaces;

  private final Optional<OldSlice> old;

  PodPlaces(Specs specs, Attempt attempt) {
    this.specs = specs;
    this.queue = attempt.queue();
    this.topologies = new TopologyRules(specs, queue);
    this.keepsPlaces = specs.keepsPlaces(attempt.job().workload());
    this.old = attempt.old();
  }

  /** {@return the assignment with places, or without if there are none (T-69, T-70)} */
  Assignment place(Assignment assignment, Nodes nodes) {
    if (assignment.mode() == AssignmentMode.NO_FIT || !needsPlaces(assignment)) {
      return assignment;
    }
    Optional<Map<Integer, Pods>> pods = pods(assignment);
    if (pods.isEmpty()) {
      return in(AssignmentMode.NO_FIT, assignment);
    }
    if (assignment.mode() == AssignmentMode.FIT) {
      Placement.Result found = place(pods.get(), withoutOld(nodes), false);
      if (found.problem().isEmpty()) {
        return assignment.withPlaces(places(pods.get(), found));
      }
    }
    Placement.Result empty = place(pods.get(), nodes, true);
    return empty.problem().isEmpty()
        ? preempting(assignment).withPlaces(places(pods.get(), empty))
        : in(AssignmentMode.NO_FIT, assignment);
  }

  /** T-88: the nodes without the pods of the replaced slice. */
  private Nodes withoutOld(Nodes nodes) {
    boolean isCounted = !specs.settings().includes(KueueFix.REPLACED_SLICES_ONCE)
        || specs.settings().strictTopology()
        || !specs.slicesKeepPlaces();
    if (isCounted || old.isEmpty()) {
      return nodes;
    }
    Nodes without = nodes.copy();
    without.dischargeOwn(old.get().holder().pods());
    return without;
  }

  /**
   * T-71.
   *
   * @return whether there are places on nodes as they are
   */
  boolean exist(Assignment assignment, Nodes nodes) {
    return !needsPlaces(assignment)
        || place(pods(assignment).orElseThrow(), nodes, false).problem().isEmpty();
  }

  /** T-72: the places on nodes as they are, which must exist. */
  Assignment found(Assignment assignment, Nodes nodes) {
    if (!needsPlaces(assignment)) {
      return assignment;
    }
    Map<Integer, Pods> pods = pods(assignment).orElseThrow();
    return assignment.withPlaces(places(pods, place(pods, nodes, false)));
  }

  private Placement.Result place(Map<Integer, Pods> pods, Nodes nodes, boolean simulatesEmpty) {
    Map<Integer, TopologyAssignment> running = new TreeMap<>();
    if (keepsPlaces && old.isPresent()) {
      pods.forEach((index, each) ->
          old.get().places(index, each.podSet()).ifPresent(places -> running.put(index, places)));
    }
    return Placement.place(
        pods, nodes, Placement.Options.of(specs.settings(), simulatesEmpty), running);
  }

  private boolean needsPlaces(Assignment assignment) {
    return assignment.podSets().stream().anyMatch(this::needsPlace);
  }

  private boolean needsPlace(PodSetFlavors podSet) {
    return topologies.applyTo(podSet.requests().podSet())
        && podSet.requests().count() > 0
        && !isDelayed(podSet);
  }

  /** A pod set that cannot be placed is not delayed either. */
  private boolean isDelayed(PodSetFlavors podSet) {
    return isDelayed(specs, queue, podSet)
        && topologyFlavors(specs, podSet).size() == 1
        && !isRefused(podSet);
  }

  private static Set<String> topologyFlavors(Specs specs, PodSetFlavors podSet) {
    return podSet.picks().values().stream()
        .map(FlavorPick::flavor)
        .filter(specs::hasTopology)
        .collect(Collectors.toSet());
  }

  /**
   * T-76.
   *
   * @return whether the placement of an admitted pod set is delayed until the checks have passed
   */
  static boolean isDelayed(Specs specs, String queue, PodSetFlavors podSet) {
    return new TopologyRules(specs, queue).applyTo(podSet.requests().podSet())
        && podSet.requests().count() > 0
        && topologyFlavors(specs, podSet).stream()
            .anyMatch(flavor -> specs.delaysPlaces(queue, flavor));
  }

  /**
   * T-20.
   *
   * @return what to place; empty if a pod set has no flavor with a topology, or several
   */
  private Optional<Map<Integer, Pods>> pods(Assignment assignment) {
    Map<Integer, Pods> pods = new TreeMap<>();
    for (PodSetFlavors podSet : assignment.podSets()) {
      if (needsPlace(podSet)) {
        Set<String> flavors = topologyFlavors(specs, podSet);
        if (flavors.size() != 1 || isRefused(podSet)) {
          return Optional.empty();
        }
        pods.put(
            podSet.index(),
            new Pods(
                podSet.requests().podSet(),
                podSet.requests().count(),
                flavors.iterator().next()));
      }
    }
    return Optional.of(pods);
  }

  /** T-88. */
  private boolean isRefused(PodSetFlavors podSet) {
    TopologyRequest request = podSet.requests().podSet().topologyRequest();
    return keepsPlaces && (request.required().isPresent() || request.preferred().isPresent());
  }

  private static ImmutableMap<Integer, Place> places(
      Map<Integer, Pods> pods, Placement.Result found) {
    Map<Integer, Place> places = new LinkedHashMap<>();
    pods.forEach((index, each) -> {
      if (found.assignments().containsKey(index)) {
        places.put(index, new Place(each.flavor(), found.assignments().get(index)));
      }
    });
    return ImmutableMap.copyOf(places);
  }

  /** T-70: treats all placed resources as if they required preemption. */
  private Assignment preempting(Assignment assignment) {
    ImmutableList.Builder<PodSetFlavors> podSets = ImmutableList.builder();
    for (PodSetFlavors podSet : assignment.podSets()) {
      ImmutableMap.Builder<String, FlavorPick> picks = ImmutableMap.builder();
      podSet
          .picks()
          .forEach((resource, pick) ->
              picks.put(resource, needsPlace(podSet) ? preempting(pick) : pick));
      podSets.add(podSet.withPicks(picks.buildOrThrow()));
    }
    return new Assignment(AssignmentMode.PREEMPT, podSets.build());
  }

  private static FlavorPick preempting(FlavorPick pick) {
    return pick.isFit()
        ? new FlavorPick(
            pick.flavor(), new PairFit(PairFit.Mode.PREEMPT, pick.fit().level()), pick.triedIndex())
        : pick;
  }

  private static Assignment in(AssignmentMode mode, Assignment assignment) {
    return new Assignment(mode, assignment.podSets());
  }
}
