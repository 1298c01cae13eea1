package io.kueue4j.core.internal.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ReasonLog;
import io.kueue4j.core.internal.compiled.CompiledGroup;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.SliceDemand;
import io.kueue4j.core.internal.fleet.SliceMisfit;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The TPU slices that the pod sets of one workload request, by pool set of their flavors, to be
 * placed together; and, during the search over flavors, whether more of them fit a flavor.
 *
 * <p>Rules: TPU-F-22.
 */
final class SlicePlan {
  /** Whether TPU slices fit. */
  enum Room {
    /** They fit, or none are requested. */
    FREE,

    /** They would fit if other workloads stopped. */
    IN_USE,

    /** They would not fit even if all other workloads stopped. */
    NONE
  }

  private final Fleets fleets;
  private final CompiledWorkload workload;
  private final ResourceName tpu;
  private final Map<String, List<SliceDemand>> byPoolSet = new TreeMap<>();

  /**
   * Creates a plan without slices.
   *
   * @param fleets the pools
   * @param workload the workload
   * @param tpu the resource of TPU chips
   */
  SlicePlan(Fleets fleets, CompiledWorkload workload, ResourceName tpu) {
    this.fleets = fleets;
    this.workload = workload;
    this.tpu = tpu;
  }

  /** {@return the resource of TPU chips} */
  ResourceName resource() {
    return tpu;
  }

  /** Adds the slices of a pod set in the pools of the flavor of its chips. */
  void add(PodSetFlavors podSet) {
    SliceRequest request = workload.podSet(podSet.podSet()).sliceRequest();
    for (int i = 0; request != null && i < podSet.size(); i++) {
      String poolSet =
          podSet.resource(i) == tpu ? fleets.poolSetOf(podSet.pair(i).flavor()) : null;
      if (poolSet != null) {
        byPoolSet
            .computeIfAbsent(poolSet, unused -> new ArrayList<>())
            .add(new SliceDemand(podSet.podSet(), request));
      }
    }
  }

  boolean isEmpty() {
    return byPoolSet.isEmpty();
  }

  /** {@return the slices that the pod sets of a group request from the pools of a flavor} */
  private List<SliceDemand> demands(int[] members, CompiledGroup group, String flavor) {
    List<SliceDemand> demands = new ArrayList<>(members.length);
    if (fleets.hasPools(flavor)) {
      for (int member : members) {
        SliceRequest request = workload.podSet(member).sliceRequest();
        if (request != null && group.covers(tpu)) {
          demands.add(new SliceDemand(member, request));
        }
      }
    }
    return demands;
  }

  /** {@return the slices in a pool set so far, with more added} */
  private List<SliceDemand> with(String poolSet, List<SliceDemand> more) {
    List<SliceDemand> all = new ArrayList<>(byPoolSet.getOrDefault(poolSet, List.of()));
    all.addAll(more);
    return all;
  }

  /**
   * {@return whether the slices so far and the slices of a group on a flavor fit; records a reason
   * if not}
   */
  Room room(int[] members, CompiledGroup group, String flavor, ReasonLog reasons) {
    List<SliceDemand> demands = demands(members, group, flavor);
    String poolSet = fleets.poolSetOf(flavor);
    if (demands.isEmpty() || poolSet == null) {
      return Room.FREE;
    }
    List<SliceDemand> all = with(poolSet, demands);
    if (fleets.place(poolSet, all, true) != null) {
      return Room.FREE;
    }
    boolean fitsEmptied = fleets.place(poolSet, all, false) != null;
    fleets
        .state(poolSet)
        .ifPresent(state -> reasons.add(
            ReasonCode.SLICES_DO_NOT_FIT,
            demands.get(0).podSet(),
            flavor,
            new SliceMisfit(state, all, fitsEmptied)));
    return fitsEmptied ? Room.IN_USE : Room.NONE;
  }

  /** {@return whether the slices so far and the slices of a group fit what is free now} */
  boolean fits(int[] members, CompiledGroup group, String flavor) {
    String poolSet = fleets.poolSetOf(flavor);
    return poolSet != null
        && fleets.place(poolSet, with(poolSet, demands(members, group, flavor)), true) != null;
  }

  /** {@return whether all slices fit with what admitted workloads leave free} */
  boolean fits() {
    for (Map.Entry<String, List<SliceDemand>> demands : byPoolSet.entrySet()) {
      if (fleets.place(demands.getKey(), demands.getValue(), true) == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return {@code pods} with the places of the slices, or why there are none}
   *
   * @param pods the places of other pods
   * @param countsUsage whether the usage of admitted workloads counts
   */
  Places place(Places pods, boolean countsUsage) {
    ImmutableList.Builder<Places.PodSetSlices> placed = ImmutableList.builder();
    for (Map.Entry<String, List<SliceDemand>> of : byPoolSet.entrySet()) {
      String poolSet = of.getKey();
      List<SliceDemand> demands = of.getValue();
      List<List<SlicePlacement>> places = fleets.place(poolSet, demands, countsUsage);
      if (places == null) {
        return Places.failed(
            demands.get(0).podSet(),
            new SliceMisfit(fleets.state(poolSet).orElseThrow(), demands, countsUsage));
      }
      for (int i = 0; i < demands.size(); i++) {
        placed.add(new Places.PodSetSlices(demands.get(i).podSet(), poolSet, places.get(i)));
      }
    }
    return pods.withSlices(placed.build());
  }
}
