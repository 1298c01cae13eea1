package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The nodes according to the harness's own books: their capacity, and the pods placed there. */
final class NodeBooks {
  /**
   * Pods of a pod set in one domain.
   *
   * @param podSet the pod set
   * @param flavor the flavor that placed them
   * @param domain the values that name the domain
   * @param count the number of pods
   */
  record Share(PodSet podSet, String flavor, List<String> domain, int count) {
    /** {@return their usage of a resource; each pod counts as 1 of {@code pods}} */
    long amount(String resource) {
      long own = podSet.requests().getOrDefault(resource, 0L);
      long each = resource.equals(QuotaGenerator.PODS) ? Amount.add(own, 1) : own;
      return Amount.multiply(each, count);
    }
  }

  private final Ledger ledger;

  NodeBooks(Ledger ledger) {
    this.ledger = ledger;
  }

  /** {@return the flavor with a topology that a pod set was admitted with, if there is one} */
  Optional<String> flavor(PodSetAssignment assignment) {
    return assignment.flavors().values().stream()
        .filter(name -> ledger.topologyOf(name).isPresent())
        .findFirst();
  }

  Topology topology(String flavor) {
    return ledger.topologyOf(flavor).orElseThrow();
  }

  /** {@return the values of all levels for each domain of a flavor's last level, by its name} */
  Map<List<String>, List<String>> paths(String flavor) {
    Map<List<String>, List<String>> paths = new LinkedHashMap<>();
    for (Node node : nodes(flavor)) {
      List<String> path = topology(flavor).levels().stream()
          .map(level -> Objects.requireNonNull(node.labels().get(level)))
          .collect(toImmutableList());
      paths.putIfAbsent(name(path, topology(flavor)), path);
    }
    return paths;
  }

  private static List<String> name(List<String> path, Topology topology) {
    return topology.endsInHosts() ? path.subList(path.size() - 1, path.size()) : path;
  }

  /** T-5. */
  private List<Node> nodes(String flavor) {
    ResourceFlavor spec = ledger.flavor(flavor).orElseThrow();
    return ledger.nodes().stream()
        .filter(node -> node.ready() && !node.unschedulable())
        .filter(node -> node.labels().keySet().containsAll(topology(flavor).levels()))
        .filter(node -> node.labels().entrySet().containsAll(spec.nodeLabels().entrySet()))
        .toList();
  }

  /** {@return the capacity of a domain for placed pods, by resource (T-7, T-8)} */
  Map<String, Long> capacity(String flavor, List<String> domain) {
    Map<String, Long> capacity = new TreeMap<>();
    Topology topology = topology(flavor);
    for (Node node : nodes(flavor)) {
      List<String> path = topology.levels().stream()
          .map(level -> Objects.requireNonNull(node.labels().get(level)))
          .collect(toImmutableList());
      if (name(path, topology).equals(domain)) {
        node.allocatable().forEach((resource, has) -> capacity.merge(resource, has, Amount::add));
        node.usedByOthers()
            .forEach((resource, used) -> capacity.merge(resource, -used, Amount::add));
      }
    }
    return capacity;
  }

  /** {@return the domains of the pods of an admission} */
  List<Share> shares(Workload workload, Admission admission) {
    ImmutableList.Builder<Share> shares = ImmutableList.builder();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      Optional<String> flavor = flavor(assignment);
      PodSet podSet = podSet(workload, assignment.name());
      boolean isFree = ledger.settings().includes(KueueFix.RECLAIMED_PODS_FREE_DOMAINS)
          && ledger.podCount(workload, podSet) == 0;
      if (!isFree && flavor.isPresent() && assignment.topologyAssignment().isPresent()) {
        for (Domain domain : assignment.topologyAssignment().get().domains()) {
          shares.add(new Share(podSet, flavor.get(), domain.values(), domain.count()));
        }
      }
    }
    return shares.build();
  }

  static PodSet podSet(Workload workload, String name) {
    return workload.podSets().stream()
        .filter(podSet -> podSet.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** {@return the domains of the pods of all workloads with quota, except {@code except}} */
  List<Share> shares(Set<?> except) {
    ImmutableList.Builder<Share> shares = ImmutableList.builder();
    ledger.admissions().forEach((id, admission) -> {
      if (!except.contains(id)) {
        ledger.workload(id).ifPresent(workload -> shares.addAll(shares(workload, admission)));
      }
    });
    return shares.build();
  }

  /** {@return whether pods of one flavor count on a host of another (T-12)} */
  boolean seesPodsOf(String flavor, String other) {
    return flavor.equals(other)
        || (ledger.isEnabled(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS)
            && topology(flavor).endsInHosts()
            && topology(other).endsInHosts());
  }
}
