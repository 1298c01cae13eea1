package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SliceStatisticsTest {
  private static final TpuPool POD =
      TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);

  private final SliceStatistics statistics = new SliceStatistics();

  private static FitFailure failure(FitFailure.Constraint constraint) {
    return new FitFailure(constraint, "full", Optional.empty());
  }

  @Test
  void countsWhatBecameOfRequests() {
    statistics.placed(SliceRequest.of("4x4"));
    statistics.placed(SliceRequest.of("4x4").withCount(2));
    statistics.rejected(SliceRequest.of("8x8"), failure(FitFailure.Constraint.GEOMETRY));
    statistics.rejected(SliceRequest.of("4x4"), failure(FitFailure.Constraint.CAPACITY));
    assertThat(statistics.byShape())
        .containsExactly(
            Map.entry(SliceShape.parse("4x4"), new SliceStatistics.Acceptance(4, 3)),
            Map.entry(SliceShape.parse("8x8"), new SliceStatistics.Acceptance(1, 0)));
    assertThat(statistics.slices()).isEqualTo(new SliceStatistics.Acceptance(5, 3));
    assertThat(statistics.slices().permille()).isEqualTo(600);
    assertThat(statistics.chips()).isEqualTo(new SliceStatistics.Acceptance(4 * 16 + 64, 3 * 16));
    assertThat(statistics.rejections())
        .containsExactly(
            Map.entry(FitFailure.Constraint.CAPACITY, 1L),
            Map.entry(FitFailure.Constraint.GEOMETRY, 1L));
    assertThat(new SliceStatistics().slices().permille()).isZero();
  }

  @Test
  void countsMoves() {
    SlicePlacement from = SlicePlacement.ofBox(POD, SliceShape.parse("2x4"), AxisOrder.XYZ, 0);
    SlicePlacement to = SlicePlacement.ofBox(POD, SliceShape.parse("2x4"), AxisOrder.XYZ, 8);
    statistics.moved(new Defragmentation(
        ImmutableList.of(
            new SliceMove(TpuSlice.of("a", from), to, false),
            new SliceMove(TpuSlice.of("b", to), from, false)),
        ImmutableList.of(from)));
    statistics.moved(new Defragmentation(ImmutableList.of(), ImmutableList.of(from)));
    assertThat(statistics.moves()).isEqualTo(2);
    assertThat(statistics.movedChips()).isEqualTo(16);
    assertThat(statistics.requestsWithMoves()).isEqualTo(1);
  }

  @Test
  void countsSearchesByTime() {
    statistics.searched(0, 3);
    statistics.searched(1, 0);
    statistics.searched(2, 0);
    statistics.searched(1024, 1);
    statistics.searched(1025, 1);
    assertThat(statistics.searchNanos())
        .containsExactly(
            Map.entry(1L, 2L), Map.entry(2L, 1L), Map.entry(1024L, 1L), Map.entry(2048L, 1L));
    assertThat(statistics.candidates()).isEqualTo(5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> statistics.searched(-1, 0))
        .withMessage("a search of -1 nanoseconds, expected at least 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> statistics.searched(1, -1))
        .withMessage("-1 places, expected at least 0");
  }

  /** A pod of 16 hosts has 16 places for one host, 8 for two. */
  @Test
  void theFitterSaysHowManyPlacesItLookedAt() {
    SliceFitter fitter = SliceFitter.create();
    assertThat(fitter.fit(TpuFleet.of(POD), SliceRequest.of("2x2")).isPlaced()).isTrue();
    assertThat(fitter.candidates()).isGreaterThanOrEqualTo(16);
    TpuFleet used = TpuFleet.of(POD)
        .allocate(
            TpuSlice.of("a", SlicePlacement.ofBox(POD, SliceShape.parse("2x2"), AxisOrder.XYZ, 0)));
    assertThat(fitter.fit(used, SliceRequest.of("2x2")).isPlaced()).isTrue();
    assertThat(fitter.candidates()).isEqualTo(15);
    TpuFleet down = TpuFleet.of(POD).withHealth("pod", HostHealth.DOWN, 0);
    assertThat(fitter.fit(down, SliceRequest.of("8x8")).isPlaced()).isFalse();
    assertThat(fitter.candidates()).isZero();
  }
}
