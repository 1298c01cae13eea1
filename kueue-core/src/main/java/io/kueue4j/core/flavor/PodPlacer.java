package io.kueue4j.core.flavor;

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
import io.kueue4j.core.topology.PlacementRules;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What nodes have to do with the choice of flavors: who may use which, whose pods are placed, and
 * whether they still fit where they were placed.
 *
 * <p>Rules: F-32, T-18, T-67, T-73, A.20 no. 8 and 16.
 */
public final class PodPlacer {
  private final Inventories inventories;
  private final Catalog catalog;
  private final PlacementRules rules;
  private final boolean keepsPlaces;

  /**
   * Creates a placer.
   *
   * @param inventories the nodes
   * @param catalog names flavors
   * @param keepsPlaces whether pods of elastic workloads stay where they are when these are scaled
   */
  public PodPlacer(Inventories inventories, Catalog catalog, boolean keepsPlaces) {
    this.inventories = inventories;
    this.catalog = catalog;
    this.keepsPlaces = keepsPlaces;
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

  /** {@return what places the pods of a workload that was assigned flavors of {@code queue}} */
  public PlacementPlan plan(CompiledWorkload workload, QueueQuota queue, Assignment assignment) {
    return new PlacementPlan(
        inventories,
        catalog,
        workload,
        assignment,
        inventories.isTopologyOnly(queue.compiled().source()),
        keepsPlaces && workload.source().elastic());
  }

  /**
   * {@return whether the nodes of pods that stay when their slice is replaced are charged once, as
   * those of the slice, while more are placed; Kueue charges them twice as long as the slice is
   * there (T-88)}
   */
  public boolean countsKeptPodsOnce() {
    return rules.strict();
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
}
