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
    return new TrialPool(fleet.state(0), resident -> !resident.slice().id().equals("1a"));
  }

  @Test
  void cubesAreAlikeThatHoldTheSame() {
    TrialPool all = new TrialPool(fleet().state(0), resident -> true);
    assertThat(all.areAlike(0, 1)).isTrue();
    assertThat(all.areAlike(0, 2)).isFalse();
    assertThat(all.areAlike(0, 3)).isFalse();
    assertThat(all.areAlike(4, 5)).isTrue();
    assertThat(all.areAlike(6, 7)).isTrue();
    assertThat(all.areAlike(2, 6)).isFalse();
    assertThat(trial(fleet()).areAlike(0, 1)).isFalse();
    TpuFleet hurt = fleet().withHealth("block", HostHealth.DEGRADED, 100);
    assertThat(trial(hurt).areAlike(6, 7)).isFalse();
    assertThat(trial(hurt.withHealth("block", HostHealth.DOWN, 116)).areAlike(6, 7))
        .isFalse();
    assertThat(trial(hurt.withHealth("block", HostHealth.DEGRADED, 116)).areAlike(6, 7))
        .isTrue();
    Resident first = all.state().residents(0)[0];
    all.toggle(first);
    assertThat(all.areAlike(0, 1)).isFalse();
    all.toggle(first);
    assertThat(all.areAlike(0, 1)).isTrue();
  }

  /** {@return the number of cubes that are free and healthy} */
  private static int wholeCubes(TrialPool trial) {
    int cubes = 0;
    while (trial.hasRoom(trial.layout().wholeCube(), cubes + 1)) {
      cubes++;
    }
    return cubes;
  }

  @Test
  void cubesAreTakenAndGivenBack() {
    TrialPool trial = trial(fleet());
    assertThat(wholeCubes(trial)).isEqualTo(2);
    trial.toggle(HostMask.ofCubes(new int[] {7}));
    trial.toggle(HostMask.ofCubes(new int[] {6}));
    assertThat(wholeCubes(trial)).isZero();
    trial.toggle(HostMask.ofCubes(new int[] {6}));
    assertThat(wholeCubes(trial)).isEqualTo(1);
    trial.toggle(HostMask.ofCubes(new int[] {7}));
    Resident wide = trial.state().residents(5)[0];
    trial.toggle(wide);
    trial.toggle(HostMask.ofCubes(new int[] {4}));
    assertThat(wholeCubes(trial)).isEqualTo(3);
    trial.toggle(HostMask.ofCubes(new int[] {4}));
    trial.toggle(wide);
    assertThat(wholeCubes(trial)).isEqualTo(2);
  }

  @Test
  void whoIsInACubeIsCounted() {
    TrialPool trial = trial(fleet());
    PlaceTable cube = trial.layout().wholeCube();
    long[] usable = trial.state().usable(SliceShape.of(4, 4, 4));
    assertThat(trial.next(cube, usable, 0, 0, 2)).isZero();
    assertThat(trial.inTheWay()).extracting(each -> each.slice().id()).containsExactly("0a", "0b");
    assertThat(trial.inTheWaySize()).isEqualTo(2);
    assertThat(trial.chipsInTheWay()).isEqualTo(12);
    assertThat(trial.next(cube, usable, 0, 0, 1)).isEqualTo(-1);
    assertThat(trial.next(cube, usable, 1, 0, 2)).isEqualTo(-1);
    assertThat(trial.next(cube, usable, 4, 0, 1)).isZero();
    assertThat(trial.chipsInTheWay()).isEqualTo(128);
    trial.toggle(HostMask.ofCubes(new int[] {6}));
    assertThat(trial.next(cube, usable, 6, 0, 2)).isEqualTo(-1);
    assertThat(trial.next(cube, usable, 7, 0, 0)).isZero();
    assertThat(trial.inTheWay()).isEmpty();
  }
}
