package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import java.util.Optional;

/**
 * Which pod sets of a queue are placed on nodes, and in which flavors.
 *
 * <p>Rules: T-3, T-17, T-18, T-67, F-10.
 */
final class TopologyRules {
  private final Specs specs;
  private final String queue;

  TopologyRules(Specs specs, String queue) {
    this.specs = specs;
    this.queue = queue;
  }

  /** T-18: those that request it, and all if the queue has only flavors with a topology. */
  boolean applyTo(PodSet podSet) {
    return asks(podSet) || specs.placesAllPods(queue);
  }

  /** T-67: whether flavor and pods match with respect to placement. */
  boolean allow(PodSet podSet, ResourceFlavor flavor, ResourceGroup group) {
    TopologyRequest request = podSet.topologyRequest();
    if (!asks(podSet)) {
      return !specs.hasTopology(flavor.name()) || specs.placesAllPods(queue);
    }
    if (flavor.topologyName().isEmpty()) {
      return !coversOwnRequest(podSet, group);
    }
    Optional<Topology> topology = flavor.topologyName().flatMap(specs::topology);
    boolean namesLevel =
        !request.levels().isEmpty() || !request.unconstrained().equals(Optional.of(false));
    return namesLevel
        && topology.isPresent()
        && topology.get().levels().containsAll(request.levels());
  }

  private boolean asks(PodSet podSet) {
    return specs.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && podSet.topologyRequest().isExplicit();
  }

  /** Quota may be defined for resources that the pods themselves do not request. */
  private static boolean coversOwnRequest(PodSet podSet, ResourceGroup group) {
    return podSet.podRequests().orElse(podSet.requests()).keySet().stream()
        .anyMatch(group.coveredResources()::contains);
  }
}
