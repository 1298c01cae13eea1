package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Cubes in a trial: which are alike, which are whole, and who is in them. */
class TrialPoolTest {
  private static final TpuPool BLOCK = TpuPool.cubes("block", TpuGeneration.V7X, 8);

  private static TpuSlice part(String id, String shape, int host) {
    return TpuSlice.of(
        id, SlicePlacement.ofBox(BLOCK, SliceShape.parse(shape), AxisOrder.XYZ, host));
  }

  private static TpuFleet fleet() {
    return TpuFleet.of(BLOCK)
        .allocate(part("0a", "2x2x1", 0))
        .allocate(part("0b", "2x2x2", 1))
        .allocate(part("1a", "2x2x2", 17))
        .allocate(part("1b", "2x2x1", 16))
        .allocate(part("2", "2x2x1", 32))
        .allocate(part("3a", "2x2x1", 48).withTurning())
        .allocate(part("3b", "2x2x2", 49))
        .allocate(TpuSlice.of(
            "45", SlicePlacement.ofCubes(BLOCK, SliceShape.of(4, 4, 8), List.of(4, 5))));
  }

  private static TrialPool trial(TpuFleet fleet) {
    return new TrialPool(
        fleet.state(0).contents(), resident -> !resident.slice().id().equals("1a"));
  }

  @Test
  void cubesAreAlikeThatHoldTheSame() {
    TrialPool all = new TrialPool(fleet().state(0).contents(), resident -> true);
    assertThat(all.areAlike(0, 1)).isTrue();
    assertThat(all.areAlike(0, 2)).isFalse();
    assertThat(all.areAlike(0, 3)).isFalse();
    assertThat(all.areAlike(4, 5)).isTrue();
    assertThat(all.areAlike(6, 7)).isTrue();
    assertThat(all.areAlike(2, 6)).isFalse();
    assertThat(trial(fleet()).areAlike(0, 1)).isFalse();
    TpuFleet hurt = fleet().withHealth("block", HostHealth.DEGRADED, 100);
    assertThat(trial(hurt).areAlike(6, 7)).isFalse();
    Resident first = all.contents().residents(0)[0];
    all.toggle(first, false);
    assertThat(all.areAlike(0, 1)).isFalse();
    all.toggle(first, true);
    assertThat(all.areAlike(0, 1)).isTrue();
  }

  @Test
  void cubesAreTakenAndGivenBack() {
    TrialPool trial = trial(fleet());
    assertThat(trial.wholeCubes()).isEqualTo(2);
    trial.toggleCube(7, false);
    trial.toggleCube(6, false);
    assertThat(trial.wholeCubes()).isZero();
    trial.toggleCube(6, true);
    assertThat(trial.wholeCubes()).isEqualTo(1);
    trial.toggleCube(7, true);
    Resident wide = trial.contents().residents(5)[0];
    trial.toggle(wide, false);
    trial.toggleCube(4, false);
    assertThat(trial.wholeCubes()).isEqualTo(3);
    trial.toggleCube(4, true);
    trial.toggle(wide, true);
    assertThat(trial.wholeCubes()).isEqualTo(2);
  }

  @Test
  void whoIsInACubeIsCounted() {
    TrialPool trial = trial(fleet());
    long[] usable = trial.contents().usable(SliceShape.of(4, 4, 4));
    assertThat(trial.isCandidateCube(usable, 0, 2)).isTrue();
    assertThat(trial.inTheWay()).extracting(each -> each.slice().id()).containsExactly("0a", "0b");
    assertThat(trial.inTheWaySize()).isEqualTo(2);
    assertThat(trial.chipsInTheWay()).isEqualTo(12);
    assertThat(trial.isCandidateCube(usable, 0, 1)).isFalse();
    assertThat(trial.isCandidateCube(usable, 1, 2)).isFalse();
    assertThat(trial.isCandidateCube(usable, 4, 1)).isTrue();
    assertThat(trial.chipsInTheWay()).isEqualTo(128);
    trial.toggleCube(6, false);
    assertThat(trial.isCandidateCube(usable, 6, 2)).isFalse();
    assertThat(trial.isCandidateCube(usable, 7, 0)).isTrue();
    assertThat(trial.inTheWay()).isEmpty();
  }
}
