package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSetMultimap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** What holds of every fit: the invariants of slices. */
class SliceFitterProperties {
  private final SliceFitter fitter = SliceFitter.create();

  @Provide
  Arbitrary<TpuFleet> fleets() {
    return Arbitraries.longs().map(seed -> {
      Random random = new Random(seed);
      TpuPool.Alignment alignment = FleetStates.alignment(random);
      List<TpuPool> pools = random.nextBoolean()
          ? FleetStates.pods(alignment, 1 + random.nextInt(4))
          : FleetStates.superpods(alignment);
      return FleetStates.used(pools, random, random.nextInt(60));
    });
  }

  private static BitSet set(long word) {
    return BitSet.valueOf(new long[] {word});
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void slicesAreWholeFreeHealthyAndInOnePool(@ForAll("fleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    TpuPool first = fleet.pools().get(0);
    int avoided = random.nextInt(first.hosts());
    SliceRequest request = FleetStates.request(fleet.generation(), random)
        .withCount(1 + random.nextInt(3))
        .withAvoid(ImmutableSetMultimap.of(first.id(), avoided));
    SliceFit fit = fitter.fit(fleet, request);
    assertThat(fit.slices()).hasSize(fit.isPlaced() ? request.count() : 0);
    TpuFleet after = fleet;
    for (SlicePlacement slice : fit.slices()) {
      BitSet busy = NaiveSlices.busy(after, slice.pool(), request.allowDegraded());
      BitSet hosts = NaiveSlices.hosts(slice);
      assertThat(hosts.intersects(busy)).isFalse();
      assertThat(slice.pool().equals(first) && hosts.get(avoided)).isFalse();
      assertThat(hosts.cardinality())
          .isEqualTo(slice.shape().chips() / slice.pool().hostBox().chips());
      if (slice.order() != AxisOrder.XYZ) {
        assertThat(request.mayTurn()).isTrue();
        assertThat(slice.pool().alignment()).isEqualTo(TpuPool.Alignment.HOST_ALIGNED);
      }
      if (!slice.pool().takesWholeCubes(slice.shape())) {
        assertThat(NaiveSlices.boxes(slice.pool(), slice.shape(), request.mayTurn()))
            .contains(hosts);
      }
      after = after.allocate(TpuSlice.of("new-" + after.slices().size(), slice));
    }
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void whatFitsStillFitsWithMoreRoom(@ForAll("fleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    SliceRequest request =
        FleetStates.request(fleet.generation(), random).withCount(1 + random.nextInt(2));
    if (!fitter.fit(fleet, request).isPlaced()) {
      return;
    }
    for (TpuSlice slice : fleet.slices()) {
      assertThat(fitter.fit(fleet.release(slice.id()), request).isPlaced()).isTrue();
    }
    for (TpuPool pool : fleet.pools()) {
      int[] all = IntStream.range(0, pool.hosts()).toArray();
      TpuFleet healed = fleet.withHealth(pool.id(), HostHealth.HEALTHY, all);
      assertThat(fitter.fit(healed, request).isPlaced()).isTrue();
    }
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void theWayToAStateDoesNotMatter(@ForAll("fleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    SliceRequest request = FleetStates.request(fleet.generation(), random).withCount(2);
    List<TpuPool> pools = new ArrayList<>(fleet.pools());
    Collections.shuffle(pools, random);
    TpuFleet again = TpuFleet.of(pools);
    List<TpuSlice> slices = new ArrayList<>(fleet.slices());
    Collections.shuffle(slices, random);
    for (TpuSlice slice : slices) {
      again = again.allocate(slice);
    }
    for (TpuPool pool : pools) {
      for (int host = 0; host < pool.hosts(); host++) {
        again = again.withHealth(pool.id(), fleet.health(pool.id(), host), host);
      }
    }
    assertThat(again).isEqualTo(fleet);
    assertThat(SliceFitter.create().fit(again, request)).isEqualTo(fitter.fit(fleet, request));
  }

  @Property(tries = 400)
  void severalSlicesFitIfAnyCombinationDoes(
      @ForAll @IntRange(max = 0xFFFF) int state, @ForAll @IntRange(min = 2, max = 4) int count) {
    TpuPool pool = FleetStates.SMALL;
    TpuFleet fleet = TpuFleet.of(pool)
        .withHealth(pool.id(), HostHealth.DOWN, set(state).stream().toArray());
    for (String shape : List.of("2x4", "4x4", "4x8")) {
      SliceRequest request = SliceRequest.of(shape).withTurning().withCount(count);
      Set<BitSet> places = NaiveSlices.boxes(pool, SliceShape.parse(shape), true);
      List<BitSet> free = NaiveSlices.free(places, set(state));
      boolean expected = NaiveSlices.most(free, set(state)) >= count;
      SliceFit fit = fitter.fit(fleet, request);
      assertThat(fit.isPlaced()).isEqualTo(expected);
      assertThat(fit).isNotInstanceOf(SliceFit.Undecided.class);
    }
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void scopesAreKept(@ForAll("fleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    SliceRequest request = FleetStates.request(fleet.generation(), random).withCount(3);
    SliceFit any = fitter.fit(fleet, request);
    for (SliceRequest scoped : List.of(
        request.withScope(SliceRequest.Scope.SAME_POOL),
        request.withScope(SliceRequest.Scope.SAME_FABRIC),
        request.withSpread(1))) {
      SliceFit fit = fitter.fit(fleet, scoped);
      if (fit.isPlaced()) {
        assertThat(any.isPlaced()).isTrue();
        List<TpuPool> used = fit.slices().stream().map(SlicePlacement::pool).toList();
        switch (scoped.scope()) {
          case SAME_POOL -> assertThat(used.stream().distinct()).hasSize(1);
          case SAME_FABRIC ->
            assertThat(used.stream().map(TpuPool::fabric).distinct()).hasSize(1);
          case SPREAD, ANY -> assertThat(used).doesNotHaveDuplicates();
        }
      }
    }
  }

  /** Against pools looked at one by one, for scopes that combine them. */
  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void scopesAreDecidedByWhatEachPoolHolds(@ForAll("fleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    SliceRequest request = FleetStates.request(fleet.generation(), random);
    int count = 2 + random.nextInt(3);
    List<Integer> most = new ArrayList<>();
    for (TpuPool pool : fleet.pools()) {
      TpuFleet alone = TpuFleet.of(pool);
      for (TpuSlice slice : fleet.slices()) {
        alone = slice.placement().pool().equals(pool) ? alone.allocate(slice) : alone;
      }
      for (int host = 0; host < pool.hosts(); host++) {
        alone = alone.withHealth(pool.id(), fleet.health(pool.id(), host), host);
      }
      int held = 0;
      while (held < count && fitter.fit(alone, request.withCount(held + 1)).isPlaced()) {
        held++;
      }
      most.add(held);
    }
    SliceRequest several = request.withCount(count);
    assertThat(fitter.fit(fleet, several).isPlaced())
        .isEqualTo(most.stream().mapToInt(each -> each).sum() >= count);
    assertThat(fitter.fit(fleet, several.withSpread(1)).isPlaced())
        .isEqualTo(most.stream().mapToInt(each -> Math.min(1, each)).sum() >= count);
    assertThat(
            fitter.fit(fleet, several.withScope(SliceRequest.Scope.SAME_POOL)).isPlaced())
        .isEqualTo(most.stream().anyMatch(each -> each >= count));
  }
}
