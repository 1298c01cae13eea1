package io.kueue4j.core.internal.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.SliceDemand;
import io.kueue4j.core.internal.fleet.SliceMisfit;
import io.kueue4j.core.tpu.SlicePlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The TPU slices that the pod sets of one workload request, by pool set of their flavors, to be
 * placed together.
 *
 * <p>Rules: TPU-F-22.
 */
final class SlicePlan {
  private final Fleets fleets;
  private final Map<String, List<SliceDemand>> byPoolSet = new TreeMap<>();

  SlicePlan(Fleets fleets) {
    this.fleets = fleets;
  }

  void add(String poolSet, SliceDemand demand) {
    byPoolSet.computeIfAbsent(poolSet, unused -> new ArrayList<>()).add(demand);
  }

  /** {@return the demands for a pool set so far, with more added} */
  List<SliceDemand> with(String poolSet, List<SliceDemand> more) {
    List<SliceDemand> all = new ArrayList<>(byPoolSet.getOrDefault(poolSet, List.of()));
    all.addAll(more);
    return all;
  }

  boolean isEmpty() {
    return byPoolSet.isEmpty();
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
      List<ImmutableList<SlicePlacement>> places = fleets.place(poolSet, demands, countsUsage);
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
