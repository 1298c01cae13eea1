package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableMap;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** What the invariants ask: the library as it is. {@link PlantedSliceBug} has wrong ones. */
class SliceLibrary {
  private final SliceFitter fitter = SliceFitter.create();
  private final SlicePlanner planner = SlicePlanner.create();

  TpuFleet allocate(TpuFleet fleet, TpuSlice slice) {
    return fleet.allocate(slice);
  }

  TpuFleet release(TpuFleet fleet, String id) {
    return fleet.release(id);
  }

  SliceFit fit(TpuFleet fleet, SliceRequest request) {
    return fitter.fit(fleet, request);
  }

  /** As topology-aware scheduling places slices. */
  SliceFit fitLikeTopology(TpuFleet fleet, SliceRequest request, boolean countsSlices) {
    return SliceFitter.create()
        .withObjective(
            countsSlices ? PlacementObjective.TOPOLOGY_SLICES : PlacementObjective.TOPOLOGY_DOMAINS)
        .fit(fleet, request);
  }

  BitSet hosts(SlicePlacement place) {
    return NaiveSlices.hosts(place);
  }

  boolean isRing(SlicePlacement place, int axis) {
    return place.isRing(axis);
  }

  Optional<FitFailure> explain(TpuFleet fleet, SliceRequest request) {
    return fitter.explain(fleet, request);
  }

  Optional<SliceEviction> victims(
      TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
    return planner.cheapestVictims(fleet, request, costOf);
  }

  Optional<Defragmentation> moves(TpuFleet fleet, SliceRequest request, int maxMoves) {
    return planner.defragmentation(fleet, request, maxMoves, Integer.MAX_VALUE);
  }

  /** {@return how many blocks of each shape there would be after moving} */
  Map<SliceShape, Integer> roomAfterMoving(TpuFleet fleet, String pool) {
    return PoolMetrics.of(fleet, pool).rooms().stream()
        .collect(ImmutableMap.toImmutableMap(
            PoolMetrics.Room::shape, PoolMetrics.Room::blocksAfterMoving));
  }
}
