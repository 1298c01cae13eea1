package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.Comparators;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Another place for the pods of a pod set that were on a failed host.
 *
 * <p>Rules: T-82, T-83, T-84, T-85, T-93; T-83 and T-85 as section 17 of the rule index has them.
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
    Optional<List<TopologyAssignment.Domain>> moved =
        replacement.find(current).filter(domains -> !replacement.splitsSlice(domains));
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
    List<String> levels = nodes.topology.levels();
    TopologyRequest request = pods.podSet().topologyRequest();
    if (Wish.problem(request, levels).isPresent()) {
      return Optional.empty();
    }
    Wish wish = Wish.of(request, levels);
    Slices slices = wish.slices();
    boolean isBroken = !kept.isEmpty() && slices.areRequested() && lost % slices.size() != 0;
    if (!isBroken) {
      return place(wish, domainOfRequired(request, levels));
    }
    return rest(wish).flatMap(rest -> domainOfBroken(slices).flatMap(path -> place(rest, path)));
  }

  private List<String> domainOfRequired(TopologyRequest request, List<String> levels) {
    return kept.isEmpty()
        ? List.of()
        : request
            .required()
            .map(level -> path(kept.get(0)).subList(0, levels.indexOf(level) + 1))
            .orElse(ImmutableList.of());
  }

  /** T-84: a request for slices alone names no level without them, unless that is strict. */
  private Optional<Wish> rest(Wish wish) {
    Slices finest = finestLayer(wish.slices());
    if (options.isStrict()) {
      return Optional.of(wish.with(finest));
    }
    TopologyRequest rest = withFinestLayer(pods.podSet().topologyRequest(), finest);
    boolean namesLevel = !rest.levels().isEmpty() || rest.unconstrained().orElse(false);
    return namesLevel ? Optional.of(Wish.of(rest, nodes.topology.levels())) : Optional.empty();
  }

  private Optional<Leaf> leaf(TopologyAssignment.Domain domain) {
    return nodes.leaves.stream()
        .filter(leaf -> nodes.id(leaf).equals(domain.values()))
        .findFirst();
  }

  private List<String> path(TopologyAssignment.Domain domain) {
    return leaf(domain).orElseThrow().path();
  }

  /** T-83, T-93: by the finest incomplete layer; of several domains the first, as listed. */
  private Optional<List<String>> domainOfBroken(Slices slices) {
    SliceConstraint broken = finestBroken(slices);
    int depth = nodes.topology.levels().indexOf(broken.topology()) + 1;
    Map<List<String>, Integer> counts = options.mayBePartial()
        ? new LinkedHashMap<>()
        : new TreeMap<>(Comparators.lexicographical(Comparator.<String>naturalOrder()));
    for (TopologyAssignment.Domain domain : kept) {
      counts.merge(path(domain).subList(0, depth), domain.count(), Integer::sum);
    }
    int all = lost + counts.values().stream().mapToInt(Integer::intValue).sum();
    List<String> last = ImmutableList.copyOf(counts.keySet()).reverse().get(0);
    return counts.entrySet().stream()
        .filter(entry -> (entry.getValue() + lost) % broken.size()
            == (options.mayBePartial() && entry.getKey().equals(last) ? all % broken.size() : 0))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private SliceConstraint finestBroken(Slices slices) {
    return Lists.reverse(slices.layers()).stream()
        .filter(layer -> lost % layer.size() != 0)
        .findFirst()
        .orElseThrow();
  }

  private Slices finestLayer(Slices slices) {
    return new Slices(Lists.reverse(slices.layers()).stream()
        .filter(layer -> lost % layer.size() == 0)
        .findFirst()
        .map(ImmutableList::of)
        .orElse(ImmutableList.of()));
  }

  /** T-84. */
  private static TopologyRequest withFinestLayer(TopologyRequest request, Slices finest) {
    TopologyRequest.Builder rest =
        TopologyRequest.builder().required(request.required()).preferred(request.preferred());
    request.unconstrained().ifPresent(rest::unconstrained);
    finest.layers().forEach(rest::addSliceConstraints);
    return rest.build();
  }

  private Optional<List<TopologyAssignment.Domain>> place(Wish wish, List<String> within) {
    Predicate<Leaf> mayBeUsed = leaf -> leaf.path().subList(0, within.size()).equals(within)
        && !leaf.path().get(leaf.path().size() - 1).equals(host);
    if (nodes.leaves.isEmpty()) {
      return Optional.empty();
    }
    DomainTree tree = new DomainTree(nodes, pods, null, wish, options, mayBeUsed);
    Found found = Found.of(Search.of(tree, wish, lost, options).leaves());
    return found.count() == lost && lost > 0
        ? Optional.of(nodes.domains(found.pods()))
        : Optional.empty();
  }

  /** T-93. */
  private boolean splitsSlice(List<TopologyAssignment.Domain> moved) {
    Wish wish = Wish.of(pods.podSet().topologyRequest(), nodes.topology.levels());
    return options.mayBePartial()
        && PartialSearch.splitSlice(nodes.together(kept, moved), nodes, wish);
  }

  /** T-85. */
  private TopologyAssignment together(
      List<TopologyAssignment.Domain> moved, TopologyAssignment current) {
    List<TopologyAssignment.Domain> all = nodes.together(kept, moved);
    Wish wish = Wish.of(pods.podSet().topologyRequest(), nodes.topology.levels());
    return new TopologyAssignment(
        current.levels(), options.mayBePartial() ? PartialSearch.restLast(all, nodes, wish) : all);
  }
}
