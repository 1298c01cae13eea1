package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** What holds of every eviction and every move. */
class SlicePlannerProperties {
  private final SlicePlanner planner = SlicePlanner.create();
  private final SliceFitter fitter = SliceFitter.create();

  /** Small enough to try all sets of owners, some of whom have several slices. */
  @Provide
  Arbitrary<TpuFleet> smallFleets() {
    return Arbitraries.longs().map(seed -> {
      Random random = new Random(seed);
      List<TpuPool> pools = random.nextBoolean()
          ? List.of(FleetStates.SMALL)
          : List.of(TpuPool.cubes("block", TpuGeneration.V7X, 4));
      TpuFleet used = FleetStates.used(pools, random, 12);
      for (TpuSlice slice : used.slices()) {
        used = used.release(slice.id()).allocate(slice.withOwner("owner-" + random.nextInt(7)));
      }
      return used;
    });
  }

  private static TpuFleet without(TpuFleet fleet, List<String> owners) {
    TpuFleet left = fleet;
    for (TpuSlice slice : fleet.slices()) {
      left = owners.contains(slice.owner()) ? left.release(slice.id()) : left;
    }
    return left;
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void victimsAreEnoughAndTheCheapest(@ForAll("smallFleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    SliceRequest request = FleetStates.request(fleet.generation(), random);
    Map<String, Long> costs = new TreeMap<>();
    for (TpuSlice slice : fleet.slices()) {
      costs.computeIfAbsent(
          slice.owner(),
          name -> random.nextInt(5) == 0 ? SlicePlanner.PROTECTED : random.nextInt(6));
    }
    List<String> owners = List.copyOf(costs.keySet());
    long cheapest = -1;
    for (int chosen = 0; chosen < 1 << owners.size(); chosen++) {
      List<String> gone = new ArrayList<>();
      long cost = 0;
      for (int i = 0; i < owners.size(); i++) {
        if (((chosen >>> i) & 1) != 0) {
          gone.add(owners.get(i));
          long each = costs.getOrDefault(owners.get(i), 0L);
          cost = each == SlicePlanner.PROTECTED || cost < 0 ? -1 : cost + each;
        }
      }
      if (cost >= 0
          && (cheapest < 0 || cost < cheapest)
          && fitter.fit(without(fleet, gone), request).isPlaced()) {
        cheapest = cost;
      }
    }
    Optional<SliceEviction> found =
        planner.cheapestVictims(fleet, request, name -> costs.getOrDefault(name, 0L));
    assertThat(found.map(SliceEviction::cost).orElse(-1L)).isEqualTo(cheapest);
    found.ifPresent(eviction -> {
      assertThat(eviction.isCheapest()).isTrue();
      assertThat(without(fleet, eviction.owners())
              .allocate(TpuSlice.of("new", eviction.placement()))
              .slice("new"))
          .isPresent();
      for (String spared : eviction.owners()) {
        List<String> fewer = new ArrayList<>(eviction.owners());
        fewer.remove(spared);
        assertThat(fitter.fit(without(fleet, fewer), request).isPlaced()).isFalse();
      }
    });
  }

  @Provide
  Arbitrary<TpuFleet> fleets() {
    return Arbitraries.longs().map(seed -> {
      Random random = new Random(seed);
      TpuPool.Alignment alignment = FleetStates.alignment(random);
      List<TpuPool> pools = random.nextBoolean()
          ? FleetStates.pods(alignment, 1 + random.nextInt(2))
          : FleetStates.superpods(alignment);
      return FleetStates.used(pools, random, random.nextInt(60));
    });
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void movesNeverOverlapAndMakeRoom(@ForAll("fleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    SliceRequest request = random.nextBoolean()
        ? FleetStates.request(fleet.generation(), random)
        : SliceRequest.of(
            fleet.generation().layout() == TpuGeneration.Layout.GRID ? "8x16" : "4x8x8");
    int maxMoves = random.nextInt(4);
    Optional<Defragmentation> plan =
        planner.defragmentation(fleet, request, maxMoves, Integer.MAX_VALUE);
    if (fitter.fit(fleet, request).isPlaced()) {
      assertThat(plan).map(Defragmentation::moves).contains(ImmutableList.of());
      return;
    }
    plan.ifPresent(found -> {
      assertThat(found.moves()).isNotEmpty().hasSizeLessThanOrEqualTo(maxMoves);
      TpuFleet now = fleet;
      for (SliceMove move : found.moves()) {
        SlicePlacement old = move.slice().placement();
        assertThat(move.slice().movable()).isTrue();
        assertThat(move.to().shape()).isEqualTo(old.shape());
        BitSet hosts = NaiveSlices.hosts(move.to());
        assertThat(NaiveSlices.busy(now.release(move.slice().id()), move.to().pool(), false)
                .intersects(hosts))
            .isFalse();
        boolean both = NaiveSlices.busy(now, move.to().pool(), false).intersects(hosts);
        assertThat(move.stopsFirst()).isEqualTo(both);
        now = now.release(move.slice().id()).allocate(move.slice().withPlacement(move.to()));
      }
      assertThat(now).isEqualTo(found.applyTo(fleet));
      assertThat(NaiveSlices.busy(now, found.placement().pool(), request.allowDegraded())
              .intersects(NaiveSlices.hosts(found.placement())))
          .isFalse();
    });
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void aNewPlaceIsHealthyAndFree(@ForAll("fleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    if (fleet.slices().isEmpty()) {
      return;
    }
    TpuSlice slice = fleet.slices().get(random.nextInt(fleet.slices().size()));
    int broken = slice.placement().hosts().get(0);
    TpuFleet hurt = fleet.withHealth(slice.placement().pool().id(), HostHealth.DOWN, broken);
    Optional<SlicePlacement> place = planner.failover(hurt, slice.id());
    place.ifPresent(to -> {
      TpuFleet rest = hurt.release(slice.id());
      BitSet down = new BitSet();
      NaiveSlices.hosts(to).stream()
          .filter(host -> rest.isTaken(to.pool().id(), host)
              || rest.health(to.pool().id(), host) == HostHealth.DOWN)
          .forEach(down::set);
      assertThat(down.isEmpty()).isTrue();
      assertThat(to.shape()).isEqualTo(slice.placement().shape());
    });
    boolean boxed = !slice.placement().pool().takesWholeCubes(slice.placement().shape());
    if (place.isEmpty() && boxed) {
      assertThat(fitter
              .fit(hurt.release(slice.id()), SliceRequest.of(slice.placement().shape()))
              .isPlaced())
          .isFalse();
    }
  }
}
