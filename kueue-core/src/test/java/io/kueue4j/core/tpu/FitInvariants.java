package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Invariants 1 to 9 and 13: of fleets and of where slices fit. */
final class FitInvariants {
  private FitInvariants() {}

  static TpuFleet fleet(Choices choices) {
    TpuPool.Alignment alignment = FleetStates.alignment(choices);
    List<TpuPool> pools = choices.nextBoolean()
        ? FleetStates.pods(alignment, 1 + choices.nextInt(4))
        : FleetStates.superpods(alignment);
    return FleetStates.used(pools, choices, choices.nextInt(60));
  }

  /** A torus, often with seams, in which hosts are broken. */
  private static TpuFleet torus(Choices choices) {
    TpuPool torus = TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("4x8x8"))
        .withAlignment(TpuPool.Alignment.HOST_ALIGNED);
    torus = choices.nextBoolean() ? torus.withSeamCrossing() : torus;
    int[] broken = choices.ints(choices.nextInt(12), 0, torus.hosts()).toArray();
    return TpuFleet.of(torus).withHealth("torus", HostHealth.DOWN, broken);
  }

  private static SliceRequest demanding(TpuFleet fleet, Choices choices) {
    SliceRequest request =
        FleetStates.request(fleet.generation(), choices).withCount(1 + choices.nextInt(3));
    TpuPool first = fleet.pools().get(0);
    int hosts = first.hosts();
    if (choices.oneIn(3)) {
      request = request.withAvoid(
          Map.of(first.id(), ImmutableSet.copyOf(choices.list(2, 2, each -> each.nextInt(hosts)))));
    }
    if (choices.oneIn(3)) {
      int from = choices.nextInt(hosts);
      request = request.withPin(Map.of(first.id(), ContiguousSet.closedOpen(from, hosts)));
    }
    return request;
  }

  /** 1: no two slices share a host, none uses one it must not use. */
  static void disjointAndUsable(SliceLibrary library, Choices choices) {
    TpuFleet fleet = fleet(choices);
    SliceRequest request = demanding(fleet, choices);
    SliceFit fit = library.fit(fleet, request);
    assertThat(fit.slices()).hasSize(fit.isPlaced() ? request.count() : 0);
    TpuFleet after = fleet;
    for (SlicePlacement slice : fit.slices()) {
      String pool = slice.pool().id();
      BitSet hosts = NaiveSlices.hosts(slice);
      BitSet busy = NaiveSlices.busy(after, slice.pool(), request.allowDegraded());
      assertThat(hosts.intersects(busy)).isFalse();
      request
          .avoid()
          .getOrDefault(pool, ImmutableSet.of())
          .forEach(host -> assertThat(hosts.get(host)).isFalse());
      if (!request.pin().isEmpty()) {
        assertThat(request.pin().getOrDefault(pool, ImmutableSet.of()))
            .containsAll(hosts.stream().boxed().toList());
      }
      after = after.allocate(TpuSlice.of("new-" + after.slices().size(), slice));
    }
  }

  /** 2: one box, or whole cubes of one pool, of as many hosts as the chips need. */
  static void oneBoxOrWholeCubes(SliceLibrary library, Choices choices) {
    TpuFleet fleet = choices.oneIn(3) ? torus(choices) : fleet(choices);
    SliceRequest request = demanding(fleet, choices);
    for (SlicePlacement slice : library.fit(fleet, request).slices()) {
      TpuPool pool = slice.pool();
      BitSet hosts = library.hosts(slice);
      assertThat(hosts.cardinality())
          .isEqualTo(slice.shape().chips() / pool.hostBox().chips());
      assertThat(slice.hosts().stream().distinct().count())
          .isEqualTo(slice.hosts().size());
      if (pool.kind() == TpuPool.Kind.CUBES_OCS && slice.shape().chips() >= 64) {
        assertThat(slice.cubes().size()).isEqualTo(slice.shape().chips() / 64);
        slice
            .cubes()
            .forEach(cube ->
                assertThat(hosts.get(cube * 16, cube * 16 + 16).cardinality()).isEqualTo(16));
      } else {
        TpuPool anywhere = pool.withAlignment(TpuPool.Alignment.HOST_ALIGNED);
        assertThat(NaiveSlices.boxes(anywhere, slice.shape(), true)).contains(hosts);
      }
    }
  }

  /** 3: the shape is one of those asked for, turned only if allowed, and lies where it may. */
  static void shapeTurnedAndAlignedAsAllowed(SliceLibrary library, Choices choices) {
    TpuFleet fleet = choices.oneIn(3) ? torus(choices) : fleet(choices);
    SliceRequest request = demanding(fleet, choices);
    for (SlicePlacement slice : library.fit(fleet, request).slices()) {
      TpuPool pool = fleet.pools().stream()
          .filter(each -> each.id().equals(slice.pool().id()))
          .findFirst()
          .orElseThrow();
      assertThat(request.shapes()).contains(slice.shape());
      assertThat(fleet.generation().problem(slice.shape())).isEmpty();
      boolean turned = slice.order() != AxisOrder.XYZ;
      assertThat(turned && !request.mayTurn()).isFalse();
      assertThat(turned && pool.alignment() == TpuPool.Alignment.ALIGNED_IDS).isFalse();
      boolean whole = pool.kind() == TpuPool.Kind.CUBES_OCS && slice.shape().chips() >= 64;
      if (!whole) {
        assertThat(NaiveSlices.boxes(pool, slice.shape(), request.mayTurn()))
            .contains(NaiveSlices.hosts(slice));
      }
    }
  }

  private static boolean closesRing(SlicePlacement slice, int axis) {
    TpuPool pool = slice.pool();
    SliceShape shape = slice.shape();
    return switch (pool.kind()) {
      case GRID_2D -> shape.extent(axis) == 16;
      case CUBES_OCS -> shape.x() >= 4 && shape.y() >= 4 && shape.z() >= 4;
      case GRID_3D_FIXED ->
        shape.extent(axis) == pool.chips().extent(slice.order().poolAxis(axis));
    };
  }

  /** 4: rings are where the hardware closes them; who requires them gets all of them. */
  static void ringsAreTrue(SliceLibrary library, Choices choices) {
    TpuFleet fleet = choices.oneIn(3) ? torus(choices) : fleet(choices);
    List<SliceShape> shapes = fleet.generation().blocks();
    SliceRequest request = SliceRequest.of(choices.of(shapes))
        .withTurning()
        .withRings(List.of(SliceRequest.Rings.values()).get(choices.nextInt(3)));
    for (SlicePlacement slice : library.fit(fleet, request).slices()) {
      for (int axis = 0; axis < 3; axis++) {
        boolean ring = closesRing(slice, axis);
        assertThat(library.isRing(slice, axis)).isEqualTo(ring);
        boolean needed = request.rings() == SliceRequest.Rings.REQUIRED;
        assertThat(needed && slice.shape().extent(axis) > 1 && !ring).isFalse();
      }
    }
  }

  /** 5: neither the order of calls nor the names of hosts matter. */
  static void deterministic(SliceLibrary library, Choices choices) {
    TpuFleet fleet = fleet(choices);
    SliceRequest request = FleetStates.request(fleet.generation(), choices).withCount(2);
    List<TpuPool> pools = new ArrayList<>(fleet.pools());
    Collections.shuffle(pools, choices);
    TpuFleet again = TpuFleet.of(pools);
    List<TpuSlice> slices = new ArrayList<>(fleet.slices());
    Collections.shuffle(slices, choices);
    for (TpuSlice slice : slices) {
      again = library.allocate(again, slice);
    }
    for (TpuPool pool : pools) {
      for (int host = 0; host < pool.hosts(); host++) {
        again = again.withHealth(pool.id(), fleet.health(pool.id(), host), host);
      }
    }
    assertThat(again).isEqualTo(fleet);
    SliceFit fit = library.fit(fleet, request);
    assertThat(library.fit(again, request)).isEqualTo(fit);
    TpuFleet named = named(fleet, choices);
    List<SlicePlacement> others = library.fit(named, request).slices();
    assertThat(others).hasSameSizeAs(fit.slices());
    for (int i = 0; i < others.size(); i++) {
      assertThat(others.get(i).hosts()).isEqualTo(fit.slices().get(i).hosts());
      assertThat(others.get(i).pool().id()).isEqualTo(fit.slices().get(i).pool().id());
    }
  }

  private static TpuFleet named(TpuFleet fleet, Choices choices) {
    TpuFleet named = TpuFleet.of(fleet.pools().stream()
        .map(pool -> {
          List<String> names = new ArrayList<>(IntStream.range(0, pool.hosts())
              .mapToObj(i -> pool.id() + "-" + i)
              .toList());
          Collections.shuffle(names, choices);
          return pool.withNodes(names);
        })
        .toList());
    for (TpuSlice slice : fleet.slices()) {
      SlicePlacement old = slice.placement();
      TpuPool pool = named.pools().stream()
          .filter(each -> each.id().equals(old.pool().id()))
          .findFirst()
          .orElseThrow();
      named = named.allocate(slice.withPlacement(
          new SlicePlacement(pool, old.shape(), old.order(), old.origin(), old.cubes())));
    }
    for (TpuPool pool : fleet.pools()) {
      for (int host = 0; host < pool.hosts(); host++) {
        named = named.withHealth(pool.id(), fleet.health(pool.id(), host), host);
      }
    }
    return named;
  }

  /** 6: a request is refused only if brute force finds no place either. */
  static void complete(SliceLibrary library, Choices choices) {
    TpuPool pool = choices.nextBoolean()
        ? FleetStates.SMALL.withAlignment(FleetStates.alignment(choices))
        : TpuPool.cubes("cube", TpuGeneration.V7X, 1).withAlignment(FleetStates.alignment(choices));
    int state = choices.nextInt(1 << 16) & (choices.nextBoolean() ? choices.nextInt(1 << 16) : -1);
    BitSet busy = BitSet.valueOf(new long[] {state});
    TpuFleet fleet =
        TpuFleet.of(pool).withHealth(pool.id(), HostHealth.DOWN, busy.stream().toArray());
    List<SliceShape> shapes = pool.generation().blocks().stream()
        .filter(shape -> shape.chips() >= 4 && shape.chips() <= 64)
        .toList();
    SliceShape shape = choices.of(shapes);
    int count = shape.chips() > 8 ? 1 + choices.nextInt(3) : 1;
    SliceRequest request = SliceRequest.of(shape).withTurning().withCount(count);
    List<BitSet> free = NaiveSlices.free(NaiveSlices.boxes(pool, shape, true), busy);
    boolean expected =
        count == 1 ? !free.isEmpty() : NaiveSlices.most(free, (BitSet) busy.clone()) >= count;
    SliceFit fit = library.fit(fleet, request);
    assertThat(fit.isPlaced()).isEqualTo(expected);
    assertThat(fit).isNotInstanceOf(SliceFit.Undecided.class);
  }

  /** 7: what fits still fits when a slice has gone or a host is healed. */
  static void monotonic(SliceLibrary library, Choices choices) {
    TpuFleet fleet = fleet(choices);
    SliceRequest request =
        FleetStates.request(fleet.generation(), choices).withCount(1 + choices.nextInt(2));
    if (!library.fit(fleet, request).isPlaced()) {
      return;
    }
    for (TpuSlice slice : fleet.slices()) {
      assertThat(library.fit(library.release(fleet, slice.id()), request).isPlaced())
          .isTrue();
    }
    for (TpuPool pool : fleet.pools()) {
      int[] all = IntStream.range(0, pool.hosts()).toArray();
      TpuFleet healed = fleet.withHealth(pool.id(), HostHealth.HEALTHY, all);
      assertThat(library.fit(healed, request).isPlaced()).isTrue();
    }
  }

  /** 8: taking and giving back changes nothing, and taking does not touch the fleet before. */
  static void allocationIsUndone(SliceLibrary library, Choices choices) {
    TpuFleet fleet = fleet(choices);
    SliceFit fit = library.fit(fleet, FleetStates.request(fleet.generation(), choices));
    List<TpuSlice> slices = fleet.slices();
    for (SlicePlacement place : fit.slices()) {
      BitSet before = NaiveSlices.busy(fleet, place.pool(), false);
      TpuFleet after = library.allocate(fleet, TpuSlice.of("new", place));
      assertThat(NaiveSlices.busy(fleet, place.pool(), false)).isEqualTo(before);
      assertThat(fleet.slices()).isEqualTo(slices);
      BitSet more = (BitSet) before.clone();
      more.or(NaiveSlices.hosts(place));
      assertThat(NaiveSlices.busy(after, place.pool(), false)).isEqualTo(more);
      TpuFleet undone = library.release(after, "new");
      assertThat(undone).isEqualTo(fleet);
      assertThat(NaiveSlices.busy(undone, place.pool(), false)).isEqualTo(before);
    }
  }

  /** 9: no place is better than the one chosen. */
  static void bestPlace(SliceLibrary library, Choices choices) {
    boolean grid = choices.nextBoolean();
    TpuPool.Alignment alignment = FleetStates.alignment(choices);
    TpuPool pool = grid
        ? FleetStates.pods(alignment, 1).get(0)
        : TpuPool.cubes("block", TpuGeneration.V7X, 3).withAlignment(alignment);
    TpuFleet fleet = FleetStates.used(List.of(pool), choices, choices.nextInt(40));
    SliceRequest request = FleetStates.request(fleet.generation(), choices);
    SliceShape shape = request.shapes().get(0);
    if (!grid && shape.chips() >= 64) {
      return;
    }
    BitSet busy = NaiveSlices.busy(fleet, pool, request.allowDegraded());
    Set<BitSet> boxes = NaiveSlices.boxes(pool, shape, request.mayTurn());
    List<BitSet> places = NaiveSlices.free(boxes, busy);
    SliceFit fit = library.fit(fleet, request);
    assertThat(fit.isPlaced()).isEqualTo(!places.isEmpty());
    for (SlicePlacement slice : fit.slices()) {
      List<Long> chosen = NaiveObjective.values(fleet, pool, busy, NaiveSlices.hosts(slice));
      for (BitSet place : places) {
        List<Long> other = NaiveObjective.values(fleet, pool, busy, place);
        assertThat(NaiveObjective.compare(chosen, other))
            .as("%s and %s", chosen, other)
            .isNotPositive();
      }
    }
  }

  /** 13: capacity is named only if hosts are missing, geometry only if they are not. */
  static void reasonsAreTrue(SliceLibrary library, Choices choices) {
    TpuFleet fleet = fleet(choices);
    SliceRequest request =
        FleetStates.request(fleet.generation(), choices).withCount(1 + choices.nextInt(6));
    Optional<FitFailure> failure = library.explain(fleet, request);
    assertThat(failure.isEmpty()).isEqualTo(library.fit(fleet, request).isPlaced());
    if (failure.isEmpty()) {
      return;
    }
    int free = 0;
    TpuFleet healed = fleet;
    for (TpuPool pool : fleet.pools()) {
      free +=
          pool.hosts() - NaiveSlices.busy(fleet, pool, request.allowDegraded()).cardinality();
      int[] all = IntStream.range(0, pool.hosts()).toArray();
      healed = healed.withHealth(pool.id(), HostHealth.HEALTHY, all);
    }
    int needed = request.count() * request.shapes().get(0).chips() / 4;
    boolean well = library.fit(healed, request).isPlaced();
    FitFailure.Constraint expected = well
        ? FitFailure.Constraint.HEALTH
        : free < needed ? FitFailure.Constraint.CAPACITY : FitFailure.Constraint.GEOMETRY;
    assertThat(failure.orElseThrow().constraint()).isEqualTo(expected);
    failure.orElseThrow().largest().ifPresent(shape -> {
      SliceRequest one = request.withShapes(List.of(shape)).withCount(1);
      assertThat(library.fit(fleet, one).isPlaced()).isTrue();
    });
  }
}
