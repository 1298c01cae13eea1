package io.kueue4j.core.tpu;

import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Random fleets with slices that came and went, and hosts that broke. */
final class FleetStates {
  private static final SliceFitter FITTER = SliceFitter.create();

  private FleetStates() {}

  static final TpuPool SMALL = TpuPool.grid("small", TpuGeneration.V6E, SliceShape.parse("8x8"), 4)
      .withAlignment(TpuPool.Alignment.HOST_ALIGNED);

  static TpuPool.Alignment alignment(Choices choices) {
    return choices.nextBoolean() ? TpuPool.Alignment.ALIGNED_IDS : TpuPool.Alignment.HOST_ALIGNED;
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

  /** {@return a fleet in which so many choices requests came, some of which have left again} */
  static TpuFleet used(List<TpuPool> pools, Choices choices, int events) {
    TpuFleet broken = TpuFleet.of(pools);
    for (TpuPool pool : pools) {
      broken = choices.fold(choices.nextInt(4), broken, (fleet, each) -> {
        HostHealth health = each.of(HostHealth.DEGRADED, HostHealth.DOWN);
        return fleet.withHealth(pool.id(), health, each.nextInt(pool.hosts()));
      });
    }
    int[] number = new int[1];
    TpuFleet used = choices.fold(events, broken, (fleet, each) -> after(fleet, each, number[0]++));
    choices.note("%s", text(used));
    return used;
  }

  private static TpuFleet after(TpuFleet fleet, Choices choices, int number) {
    List<TpuSlice> slices = fleet.slices();
    if (!slices.isEmpty() && choices.oneIn(3)) {
      return fleet.release(choices.of(slices).id());
    }
    TpuFleet after = fleet;
    SliceFit fit = FITTER.fit(fleet, anyRequest(fleet.generation(), choices));
    for (SlicePlacement place : fit.slices()) {
      TpuSlice slice = TpuSlice.of("slice-" + number, place);
      after = after.allocate(choices.oneIn(8) ? slice.withoutMoving() : slice);
    }
    return after;
  }

  /** {@return a small fleet in which slices of all sizes were put anywhere} */
  static TpuFleet scattered(Choices choices) {
    TpuPool pool = choices.nextBoolean()
        ? SMALL.withAlignment(alignment(choices))
        : TpuPool.cubes("block", TpuGeneration.V7X, 1 + choices.nextInt(3))
            .withAlignment(alignment(choices));
    int[] number = new int[1];
    TpuFleet scattered = choices.fold(choices.nextInt(9), TpuFleet.of(pool), (fleet, each) -> {
      SliceRequest request = anyRequest(pool.generation(), each);
      SliceShape shape = request.shapes().get(0);
      List<BitSet> places = NaiveSlices.free(
          NaiveSlices.boxes(pool, shape, false), NaiveSlices.busy(fleet, pool, true));
      if (places.isEmpty() || shape.chips() > 32) {
        return fleet;
      }
      TpuSlice slice = TpuSlice.of(
          "slice-" + number[0]++,
          SlicePlacement.ofBox(pool, shape, AxisOrder.XYZ, each.of(places).nextSetBit(0)));
      slice = each.oneIn(8) ? slice.withoutMoving() : slice;
      return fleet.allocate(request.mayTurn() ? slice.withTurning() : slice);
    });
    choices.note("%s", text(scattered));
    return scattered;
  }

  /** {@return the pools of a fleet with the hosts that are broken, and its slices} */
  static String text(TpuFleet fleet) {
    List<String> parts = new ArrayList<>();
    for (TpuPool pool : fleet.pools()) {
      parts.add(pool.id() + " of " + pool.chips() + " x " + pool.cubes() + " " + pool.alignment());
      for (int host = 0; host < pool.hosts(); host++) {
        if (fleet.health(pool.id(), host) != HostHealth.HEALTHY) {
          parts.add("host " + host + " " + fleet.health(pool.id(), host));
        }
      }
    }
    for (TpuSlice slice : fleet.slices()) {
      SlicePlacement place = slice.placement();
      parts.add(slice.id() + " " + place.shape() + " in " + place.pool().id() + " at "
          + place.hosts() + (slice.movable() ? "" : " pinned"));
    }
    return String.join(", ", parts);
  }

  /** {@return a request for one slice of up to a quarter of a pod or two cubes} */
  static SliceRequest request(TpuGeneration generation, Choices choices) {
    SliceRequest request = anyRequest(generation, choices);
    choices.note("%s", request);
    return request;
  }

  private static SliceRequest anyRequest(TpuGeneration generation, Choices choices) {
    List<SliceShape> shapes = generation.layout() == TpuGeneration.Layout.GRID
        ? generation.shapes().subList(1, 6)
        : List.of(
            SliceShape.parse("2x2x1"),
            SliceShape.parse("2x2x2"),
            SliceShape.parse("2x2x4"),
            SliceShape.parse("2x4x4"),
            SliceShape.parse("4x4x4"),
            SliceShape.parse("4x4x8"));
    SliceRequest request = SliceRequest.of(choices.of(shapes));
    request = choices.nextBoolean() ? request.withTurning() : request;
    return choices.oneIn(4) ? request.withDegradedHosts() : request;
  }
}
