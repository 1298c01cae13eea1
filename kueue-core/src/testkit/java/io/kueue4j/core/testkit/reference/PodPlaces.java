package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
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
 * What placement makes of an assignment of flavors.
 *
 * <p>Rules: T-20, T-69 … T-72, F-32.
 */
final class PodPlaces {
  private final Specs specs;
  private final TopologyRules topologies;

  PodPlaces(Specs specs, String queue) {
    this.specs = specs;
    this.topologies = new TopologyRules(specs, queue);
  }

  /** {@return the assignment with places, or what is left of it without (T-69, T-70)} */
  Assignment place(Assignment assignment, Nodes nodes) {
    if (assignment.mode() == AssignmentMode.NO_FIT || !needsPlaces(assignment)) {
      return assignment;
    }
    Optional<Map<Integer, Pods>> pods = pods(assignment);
    if (pods.isEmpty()) {
      return in(AssignmentMode.NO_FIT, assignment);
    }
    if (assignment.mode() == AssignmentMode.FIT) {
      Placement.Result found = Placement.place(pods.get(), nodes, options(false));
      if (found.problem().isEmpty()) {
        return assignment.withPlaces(places(pods.get(), found));
      }
    }
    Placement.Result empty = Placement.place(pods.get(), nodes, options(true));
    return empty.problem().isEmpty()
        ? preempting(assignment).withPlaces(places(pods.get(), empty))
        : in(AssignmentMode.NO_FIT, assignment);
  }

  /** T-71. {@return whether there are places on nodes as they are} */
  boolean exist(Assignment assignment, Nodes nodes) {
    return !needsPlaces(assignment)
        || Placement.place(pods(assignment).orElseThrow(), nodes, options(false))
            .problem()
            .isEmpty();
  }

  /** T-72: the places on nodes as they are, which must exist. */
  Assignment found(Assignment assignment, Nodes nodes) {
    if (!needsPlaces(assignment)) {
      return assignment;
    }
    Map<Integer, Pods> pods = pods(assignment).orElseThrow();
    return assignment.withPlaces(places(pods, Placement.place(pods, nodes, options(false))));
  }

  private Placement.Options options(boolean simulatesEmpty) {
    return Placement.Options.of(specs.settings(), simulatesEmpty);
  }

  private boolean needsPlaces(Assignment assignment) {
    return assignment.podSets().stream().anyMatch(this::needsPlace);
  }

  private boolean needsPlace(PodSetFlavors podSet) {
    return topologies.applyTo(podSet.requests().podSet());
  }

  /** T-20. {@return what to place; empty if a pod set has no flavor with a topology, or several} */
  private Optional<Map<Integer, Pods>> pods(Assignment assignment) {
    Map<Integer, Pods> pods = new TreeMap<>();
    for (PodSetFlavors podSet : assignment.podSets()) {
      if (needsPlace(podSet)) {
        Set<String> flavors = podSet.picks().values().stream()
            .map(FlavorPick::flavor)
            .filter(specs::hasTopology)
            .collect(Collectors.toSet());
        if (flavors.size() != 1) {
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

  /** T-70: whatever is placed is treated as if its quota had to be won by preemption. */
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
