package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ReplacedSlice;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledGroup;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.fleet.SliceObstacles;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.SlicePlacement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Connects the choice of flavors with nodes and TPU pools: which flavors pods may use because of
 * their topology, which pods are placed, and whether they still fit their places.
 *
 * <p>Rules: F-10, F-32, T-18, T-20, T-21, T-22, T-23, T-67, T-73, T-76, T-77, T-78, T-88, TPU-F-22,
 * A.20 numbers 8 and 16.
 */
public final class WorkloadPlacer {
  private final Inventories inventories;
  private final Fleets fleets;
  private final Catalog catalog;
  private final ResourceName tpu;
  private final Settings settings;
  private final boolean keepsPlaces;
  private final BiPredicate<ClusterQueue, String> delays;

  /**
   * Creates a placer.
   *
   * @param inventories the nodes
   * @param fleets the TPU pools
   * @param catalog interns the names of resources
   * @param keepsPlaces whether pods of elastic workloads keep their places when the workload is
   *     scaled
   * @param delays whether the placement of pods of a queue on a flavor is delayed (T-76)
   */
  public WorkloadPlacer(
      Inventories inventories,
      Fleets fleets,
      Catalog catalog,
      boolean keepsPlaces,
      BiPredicate<ClusterQueue, String> delays) {
    this.delays = delays;
    this.inventories = inventories;
    this.fleets = fleets;
    this.catalog = catalog;
    this.tpu = catalog.resource(ResourceNames.TPU);
    this.keepsPlaces = keepsPlaces;
    this.settings = inventories.settings();
  }

  /** {@return whether the flavor of a pair has a topology} */
  boolean hasTopology(FlavorResource pair) {
    return inventories.hasTopology(pair.flavor());
  }

  /**
   * {@return why pods may not use a flavor because of its topology, null if they may; rule T-67}
   *
   * @param group the resource group that offers the flavor
   * @param queue the queue, which may require placement of all pods
   */
  @Nullable
  ReasonCode obstacle(
      String flavor, CompiledGroup group, CompiledPodSet podSet, ClusterQueue queue) {
    if (fleets.isUsed() || podSet.sliceRequest() != null) {
      ReasonCode obstacle = SliceObstacles.of(fleets, flavor, group, podSet, tpu);
      if (obstacle != null) {
        return obstacle;
      }
      if (podSet.sliceRequest() != null) {
        return null;
      }
    }
    boolean hasTopology = inventories.hasTopology(flavor);
    if (!podSet.asksForPlaces()) {
      return hasTopology && !inventories.isTopologyOnly(queue)
          ? ReasonCode.FLAVOR_WITH_TOPOLOGY
          : null;
    }
    if (!hasTopology) {
      return group.coversAny(podSet.podRequest()) ? ReasonCode.FLAVOR_WITHOUT_TOPOLOGY : null;
    }
    Inventory inventory = inventories.of(flavor);
    if (inventory == null) {
      return ReasonCode.FLAVOR_WITHOUT_TOPOLOGY;
    }
    boolean namesNoLevel = podSet.topologyLevels().isEmpty()
        && !podSet.source().topologyRequest().unconstrained().orElse(false);
    return namesNoLevel || !inventory.topology().levels().containsAll(podSet.topologyLevels())
        ? ReasonCode.TOPOLOGY_LEVEL_NOT_FOUND
        : null;
  }

  /** {@return whether pods of the workload must be placed if {@code queue} admits it} */
  public boolean isNeeded(CompiledWorkload workload, QueueQuota queue) {
    for (int i = 0; i < workload.size(); i++) {
      CompiledPodSet podSet = workload.podSet(i);
      if (podSet.sliceRequest() != null || podSet.asksForPlaces()) {
        return true;
      }
    }
    return inventories.isTopologyOnly(queue.spec());
  }

  /** {@return a plan to place the pods of a workload on the assigned flavors} */
  public PlacementPlan plan(CompiledWorkload workload, QueueQuota queue, Assignment assignment) {
    List<PodSetFlavors> podSets = queue.spec().admissionChecks().isEmpty()
        ? assignment.podSets()
        : assignment.podSets().stream()
            .filter(podSet -> !isDelayed(workload, queue, podSet))
            .toList();
    return plan(workload, queue, podSets, assignment.replaced(), slicePlan(workload, assignment));
  }

  /** {@return a plan to place the pods of an admitted workload whose placement was delayed} */
  public PlacementPlan planDelayed(
      CompiledWorkload workload, QueueQuota queue, Admission admission) {
    List<PodSetFlavors> delayed = admission.podSetAssignments().stream()
        .filter(podSet ->
            podSet.delayedTopologyRequest().equals(Optional.of(DelayedTopologyRequest.PENDING)))
        .map(podSet -> PodSetFlavors.admitted(workload.indexOf(podSet.name()), podSet, catalog))
        .toList();
    return plan(workload, queue, delayed, null, null);
  }

  private PlacementPlan plan(
      CompiledWorkload workload,
      QueueQuota queue,
      List<PodSetFlavors> podSets,
      @Nullable ReplacedSlice replaced,
      @Nullable SlicePlan slices) {
    return new PlacementPlan(
        inventories,
        workload,
        podSets,
        inventories.isTopologyOnly(queue.spec()),
        keepsPlaces && workload.source().elastic(),
        replaced,
        slices);
  }

  /**
   * {@return the places of pods beside admitted workloads, the elastic slice that they replace
   * excepted if its places count once (T-88)}
   *
   * @param replaced the elastic slice, null if there is none
   */
  public Places place(PlacementPlan plan, @Nullable ReplacedSlice replaced) {
    if (replaced == null
        || !keepsPlaces
        || !settings.includes(KueueFix.REPLACED_SLICES_ONCE)
        || countsKeptPodsOnce()) {
      return plan.place(true);
    }
    return inventories.inTrial(() -> {
      inventories.uncharge(replaced.holder().footprint());
      return plan.place(true);
    });
  }

  /**
   * {@return whether the nodes of pods that keep their places when their elastic slice is replaced
   * are charged once, also in the search for victims, where Kueue charges them twice (T-88)}
   */
  public boolean countsKeptPodsOnce() {
    return settings.strictTopology();
  }

  /**
   * {@return whether the pods are placed only after quota reservation; false for pods that cannot
   * be placed at all, so that the workload does not get the quota}
   */
  public boolean isDelayed(CompiledWorkload workload, QueueQuota queue, PodSetFlavors podSet) {
    ClusterQueue source = queue.spec();
    if (source.admissionChecks().isEmpty() || podSet.count() == 0) {
      return false;
    }
    CompiledPodSet asking = workload.podSet(podSet.podSet());
    boolean isPlaced = inventories.isTopologyOnly(source) || asking.asksForPlaces();
    boolean isRefused = keepsPlaces
        && workload.source().elastic()
        && PlacementPlan.isRefusedOfSlices(asking.source().topologyRequest());
    if (!isPlaced || isRefused) {
      return false;
    }
    List<String> flavors = podSet.flavors(inventories::hasTopology);
    return flavors.size() == 1 && delays.test(source, flavors.get(0));
  }

  /** {@return a plan to place the TPU slices of a workload, null if it requests none} */
  private @Nullable SlicePlan slicePlan(CompiledWorkload workload, Assignment assignment) {
    SlicePlan plan = slicePlan(workload);
    if (plan == null) {
      return null;
    }
    assignment.podSets().forEach(plan::add);
    return plan.isEmpty() ? null : plan;
  }

  /** {@return a plan still without TPU slices, null if a workload requests none} */
  @Nullable
  SlicePlan slicePlan(CompiledWorkload workload) {
    if (fleets.isUsed()) {
      for (int i = 0; i < workload.size(); i++) {
        if (workload.podSet(i).sliceRequest() != null) {
          return new SlicePlan(fleets, workload, tpu);
        }
      }
    }
    return null;
  }

  /** {@return the present TPU pools of a flavor, null if it has none} */
  @Nullable
  PoolSetState poolsOf(String flavor) {
    return fleets.stateOf(flavor);
  }

  /** Charges pods to their leaves in a trial. */
  public void charge(CompiledWorkload workload, Places places) {
    places.podSets().forEach(place -> charge(workload, place));
    fleets.put(places.slicesOf(workload));
  }

  private void charge(CompiledWorkload workload, Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(inventories.of(place.flavor()));
    for (LeafCount leaf : place.leaves()) {
      inventories.charge(
          inventory, leaf.leaf(), workload.podSet(place.podSet()).podRequest(), leaf.count());
    }
  }

  private void assume(CompiledWorkload workload, Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(inventories.of(place.flavor()));
    for (LeafCount leaf : place.leaves()) {
      inventories.assume(
          inventory, leaf.leaf(), workload.podSet(place.podSet()).podRequest(), leaf.count());
    }
  }

  /**
   * {@return the first pod set whose pods do not fit their leaves any more, negative if all fit;
   * rule T-73}
   */
  public int firstMisplaced(CompiledWorkload workload, Places places) {
    for (Places.PodSetSlices of : places.slices()) {
      for (SlicePlacement slice : of.slices()) {
        if (!fleets.isFree(of.poolSet(), slice)) {
          return of.podSet();
        }
      }
    }
    for (Places.PodSetPlace place : places.podSets()) {
      // Kueue checks each pod set as if it were alone.
      boolean fits = settings.strictTopology()
          ? inventories.inTrial(() -> fitsBesideOthers(workload, place, places))
          : fits(workload, place);
      if (!fits) {
        return place.podSet();
      }
    }
    return -1;
  }

  private boolean fitsBesideOthers(
      CompiledWorkload workload, Places.PodSetPlace place, Places places) {
    for (Places.PodSetPlace other : places.podSets()) {
      if (!other.equals(place)) {
        assume(workload, other);
      }
    }
    return fits(workload, place);
  }

  private boolean fits(CompiledWorkload workload, Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(inventories.of(place.flavor()));
    PodRequest request = workload.podSet(place.podSet()).podRequest();
    for (LeafCount leaf : place.leaves()) {
      int fitting = settings.strictTopology()
          ? inventory.fitting(leaf.leaf(), request)
          : inventory.fittingByOwnRequests(leaf.leaf(), request);
      if (fitting < leaf.count()) {
        return false;
      }
    }
    return true;
  }
}
