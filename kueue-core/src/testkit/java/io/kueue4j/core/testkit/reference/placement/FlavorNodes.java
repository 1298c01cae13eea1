package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The nodes of a flavor, and the usage of placed pods as far as the flavor counts them.
 *
 * <p>Rules: T-5, T-6, T-7, T-8, T-9, T-10, T-11, T-73.
 */
final class FlavorNodes {
  final ResourceFlavor flavor;
  final Topology topology;
  final ImmutableList<Leaf> leaves;

  /** By domain, then resource; includes removed domains (T-11). */
  private final Map<ImmutableList<String>, Map<String, Long>> usage = new HashMap<>();

  private FlavorNodes(ResourceFlavor flavor, Topology topology, ImmutableList<Leaf> leaves) {
    this.flavor = flavor;
    this.topology = topology;
    this.leaves = leaves;
  }

  static FlavorNodes of(ResourceFlavor flavor, Topology topology, Collection<Node> nodes) {
    Map<ImmutableList<String>, List<Node>> byLeaf = new LinkedHashMap<>();
    nodes.stream()
        .sorted(Comparator.comparing(Node::name))
        .filter(node -> belongs(node, flavor, topology))
        .forEach(node -> byLeaf
            .computeIfAbsent(id(path(node, topology), topology), id -> new ArrayList<>())
            .add(node));
    ImmutableList.Builder<Leaf> leaves = ImmutableList.builder();
    byLeaf.forEach((id, merged) ->
        leaves.add(new Leaf(path(merged.get(0), topology), ImmutableList.copyOf(merged))));
    return new FlavorNodes(flavor, topology, leaves.build());
  }

  /** T-5. */
  private static boolean belongs(Node node, ResourceFlavor flavor, Topology topology) {
    return node.ready()
        && !node.unschedulable()
        && node.labels().keySet().containsAll(topology.levels())
        && node.labels().entrySet().containsAll(flavor.nodeLabels().entrySet());
  }

  private static ImmutableList<String> path(Node node, Topology topology) {
    return topology.levels().stream()
        .map(level -> Objects.requireNonNull(node.labels().get(level)))
        .collect(ImmutableList.toImmutableList());
  }

  /** T-6, T-51: the name of a leaf, for usage and in assignments. */
  private static ImmutableList<String> id(ImmutableList<String> path, Topology topology) {
    return topology.endsInHosts() ? path.subList(path.size() - 1, path.size()) : path;
  }

  ImmutableList<String> id(Leaf leaf) {
    return id(leaf.path(), topology);
  }

  /** T-51: the levels that an assignment lists. */
  ImmutableList<String> reportedLevels() {
    return id(topology.levels(), topology);
  }

  /** {@return whether all domains of an assignment are leaves} */
  boolean hasAll(TopologyAssignment places) {
    return places.domains().stream()
        .allMatch(domain -> leaves.stream().anyMatch(leaf -> id(leaf).equals(domain.values())));
  }

  /** {@return pods as an assignment lists them, by path} */
  ImmutableList<TopologyAssignment.Domain> domains(Map<Leaf, Integer> counts) {
    return together(
        counts.entrySet().stream()
            .map(each -> new TopologyAssignment.Domain(id(each.getKey()), each.getValue()))
            .toList(),
        List.of());
  }

  /** {@return the pods of both, by path} */
  ImmutableList<TopologyAssignment.Domain> together(
      List<TopologyAssignment.Domain> some, List<TopologyAssignment.Domain> others) {
    ImmutableList.Builder<TopologyAssignment.Domain> all = ImmutableList.builder();
    leaves.stream()
        .sorted((a, b) -> String.join("\t", a.path()).compareTo(String.join("\t", b.path())))
        .forEach(leaf -> {
          int count = count(some, leaf) + count(others, leaf);
          if (count > 0) {
            all.add(new TopologyAssignment.Domain(id(leaf), count));
          }
        });
    return all.build();
  }

  private int count(List<TopologyAssignment.Domain> domains, Leaf leaf) {
    return domains.stream()
        .filter(domain -> domain.values().equals(id(leaf)))
        .mapToInt(TopologyAssignment.Domain::count)
        .sum();
  }

  FlavorNodes copy() {
    FlavorNodes copy = emptied();
    usage.forEach((domain, amounts) -> copy.usage.put(domain, new LinkedHashMap<>(amounts)));
    return copy;
  }

  /** {@return the nodes without placed pods} */
  FlavorNodes emptied() {
    return new FlavorNodes(flavor, topology, leaves);
  }

  /** T-9; a negative {@code count} removes pods. */
  void charge(PlacedPods pods, int count) {
    Map<String, Long> used =
        usage.computeIfAbsent(id(pods.domain(), topology), domain -> new LinkedHashMap<>());
    PlacedPods.charge(pods.requests())
        .forEach((resource, amount) ->
            used.merge(resource, Amount.multiply(amount, count), Amount::add));
  }

  /** T-10: may be negative. */
  long free(Leaf leaf, String resource) {
    long used = usage.getOrDefault(id(leaf), Map.of()).getOrDefault(resource, 0L);
    return Amount.subtract(leaf.capacity(resource), used);
  }

  /** T-73, strictly: in the present state. */
  boolean hasRoomForAll(PlacedPods pods) {
    return leaf(pods)
        .filter(leaf ->
            PodRoom.of(PlacedPods.charge(pods.requests()), resource -> free(leaf, resource))
                    .pods()
                >= pods.count())
        .isPresent();
  }

  private Optional<Leaf> leaf(PlacedPods pods) {
    return leaves.stream().filter(each -> id(each).equals(pods.domain())).findFirst();
  }

  /** T-73: in the present state, without {@code pods} and without pods that request nothing. */
  boolean hasRoomFor(PlacedPods pods) {
    Optional<Leaf> leaf = leaf(pods);
    return leaf.isPresent()
        && !pods.requests().isEmpty()
        && pods.requests().entrySet().stream()
            .filter(request -> request.getValue() > 0)
            .allMatch(request ->
                Math.max(0, free(leaf.get(), request.getKey())) / request.getValue()
                    >= pods.count());
  }
}
