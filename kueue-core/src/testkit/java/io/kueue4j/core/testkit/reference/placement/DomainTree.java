package io.kueue4j.core.testkit.reference.placement;

import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The domains of a flavor with their capacity.
 *
 * <p>Rules: T-24, T-25, T-26, T-48, T-56, T-61, T-64.
 */
final class DomainTree {
  final Statistics statistics;
  private final FlavorNodes nodes;
  private final Pods workers;
  private final @Nullable Pods leader;
  private final Wish wish;
  private final Placement.Options options;
  private final Predicate<Leaf> mayBeUsed;
  private final Map<List<String>, Domain> domains = new LinkedHashMap<>();

  /**
   * Builds the tree and computes capacities.
   *
   * @param leader one pod of these is placed with the workers, null for none
   * @param options the options
   * @param mayBeUsed the leaves that pods may use (T-83)
   */
  DomainTree(
      FlavorNodes nodes,
      Pods workers,
      @Nullable Pods leader,
      Wish wish,
      Placement.Options options,
      Predicate<Leaf> mayBeUsed) {
    this.options = options;
    this.mayBeUsed = mayBeUsed;
    this.nodes = nodes;
    this.workers = workers;
    this.leader = leader;
    this.wish = wish;
    this.statistics = new Statistics(nodes.bottom.size());
    nodes.bottom.forEach(leaf -> domain(leaf.path()).leaf = leaf);
    atLevel(0).forEach(this::count);
  }

  private Domain domain(List<String> path) {
    Domain known = domains.get(path);
    if (known != null) {
      return known;
    }
    Domain domain = new Domain(path);
    domains.put(path, domain);
    if (path.size() > 1) {
      domain(path.subList(0, path.size() - 1)).children.add(domain);
    }
    return domain;
  }

  List<Domain> atLevel(int level) {
    return domains.values().stream().filter(domain -> domain.level() == level).toList();
  }

  private void count(Domain domain) {
    if (domain.leaf != null) {
      countLeaf(domain, domain.leaf);
    } else {
      domain.children.forEach(this::count);
      rollUp(domain, wish.innerSize(domain.level() + 1));
    }
    countSlices(domain);
  }

  private void countSlices(Domain domain) {
    if (domain.level() == wish.sliceLevel()) {
      domain.slices = domain.pods / wish.sliceSize();
      domain.slicesWithLeader = domain.podsWithLeader / wish.sliceSize();
    }
  }

  /** T-56: computes the capacity of {@code domain} again, ignoring inner slices. */
  void countAgain(Domain domain) {
    domain.children.forEach(this::countAgain);
    if (domain.leaf == null) {
      rollUp(domain, 1);
    }
    countSlices(domain);
  }

  boolean hasLeader() {
    return leader != null;
  }

  /** T-24, T-25; by T-23 the leader may be where the workers may, or where it may itself. */
  private void countLeaf(Domain domain, Leaf leaf) {
    Optional<String> obstacle = obstacle(workers, leaf);
    if (obstacle.isPresent()) {
      statistics.exclude(obstacle.get());
      if (options.areLeadersFeasible() && leader != null && mayBeUsed.test(leaf)) {
        domain.hostsLeader = mayHostLeader(leaf, leader);
      }
      return;
    }
    if (nodes.isByNode() && options.areNodesPreferred()) {
      domain.score = NodeFilter.score(workers.podSet(), leaf.nodes().get(0));
    }
    if (!mayBeUsed.test(leaf)) {
      return;
    }
    Map<String, Long> worker = PodRoom.charge(workers);
    PodRoom room = PodRoom.of(worker, resource -> nodes.free(leaf, resource));
    domain.pods = room.pods();
    domain.podsWithLeader = room.pods();
    if (room.pods() == 0) {
      statistics.exclude("resource \"" + room.limitingResource() + "\"");
    }
    if (leader != null) {
      Map<String, Long> beside = PodRoom.charge(leader);
      domain.hostsLeader = mayHostLeader(leaf, leader);
      if (domain.hostsLeader) {
        domain.podsWithLeader = PodRoom.of(
                worker,
                resource ->
                    Amount.subtract(nodes.free(leaf, resource), beside.getOrDefault(resource, 0L)))
            .pods();
      }
    }
  }

  private boolean mayHostLeader(Leaf leaf, Pods of) {
    boolean isAllowed = !options.areLeadersFeasible() || obstacle(of, leaf).isEmpty();
    return isAllowed
        && PodRoom.of(PodRoom.charge(of), resource -> nodes.free(leaf, resource))
                .pods()
            >= 1;
  }

  private Optional<String> obstacle(Pods of, Leaf leaf) {
    return nodes.isByNode()
        ? NodeFilter.obstacle(of.podSet(), nodes.flavor, leaf.nodes().get(0))
        : Optional.empty();
  }

  /** T-26. */
  private void rollUp(Domain parent, int inner) {
    List<Domain> hosts = new ArrayList<>(parent.children);
    if (leader != null) {
      hosts.removeIf(child -> !child.hostsLeader);
    }
    parent.hostsLeader = leader != null && !hosts.isEmpty();
    parent.pods =
        parent.children.stream().mapToLong(child -> whole(child.pods, inner)).sum();
    parent.slices = parent.children.stream().mapToLong(child -> child.slices).sum();
    parent.score = parent.children.stream().mapToLong(child -> child.score).sum();
    parent.podsWithLeader = 0;
    parent.slicesWithLeader = 0;
    if (!hosts.isEmpty()) {
      parent.podsWithLeader = parent.pods
          - hosts.stream()
              .mapToLong(child -> whole(child.pods, inner) - whole(child.podsWithLeader, inner))
              .min()
              .orElse(0);
      parent.slicesWithLeader = parent.slices
          - hosts.stream().mapToLong(child -> child.leaderPenalty(true)).min().orElse(0);
    }
    if (nodes.isAboveNodes(parent)) {
      bound(parent, nodes.leaf(parent.path));
    }
  }

  /** T-13: nodes have none of the usage that the leaf above them has. */
  private void bound(Domain domain, Leaf leaf) {
    Map<String, Long> worker = PodRoom.charge(workers);
    domain.pods = Math.min(
        domain.pods, PodRoom.of(worker, resource -> nodes.free(leaf, resource)).pods());
    Map<String, Long> beside = leader == null ? Map.of() : PodRoom.charge(leader);
    boolean hasRoom = PodRoom.of(beside, resource -> nodes.free(leaf, resource)).pods() >= 1;
    domain.hostsLeader &= hasRoom;
    PodRoom withLeader = PodRoom.of(
        worker,
        resource -> hasRoom
            ? Amount.subtract(nodes.free(leaf, resource), beside.getOrDefault(resource, 0L))
            : nodes.free(leaf, resource));
    domain.podsWithLeader = Math.min(Math.max(0, domain.podsWithLeader), withLeader.pods());
  }

  private static long whole(long pods, int unit) {
    return pods / unit * unit;
  }
}
