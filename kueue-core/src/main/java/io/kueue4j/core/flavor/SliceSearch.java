package io.kueue4j.core.flavor;

import io.kueue4j.core.compiled.CompiledGroup;
import io.kueue4j.core.compiled.CompiledPodSet;
import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.fleet.Fleets;
import io.kueue4j.core.fleet.SliceDemand;
import io.kueue4j.core.fleet.SliceMisfit;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.tpu.SliceRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * What the walk over flavors asks of TPU pools: whether the slices of a workload have room in a
 * flavor, beside those that it was given before.
 *
 * <p>Rules: TPU-F-22.
 */
final class SliceSearch {
  /** Whether slices have room. */
  enum Room {
    /** They do, or none are asked for. */
    FREE,
    /** They would if others stopped. */
    IN_USE,
    /** They would not if all others stopped. */
    NONE
  }

  private final Fleets fleets;
  private final CompiledWorkload workload;
  private final int tpu;
  private final SlicePlan given;

  /**
   * Creates the search for one workload.
   *
   * @param fleets the pools
   * @param workload the workload
   * @param tpu the resource that TPU chips are
   */
  SliceSearch(Fleets fleets, CompiledWorkload workload, int tpu) {
    this.fleets = fleets;
    this.workload = workload;
    this.tpu = tpu;
    this.given = new SlicePlan(fleets);
  }

  /** {@return the resource that TPU chips are} */
  int resource() {
    return tpu;
  }

  /** {@return what the pod sets of a group ask for of a flavor} */
  private List<SliceDemand> demands(int[] members, CompiledGroup group, int flavor) {
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

  /** {@return whether the pod sets of a group have room in a flavor; if not, that is noted} */
  Room room(int[] members, CompiledGroup group, int flavor, ReasonLog reasons) {
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
        .ifPresent(state -> reasons.addSlices(
            ReasonCode.SLICES_DO_NOT_FIT,
            demands.get(0).podSet(),
            flavor,
            new SliceMisfit(state, all, fitsEmptied)));
    return fitsEmptied ? Room.IN_USE : Room.NONE;
  }

  /** {@return whether the slices given so far and those of a group fit what is free now} */
  boolean fits(int[] members, CompiledGroup group, int flavor) {
    String poolSet = fleets.poolSetOf(flavor);
    return poolSet != null
        && fleets.place(poolSet, given.with(poolSet, demands(members, group, flavor)), true)
            != null;
  }

  /** Notes the flavor that a pod set was given for its chips. */
  void give(int podSet, int flavor) {
    SliceRequest request = workload.podSet(podSet).sliceRequest();
    String poolSet = fleets.poolSetOf(flavor);
    if (request != null && poolSet != null) {
      given.add(poolSet, new SliceDemand(podSet, request));
    }
  }
}
