package io.kueue4j.core.internal.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.internal.topology.NodeReplacement;
import io.kueue4j.core.internal.topology.NodeReplacement.Outcome;
import io.kueue4j.core.internal.topology.PodSetPlacer;
import io.kueue4j.core.internal.topology.PodSetPlacer.Member;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import java.util.Optional;

/**
 * Finds other places for the pods of a running workload that were on a failed host.
 *
 * <p>Rules: T-21, T-81.
 *
 * @param inventories the nodes to choose from
 */
public record PodReplacer(Inventories inventories) {
  /** {@return whether pods of an admitted workload are on the host} */
  public static boolean concerns(Admission admission, String host) {
    return admission.podSetAssignments().stream().anyMatch(podSet -> concerns(podSet, host));
  }

  private static boolean concerns(PodSetAssignment podSet, String host) {
    return podSet
        .topologyAssignment()
        .filter(assignment -> NodeReplacement.concerns(assignment, host))
        .isPresent();
  }

  /**
   * Searches for other places for the pods on {@code host}, one pod set after another. Pod sets
   * that have no pods left, or do not request placement any more, keep their places.
   *
   * @param workload the workload
   * @param queue the queue whose quota it holds
   * @param admission the admission, with the numbers of pods that still need quota
   * @param host the host that has failed
   * @return the admission with the new places, empty if there is no other place for a pod set
   */
  public Optional<Admission> replace(
      CompiledWorkload workload, ClusterQueue queue, Admission admission, String host) {
    boolean isTopologyOnly = inventories.isTopologyOnly(queue);
    return inventories.inTrial(() -> {
      Admission.Builder renewed =
          Admission.builder().from(admission).podSetAssignments(ImmutableList.of());
      for (PodSetAssignment podSet : admission.podSetAssignments()) {
        CompiledPodSet compiled = workload.podSetNamed(podSet.name());
        if (podSet.count() == 0
            || !(compiled.asksForPlaces() || isTopologyOnly)
            || !concerns(podSet, host)) {
          renewed.addPodSetAssignments(podSet);
          continue;
        }
        Optional<TopologyAssignment> places = replace(compiled, podSet, isTopologyOnly, host);
        if (places.isEmpty()) {
          return Optional.<Admission>empty();
        }
        renewed.addPodSetAssignments(withPlaces(podSet, places.get()));
      }
      return Optional.of(renewed.build());
    });
  }

  private Optional<TopologyAssignment> replace(
      CompiledPodSet podSet, PodSetAssignment assignment, boolean isTopologyOnly, String host) {
    TopologyAssignment current = assignment.topologyAssignment().orElseThrow();
    Optional<Inventory> inventory = assignment.flavors().values().stream()
        .flatMap(flavor -> Optional.ofNullable(inventories.of(flavor)).stream())
        .findFirst();
    if (inventory.isEmpty()) {
      return Optional.empty();
    }
    // May exceed the number of pods that need quota, because it is not known which pods have
    // finished.
    int placed = current.domains().stream().mapToInt(Domain::count).sum();
    Member pods = new Member(
        podSet.source(), placed, podSet.podRequest(), isTopologyOnly && !podSet.asksForPlaces());
    PodSetPlacer placer = new PodSetPlacer(inventory.get(), inventories.settings());
    Outcome outcome = new NodeReplacement(placer).replace(pods, current, host);
    if (!(outcome instanceof Outcome.Replaced replaced)) {
      return Optional.empty();
    }
    replaced
        .moved()
        .forEach(leaf ->
            inventories.assume(inventory.get(), leaf.leaf(), podSet.podRequest(), leaf.count()));
    return Optional.of(replaced.assignment());
  }

  private static PodSetAssignment withPlaces(
      PodSetAssignment podSet, TopologyAssignment assignment) {
    PodSetAssignment.Builder moved =
        PodSetAssignment.builder().from(podSet).topologyAssignment(assignment);
    podSet
        .delayedTopologyRequest()
        .ifPresent(state -> moved.delayedTopologyRequest(DelayedTopologyRequest.READY));
    return moved.build();
  }
}
