package io.kueue4j.core.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.compiled.CompiledGroup;
import io.kueue4j.core.compiled.CompiledPodSet;
import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.compiled.PodRequest;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.topology.Inventories;
import io.kueue4j.core.topology.Inventory;
import io.kueue4j.core.topology.Placement.LeafCount;
import io.kueue4j.core.topology.PlacementFailure;
import io.kueue4j.core.topology.PlacementRules;
import io.kueue4j.core.topology.PodSetPlacer;
import io.kueue4j.core.topology.PodSetPlacer.Member;
import io.kueue4j.core.topology.PodSetPlacer.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a workload whose flavors are chosen: flavor by flavor, group by group, each on
 * what the ones before have left.
 *
 * <p>Rules: F-32, T-18, T-20 … T-23, T-67, T-73, A.20 no. 8 and 16.
 */
public final class PodPlacer {
  private final Inventories inventories;
  private final Catalog catalog;
  private final PlacementRules rules;

  /**
   * Pod sets that are to be placed together.
   *
   * @param flavor the flavor whose nodes they go to
   * @param podSets their numbers, one or two
   */
  private record Group(int flavor, List<Integer> podSets) {}

  /**
   * Creates a placer.
   *
   * @param inventories the nodes
   * @param catalog names flavors
   */
  public PodPlacer(Inventories inventories, Catalog catalog) {
    this.inventories = inventories;
    this.catalog = catalog;
    this.rules = inventories.rules();
  }

  /** {@return whether a flavor has a topology} */
  boolean hasTopology(int flavor) {
    return inventories.hasTopology(flavor);
  }

  /** {@return whether all pods of a queue are placed, whether they ask or not} */
  boolean isImplied(ClusterQueue queue) {
    return inventories.isTopologyOnly(queue);
  }

  /**
   * {@return why pods may not use a flavor because of its topology, null if they may; rule T-67}
   *
   * @param group the resource group that offers the flavor
   * @param implied whether the pods are placed even if they do not ask
   */
  @Nullable
  ReasonCode obstacle(int flavor, CompiledGroup group, CompiledPodSet podSet, boolean implied) {
    boolean hasTopology = inventories.hasTopology(flavor);
    TopologyRequest request = podSet.source().topologyRequest();
    if (!request.isExplicit()) {
      return hasTopology && !implied ? ReasonCode.FLAVOR_WITH_TOPOLOGY : null;
    }
    if (!hasTopology) {
      return group.coversAny(podSet.podRequest()) ? ReasonCode.FLAVOR_WITHOUT_TOPOLOGY : null;
    }
    Inventory inventory = inventories.of(flavor);
    if (inventory == null) {
      return ReasonCode.FLAVOR_WITHOUT_TOPOLOGY;
    }
    boolean namesNoLevel =
        request.levels().isEmpty() && !request.unconstrained().orElse(false);
    return namesNoLevel || !inventory.topology().levels().containsAll(request.levels())
        ? ReasonCode.TOPOLOGY_LEVEL_NOT_FOUND
        : null;
  }

  /** {@return whether pods of the workload are to be placed if {@code queue} admits it} */
  public boolean isNeeded(CompiledWorkload workload, QueueQuota queue) {
    boolean implied = inventories.isTopologyOnly(queue.compiled().source());
    for (int i = 0; i < workload.size(); i++) {
      if (implied || workload.podSet(i).source().topologyRequest().isExplicit()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Searches places for all pods.
   *
   * @param countsUsage whether what admitted workloads use is taken
   */
  public Places place(
      CompiledWorkload workload, QueueQuota queue, Assignment assignment, boolean countsUsage) {
    boolean implied = inventories.isTopologyOnly(queue.compiled().source());
    Map<String, List<Group>> byFlavor = new TreeMap<>();
    for (PodSetFlavors flavors : inOrderOfPodSets(assignment)) {
      CompiledPodSet podSet = workload.podSet(flavors.podSet());
      if (!implied && !podSet.source().topologyRequest().isExplicit()) {
        continue;
      }
      int flavor = flavorOf(flavors);
      if (flavor < 0) {
        return Places.failed(flavors.podSet(), PlacementFailure.of("", problem(flavors)));
      }
      if (flavors.count() > 0) {
        join(
            byFlavor.computeIfAbsent(catalog.flavorName(flavor), unused -> new ArrayList<>()),
            flavor,
            workload,
            flavors.podSet());
      }
    }
    Map<Integer, Integer> counts = new LinkedHashMap<>();
    assignment.podSets().forEach(flavors -> counts.put(flavors.podSet(), flavors.count()));
    int checkpoint = inventories.checkpoint();
    try {
      return place(workload, byFlavor, counts, implied, countsUsage);
    } finally {
      inventories.rollback(checkpoint);
    }
  }

  /** The assignment lists a group at its first member; groups may part over several flavors. */
  private static ImmutableList<PodSetFlavors> inOrderOfPodSets(Assignment assignment) {
    return ImmutableList.sortedCopyOf(
        Comparator.comparingInt(PodSetFlavors::podSet), assignment.podSets());
  }

  /** Charges pods to their leaves on trial. */
  public void charge(CompiledWorkload workload, Places places) {
    places.podSets().forEach(place -> charge(workload, place));
  }

  private void charge(CompiledWorkload workload, Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(inventories.of(place.flavor()));
    for (LeafCount leaf : place.leaves()) {
      inventories.charge(
          inventory, leaf.leaf(), workload.podSet(place.podSet()).podRequest(), leaf.count());
    }
  }

  /**
   * {@return the first pod set whose pods do not fit the leaves that they were given any more,
   * negative if all do; rule T-73}
   */
  public int firstMisplaced(CompiledWorkload workload, Places places) {
    int checkpoint = inventories.checkpoint();
    try {
      for (Places.PodSetPlace place : places.podSets()) {
        if (!fits(workload, place)) {
          return place.podSet();
        }
        if (rules.strict()) {
          // Kueue looks at each pod set as if it was alone.
          charge(workload, place);
        }
      }
      return -1;
    } finally {
      inventories.rollback(checkpoint);
    }
  }

  private boolean fits(CompiledWorkload workload, Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(inventories.of(place.flavor()));
    PodRequest request = workload.podSet(place.podSet()).podRequest();
    for (LeafCount leaf : place.leaves()) {
      int fitting = rules.strict()
          ? inventory.fitting(leaf.leaf(), request)
          : inventory.fittingByOwnRequests(leaf.leaf(), request);
      if (fitting < leaf.count()) {
        return false;
      }
    }
    return true;
  }

  private static void join(List<Group> groups, int flavor, CompiledWorkload workload, int podSet) {
    var name = workload.podSet(podSet).source().group();
    if (name.isPresent()) {
      for (Group group : groups) {
        if (group.podSets.size() < 2
            && workload.podSet(group.podSets.get(0)).source().group().equals(name)) {
          group.podSets.add(podSet);
          return;
        }
      }
    }
    groups.add(new Group(flavor, new ArrayList<>(List.of(podSet))));
  }

  private Places place(
      CompiledWorkload workload,
      Map<String, List<Group>> byFlavor,
      Map<Integer, Integer> counts,
      boolean implied,
      boolean countsUsage) {
    List<Places.PodSetPlace> placed = new ArrayList<>();
    int assumed = 0;
    Places failed = null;
    for (List<Group> groups : byFlavor.values()) {
      for (Group group : groups) {
        for (; assumed < placed.size(); assumed++) {
          assume(workload, placed.get(assumed));
        }
        Places failure = place(workload, group, counts, implied, countsUsage, placed);
        if (failure != null) {
          failed = failed == null ? failure : failed;
          break;
        }
      }
    }
    return failed == null ? Places.found(ImmutableList.copyOf(placed)) : failed;
  }

  /** Places one group. {@return why it has no place, null if it has} */
  private @Nullable Places place(
      CompiledWorkload workload,
      Group group,
      Map<Integer, Integer> counts,
      boolean implied,
      boolean countsUsage,
      List<Places.PodSetPlace> placed) {
    int worker = group.podSets.get(0);
    int leader = -1;
    if (group.podSets.size() == 2) {
      int second = group.podSets.get(1);
      boolean firstLeads = count(counts, worker) < count(counts, second);
      leader = firstLeads ? worker : second;
      worker = firstLeads ? second : worker;
    }
    Inventory inventory = Objects.requireNonNull(inventories.of(group.flavor));
    Outcome outcome = new PodSetPlacer(inventory, catalog, rules)
        .place(
            member(workload, worker, counts, implied),
            leader < 0 ? null : member(workload, leader, counts, implied),
            countsUsage);
    if (outcome instanceof Outcome.Failed failed) {
      return Places.failed(group.podSets.get(0), failed.failure());
    }
    Outcome.Placed found = (Outcome.Placed) outcome;
    placed.add(new Places.PodSetPlace(worker, group.flavor, found.leaves()));
    if (leader >= 0) {
      ImmutableList<LeafCount> leaf = ImmutableList.of(new LeafCount(found.leaderLeaf(), 1));
      placed.add(new Places.PodSetPlace(leader, group.flavor, leaf));
    }
    return null;
  }

  /** Keeps the pods placed after these from the room that these take. */
  private void assume(CompiledWorkload workload, Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(inventories.of(place.flavor()));
    for (LeafCount leaf : place.leaves()) {
      inventories.assume(
          inventory, leaf.leaf(), workload.podSet(place.podSet()).podRequest(), leaf.count());
    }
  }

  private static Member member(
      CompiledWorkload workload, int podSet, Map<Integer, Integer> counts, boolean implied) {
    CompiledPodSet compiled = workload.podSet(podSet);
    return new Member(
        compiled.source(),
        count(counts, podSet),
        compiled.podRequest(),
        implied && !compiled.source().topologyRequest().isExplicit());
  }

  private static int count(Map<Integer, Integer> counts, int podSet) {
    return counts.getOrDefault(podSet, 0);
  }

  /** {@return the one flavor with nodes that a pod set has, negative if it has none or several} */
  private int flavorOf(PodSetFlavors podSet) {
    int found = -1;
    for (int i = 0; i < podSet.size(); i++) {
      int flavor = catalog.flavorOfPair(podSet.pair(i));
      if (inventories.of(flavor) != null && flavor != found) {
        if (found >= 0) {
          return -1;
        }
        found = flavor;
      }
    }
    return found;
  }

  private String problem(PodSetFlavors podSet) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < podSet.size(); i++) {
      int flavor = catalog.flavorOfPair(podSet.pair(i));
      String name = catalog.flavorName(flavor);
      if (inventories.of(flavor) != null && !found.contains(name)) {
        found.add(name);
      }
    }
    return found.isEmpty()
        ? "no TAS flavor assigned"
        : "more than one TAS flavor assigned: " + String.join(", ", found);
  }
}
