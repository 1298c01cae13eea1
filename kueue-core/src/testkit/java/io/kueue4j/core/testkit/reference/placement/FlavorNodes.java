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

  /** T-13: the leaves, or the nodes below them if those are counted one by one. */
  final ImmutableList<Leaf> bottom;

  /** By domain, then resource; includes removed domains (T-11). */
  private final Map<List<String>, Map<String, Long>> usage = new HashMap<>();

  /** What the workload that is being placed takes of nodes below leaves, by path. */
  private final Map<List<String>, Map<String, Long>> taken = new HashMap<>();

  private FlavorNodes(
      ResourceFlavor flavor,
      Topology topology,
      ImmutableList<Leaf> leaves,
      ImmutableList<Leaf> bottom) {
    this.flavor = flavor;
    this.topology = topology;
    this.leaves = leaves;
    this.bottom = bottom;
  }

  /**
   * {@return the nodes of a flavor}
   *
   * @param countsEachNode whether nodes are counted one by one in every topology (T-13)
   */
  static FlavorNodes of(
      ResourceFlavor flavor, Topology topology, Collection<Node> nodes, boolean countsEachNode) {
    Map<List<String>, List<Node>> byLeaf = new LinkedHashMap<>();
    nodes.stream()
        .sorted(Comparator.comparing(Node::name))
        .filter(node -> belongs(node, flavor, topology))
        .forEach(node -> byLeaf
            .computeIfAbsent(id(path(node, topology), topology), id -> new ArrayList<>())
            .add(node));
    ImmutableList.Builder<Leaf> leaves = ImmutableList.builder();
    byLeaf.forEach((id, merged) ->
        leaves.add(new Leaf(path(merged.get(0), topology), ImmutableList.copyOf(merged))));
    ImmutableList<Leaf> built = leaves.build();
    return new FlavorNodes(
        flavor,
        topology,
        built,
        countsEachNode && !topology.endsInHosts() ? eachNode(built) : built);
  }

  private static ImmutableList<Leaf> eachNode(List<Leaf> leaves) {
    ImmutableList.Builder<Leaf> each = ImmutableList.builder();
    for (Leaf leaf : leaves) {
      for (Node node : leaf.nodes()) {
        List<String> path =
            ImmutableList.<String>builder().addAll(leaf.path()).add(node.name()).build();
        each.add(new Leaf(path, ImmutableList.of(node)));
      }
    }
    return each.build();
  }

  /** T-13: whether conditions of pods on nodes count. */
  boolean isByNode() {
    return topology.endsInHosts() || hasNodesBelow();
  }

  private boolean hasNodesBelow() {
    return !bottom.equals(leaves);
  }

  /** {@return whether a domain has usage of its own, though there are nodes below it} */
  boolean isAboveNodes(Domain domain) {
    return hasNodesBelow() && domain.path.size() == topology.levels().size();
  }

  /** T-5. */
  private static boolean belongs(Node node, ResourceFlavor flavor, Topology topology) {
    return node.ready()
        && !node.unschedulable()
        && node.labels().keySet().containsAll(topology.levels())
        && node.labels().entrySet().containsAll(flavor.nodeLabels().entrySet());
  }

  private static List<String> path(Node node, Topology topology) {
    return topology.levels().stream()
        .map(level -> Objects.requireNonNull(node.labels().get(level)))
        .collect(ImmutableList.toImmutableList());
  }

  /** T-6, T-51: the name of a leaf, for usage and in assignments. */
  private static List<String> id(List<String> path, Topology topology) {
    return topology.endsInHosts() ? path.subList(path.size() - 1, path.size()) : path;
  }

  List<String> id(Leaf leaf) {
    return id(leaf.path().subList(0, topology.levels().size()), topology);
  }

  /** T-51: the levels that an assignment lists. */
  List<String> reportedLevels() {
    return id(topology.levels(), topology);
  }

  /** {@return whether all domains of an assignment are leaves} */
  boolean hasAll(TopologyAssignment places) {
    return places.domains().stream()
        .allMatch(domain -> leaves.stream().anyMatch(leaf -> id(leaf).equals(domain.values())));
  }

  /** {@return pods as an assignment lists them, by path} */
  List<TopologyAssignment.Domain> domains(Map<Leaf, Integer> counts) {
    return together(
        counts.entrySet().stream()
            .map(each -> new TopologyAssignment.Domain(id(each.getKey()), each.getValue()))
            .toList(),
        List.of());
  }

  /** {@return the pods of both, by path} */
  List<TopologyAssignment.Domain> together(
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
    taken.forEach((node, amounts) -> copy.taken.put(node, new LinkedHashMap<>(amounts)));
    return copy;
  }

  /** {@return the nodes without placed pods} */
  FlavorNodes emptied() {
    return new FlavorNodes(flavor, topology, leaves, bottom);
  }

  /** T-9; a negative {@code count} removes pods. */
  void charge(PlacedPods pods, int count) {
    Map<String, Long> used =
        usage.computeIfAbsent(id(pods.domain(), topology), domain -> new LinkedHashMap<>());
    add(pods.requests(), count, used);
  }

  private static void add(Map<String, Long> requests, int count, Map<String, Long> used) {
    PlacedPods.charge(requests)
        .forEach((resource, amount) ->
            used.merge(resource, Amount.multiply(amount, count), Amount::add));
  }

  /** T-21: of the nodes below leaves; usage of the leaves themselves is charged apart. */
  void take(Map<Leaf, Integer> counts, Map<String, Long> requests) {
    if (hasNodesBelow()) {
      counts.forEach((leaf, count) ->
          add(requests, count, taken.computeIfAbsent(leaf.path(), path -> new LinkedHashMap<>())));
    }
  }

  /** T-10: may be negative. A node below a leaf has none of the usage that the leaf has. */
  long free(Leaf leaf, String resource) {
    boolean isBelow = leaf.path().size() > topology.levels().size();
    Map<String, Long> used = isBelow
        ? taken.getOrDefault(leaf.path(), Map.of())
        : usage.getOrDefault(id(leaf), Map.of());
    return Amount.subtract(leaf.capacity(resource), used.getOrDefault(resource, 0L));
  }

  /** {@return the leaf with these values of all levels} */
  Leaf leaf(List<String> path) {
    return leaves.stream().filter(leaf -> leaf.path().equals(path)).findFirst().orElseThrow();
  }

  /** T-73, strictly: in the present state. */
  boolean hasRoomForAll(PlacedPods pods) {
    return leaf(pods)
        .filter(leaf -> room(leaf, PlacedPods.charge(pods.requests())) >= pods.count())
        .isPresent();
  }

  /** The leaf bounds what its nodes take together. */
  private long room(Leaf leaf, Map<String, Long> charge) {
    long all = PodRoom.of(charge, resource -> free(leaf, resource)).pods();
    return hasNodesBelow()
        ? Math.min(
            all,
            bottom.stream()
                .filter(node -> id(node).equals(id(leaf)))
                .mapToLong(
                    node -> PodRoom.of(charge, resource -> free(node, resource)).pods())
                .sum())
        : all;
  }

  private Optional<Leaf> leaf(PlacedPods pods) {
    return leaves.stream().filter(each -> id(each).equals(pods.domain())).findFirst();
  }

  /** T-73: in the present state, without {@code pods} and without pods that request nothing. */
  boolean hasRoomFor(PlacedPods pods) {
    Optional<Leaf> leaf = leaf(pods);
    return leaf.isPresent()
        && !pods.requests().isEmpty()
        && room(leaf.get(), pods.requests()) >= pods.count();
  }
}
