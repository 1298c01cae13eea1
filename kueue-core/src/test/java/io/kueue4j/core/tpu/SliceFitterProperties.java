package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Several slices, and which pools they may come from. */
class SliceFitterProperties {
  private final SliceFitter fitter = SliceFitter.create();

  private static TpuFleet fleet(Choices choices) {
    TpuPool.Alignment alignment = FleetStates.alignment(choices);
    List<TpuPool> pools = choices.nextBoolean()
        ? FleetStates.pods(alignment, 1 + choices.nextInt(4))
        : FleetStates.superpods(alignment);
    return FleetStates.used(pools, choices, choices.nextInt(60));
  }

  private static BitSet set(long word) {
    return BitSet.valueOf(new long[] {word});
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

  @Provide
  Arbitrary<Run> scopesAreKeptRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = fleet(choices);
      SliceRequest request = FleetStates.request(fleet.generation(), choices).withCount(3);
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
    });
  }

  @Property(tries = 200)
  void scopesAreKept(@ForAll("scopesAreKeptRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> scopesAreDecidedByWhatEachPoolHoldsRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = fleet(choices);
      SliceRequest request = FleetStates.request(fleet.generation(), choices);
      int count = 2 + choices.nextInt(3);
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
    });
  }

  /** Against pools looked at one by one, for scopes that combine them. */
  @Property(tries = 200)
  void scopesAreDecidedByWhatEachPoolHolds(
      @ForAll("scopesAreDecidedByWhatEachPoolHoldsRuns") Run run) {
    run.check();
  }
}
