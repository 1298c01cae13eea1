package io.kueue4j.core.tpu;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/** Random fleets with slices that came and went, and hosts that broke. */
final class FleetStates {
  private FleetStates() {}

  static final TpuPool SMALL = TpuPool.grid("small", TpuGeneration.V6E, SliceShape.parse("8x8"), 4)
      .withAlignment(TpuPool.Alignment.HOST_ALIGNED);

  static TpuPool.Alignment alignment(Random random) {
    return random.nextBoolean() ? TpuPool.Alignment.ALIGNED_IDS : TpuPool.Alignment.HOST_ALIGNED;
  }

  static List<TpuPool> pods(TpuPool.Alignment alignment, int pods) {
    List<TpuPool> pools = new ArrayList<>();
    for (int i = 0; i < pods; i++) {
      pools.add(TpuPool.grid("pod-" + i, TpuGeneration.V6E, SliceShape.parse("16x16"), 4)
          .withFabric("fabric-" + i / 2)
          .withAlignment(alignment));
    }
    return pools;
  }

  static List<TpuPool> superpods(TpuPool.Alignment alignment) {
    return List.of(
        TpuPool.cubes("block-0", TpuGeneration.V7X, 5).withAlignment(alignment),
        TpuPool.cubes("block-1", TpuGeneration.V7X, 3).withAlignment(alignment));
  }

  /** {@return a fleet in which so many random requests came, some of which have left again} */
  static TpuFleet used(List<TpuPool> pools, Random random, int events) {
    TpuFleet fleet = TpuFleet.of(pools);
    SliceFitter fitter = SliceFitter.create();
    for (TpuPool pool : pools) {
      for (int broken = random.nextInt(4); broken > 0; broken--) {
        HostHealth health = random.nextBoolean() ? HostHealth.DOWN : HostHealth.DEGRADED;
        fleet = fleet.withHealth(pool.id(), health, random.nextInt(pool.hosts()));
      }
    }
    for (int i = 0; i < events; i++) {
      List<TpuSlice> slices = fleet.slices();
      if (!slices.isEmpty() && random.nextInt(3) == 0) {
        fleet = fleet.release(slices.get(random.nextInt(slices.size())).id());
      } else {
        SliceFit fit = fitter.fit(fleet, request(fleet.generation(), random));
        for (SlicePlacement place : fit.slices()) {
          TpuSlice slice = TpuSlice.of("slice-" + i, place);
          fleet = fleet.allocate(random.nextInt(8) == 0 ? slice.withoutMoving() : slice);
        }
      }
    }
    return fleet;
  }

  /** {@return a small fleet in which slices of all sizes were put anywhere} */
  static TpuFleet scattered(Random random) {
    TpuPool pool = random.nextBoolean()
        ? SMALL.withAlignment(alignment(random))
        : TpuPool.cubes("block", TpuGeneration.V7X, 1 + random.nextInt(3))
            .withAlignment(alignment(random));
    TpuFleet fleet = TpuFleet.of(pool);
    for (int i = random.nextInt(9); i > 0; i--) {
      SliceRequest request = request(pool.generation(), random);
      SliceShape shape = request.shapes().get(0);
      List<BitSet> places = NaiveSlices.free(
          NaiveSlices.boxes(pool, shape, false), NaiveSlices.busy(fleet, pool, true));
      if (!places.isEmpty() && shape.chips() <= 32) {
        BitSet place = places.get(random.nextInt(places.size()));
        TpuSlice slice = TpuSlice.of(
            "slice-" + i, SlicePlacement.ofBox(pool, shape, AxisOrder.XYZ, place.nextSetBit(0)));
        slice = random.nextInt(8) == 0 ? slice.withoutMoving() : slice;
        fleet = fleet.allocate(request.mayTurn() ? slice.withTurning() : slice);
      }
    }
    return fleet;
  }

  /** {@return a request for one slice of up to a quarter of a pod or two cubes} */
  static SliceRequest request(TpuGeneration generation, Random random) {
    List<SliceShape> shapes = generation.layout() == TpuGeneration.Layout.GRID
        ? generation.shapes().subList(1, 6)
        : List.of(
            SliceShape.parse("2x2x1"),
            SliceShape.parse("2x2x2"),
            SliceShape.parse("2x2x4"),
            SliceShape.parse("2x4x4"),
            SliceShape.parse("4x4x4"),
            SliceShape.parse("4x4x8"));
    SliceRequest request = SliceRequest.of(shapes.get(random.nextInt(shapes.size())));
    request = random.nextBoolean() ? request.withTurning() : request;
    return random.nextInt(4) == 0 ? request.withDegradedHosts() : request;
  }
}
