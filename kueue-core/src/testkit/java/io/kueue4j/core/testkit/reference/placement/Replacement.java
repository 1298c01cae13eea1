package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Another place for the pods of a pod set that were on a failed host.
 *
 * <p>Rules: T-82, T-83, T-84, T-85; T-83 and T-85 as section 17 of the rule index has them.
 */
public final class Replacement {
  private final Pods pods;
  private final FlavorNodes nodes;
  private final String host;
  private final Placement.Options options;
  private final List<TopologyAssignment.Domain> kept = new ArrayList<>();
  private int lost;

  private Replacement(Pods pods, Nodes nodes, String host, Placement.Options options) {
    this.pods = pods;
    this.nodes = nodes.flavor(pods.flavor());
    this.host = host;
    this.options = options;
  }

  /** {@return whether some of the placed pods are on a host} */
  public static boolean concerns(TopologyAssignment current, String host) {
    return current.levels().contains(Topology.HOSTNAME)
        && current.domains().stream().anyMatch(domain -> isOn(domain, host));
  }

  private static boolean isOn(TopologyAssignment.Domain domain, String host) {
    return domain.values().get(domain.values().size() - 1).equals(host);
  }

  /**
   * {@return the new assignment, empty if the pods on the host have no other place; the new places
   * are charged}
   *
   * @param pods the pod set
   * @param current the present assignment
   * @param host the failed host
   * @param nodes the nodes with all running pods
   * @param options the options
   */
  public static Optional<TopologyAssignment> find(
      Pods pods, TopologyAssignment current, String host, Nodes nodes, Placement.Options options) {
    Replacement replacement = new Replacement(pods, nodes, host, options);
    Optional<List<TopologyAssignment.Domain>> moved = replacement.find(current);
    moved.ifPresent(domains -> nodes.charge(PlacedPods.of(
        pods.podSet(),
        pods.flavor(),
        new TopologyAssignment(current.levels(), ImmutableList.copyOf(domains)))));
    return moved.map(domains -> replacement.together(domains, current));
  }

  private Optional<List<TopologyAssignment.Domain>> find(TopologyAssignment current) {
    for (TopologyAssignment.Domain domain : current.domains()) {
      if (isOn(domain, host)) {
        lost += domain.count();
      } else if (leaf(domain).isEmpty()) {
        return Optional.empty();
      } else {
        kept.add(domain);
      }
    }
    ImmutableList<String> levels = nodes.topology.levels();
    TopologyRequest request = pods.podSet().topologyRequest();
    if (Wish.problem(request, levels).isPresent()) {
      return Optional.empty();
    }
    Slices slices = Slices.of(request);
    boolean isBroken = !kept.isEmpty() && slices.areRequested() && lost % slices.size() != 0;
    if (!isBroken) {
      List<String> within = kept.isEmpty()
          ? List.of()
          : request
              .required()
              .map(level -> path(kept.get(0)).subList(0, levels.indexOf(level) + 1))
              .orElse(ImmutableList.of());
      return place(request, within);
    }
    // T-84: without slices, a request for slices alone names no level.
    TopologyRequest rest = withFinestLayer(request, slices);
    boolean namesLevel = !rest.levels().isEmpty() || rest.unconstrained().orElse(false);
    return namesLevel
        ? domainOfBroken(slices).flatMap(domain -> place(rest, domain))
        : Optional.empty();
  }

  private Optional<Leaf> leaf(TopologyAssignment.Domain domain) {
    return nodes.leaves.stream()
        .filter(leaf -> nodes.id(leaf).equals(domain.values()))
        .findFirst();
  }

  private ImmutableList<String> path(TopologyAssignment.Domain domain) {
    return leaf(domain).orElseThrow().path();
  }

  /** T-83: by the finest incomplete layer; of several domains the first by path. */
  private Optional<ImmutableList<String>> domainOfBroken(Slices slices) {
    SliceConstraint broken = slices.layers().reverse().stream()
        .filter(layer -> lost % layer.size() != 0)
        .findFirst()
        .orElseThrow();
    int depth = nodes.topology.levels().indexOf(broken.topology()) + 1;
    Map<String, ImmutableList<String>> paths = new TreeMap<>();
    Map<String, Integer> counts = new TreeMap<>();
    for (TopologyAssignment.Domain domain : kept) {
      ImmutableList<String> path = path(domain).subList(0, depth);
      // Joined by a character that sorts before all characters of names, so that texts sort like
      // paths.
      String key = String.join("\t", path);
      paths.put(key, path);
      counts.merge(key, domain.count(), Integer::sum);
    }
    return counts.entrySet().stream()
        .filter(entry -> (entry.getValue() + lost) % broken.size() == 0)
        .findFirst()
        .flatMap(entry -> Optional.ofNullable(paths.get(entry.getKey())));
  }

  /** T-84. */
  private TopologyRequest withFinestLayer(TopologyRequest request, Slices slices) {
    TopologyRequest.Builder rest =
        TopologyRequest.builder().required(request.required()).preferred(request.preferred());
    request.unconstrained().ifPresent(rest::unconstrained);
    slices.layers().reverse().stream()
        .filter(layer -> lost % layer.size() == 0)
        .findFirst()
        .ifPresent(rest::addSliceConstraints);
    return rest.build();
  }

  private Optional<List<TopologyAssignment.Domain>> place(
      TopologyRequest request, List<String> within) {
    Wish wish = Wish.of(request, nodes.topology.levels());
    DomainTree tree = new DomainTree(
        nodes,
        pods,
        null,
        wish,
        options.areNodesPreferred(),
        leaf -> leaf.path().subList(0, within.size()).equals(within)
            && !leaf.path().get(leaf.path().size() - 1).equals(host));
    if (tree.atLevel(0).isEmpty()) {
      return Optional.empty();
    }
    List<TopologyAssignment.Domain> moved = new ArrayList<>();
    for (Domain leaf : Search.of(tree, wish, lost, options).leaves()) {
      if (leaf.takenPods > 0) {
        moved.add(new TopologyAssignment.Domain(
            ImmutableList.of(leaf.path.get(leaf.path.size() - 1)), (int) leaf.takenPods));
      }
    }
    int placed = moved.stream().mapToInt(TopologyAssignment.Domain::count).sum();
    return placed == lost && lost > 0 ? Optional.of(moved) : Optional.empty();
  }

  /** T-85. */
  private TopologyAssignment together(
      List<TopologyAssignment.Domain> moved, TopologyAssignment current) {
    return new TopologyAssignment(current.levels(), nodes.together(kept, moved));
  }
}
