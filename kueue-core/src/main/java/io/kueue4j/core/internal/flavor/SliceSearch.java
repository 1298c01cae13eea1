package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.compiled.CompiledGroup;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.SliceDemand;
import io.kueue4j.core.internal.fleet.SliceMisfit;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.tpu.SliceRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides during the search over flavors whether the TPU slices of a workload fit a flavor,
 * together with those assigned before.
 *
 * <p>Rules: TPU-F-22.
 */
final class SliceSearch {
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
  private final SlicePlan given;

  /**
   * Creates the search for one workload.
   *
   * @param fleets the pools
   * @param workload the workload
   * @param tpu the resource of TPU chips
   */
  SliceSearch(Fleets fleets, CompiledWorkload workload, ResourceName tpu) {
    this.fleets = fleets;
    this.workload = workload;
    this.tpu = tpu;
    this.given = new SlicePlan(fleets);
  }

  /** {@return the resource of TPU chips} */
  ResourceName resource() {
    return tpu;
  }

  /** {@return the demands of the pod sets of a group for a flavor} */
  private List<SliceDemand> demands(int[] members, CompiledGroup group, String flavor) {
    List<SliceDemand> demands = new ArrayList<>(members.length);
    if (fleets.hasPools(flavor)) {
      for (int member : members) {
        CompiledPodSet podSet = workload.podSet(member);
        SliceRequest request = podSet.sliceRequest();
        if (request != null && group.covers(tpu)) {
          demands.add(new SliceDemand(member, request));
        }
      }
    }
    return demands;
  }

  /** {@return whether the TPU slices of a group fit a flavor; records a reason if not} */
  Room room(int[] members, CompiledGroup group, String flavor, ReasonLog reasons) {
    List<SliceDemand> demands = demands(members, group, flavor);
    String poolSet = fleets.poolSetOf(flavor);
    if (demands.isEmpty() || poolSet == null) {
      return Room.FREE;
    }
    List<SliceDemand> all = given.with(poolSet, demands);
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

  /**
   * {@return whether the TPU slices assigned so far and the slices of a group fit what is free now}
   */
  boolean fits(int[] members, CompiledGroup group, String flavor) {
    String poolSet = fleets.poolSetOf(flavor);
    return poolSet != null
        && fleets.place(poolSet, given.with(poolSet, demands(members, group, flavor)), true)
            != null;
  }

  /** Records the flavor assigned to a pod set for its chips. */
  void give(int podSet, String flavor) {
    SliceRequest request = workload.podSet(podSet).sliceRequest();
    String poolSet = fleets.poolSetOf(flavor);
    if (request != null && poolSet != null) {
      given.add(poolSet, new SliceDemand(podSet, request));
    }
  }
}
