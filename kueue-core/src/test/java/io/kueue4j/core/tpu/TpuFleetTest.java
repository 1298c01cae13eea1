package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class TpuFleetTest {
  private static final SliceShape FULL = SliceShape.parse("16x16");
  private static final TpuPool ONE = TpuPool.grid("one", TpuGeneration.V6E, FULL, 4);
  private static final TpuPool TWO = TpuPool.grid("two", TpuGeneration.V6E, FULL, 4);
  private static final TpuFleet FLEET = TpuFleet.of(TWO, ONE);

  private static TpuSlice slice(String id, TpuPool pool, int host) {
    return TpuSlice.of(
        id, SlicePlacement.ofBox(pool, SliceShape.parse("4x4"), AxisOrder.XYZ, host));
  }

  @Test
  void allocatingAndReleasingLeavesTheFleetAsItWas() {
    TpuFleet taken = FLEET.allocate(slice("a", ONE, 0));
    assertThat(taken.isTaken("one", 9)).isTrue();
    assertThat(taken.isTaken("one", 2)).isFalse();
    assertThat(taken.isTaken("two", 9)).isFalse();
    assertThat(FLEET.isTaken("one", 9)).isFalse();
    assertThat(taken).isNotEqualTo(FLEET);
    assertThat(taken.release("a")).isEqualTo(FLEET).hasSameHashCodeAs(FLEET);
  }

  @Test
  void slicesAreKnownById() {
    TpuFleet taken = FLEET
        .allocate(slice("b", TWO, 0))
        .allocate(slice("c", ONE, 0))
        .allocate(slice("a", ONE, 2));
    assertThat(taken.slices()).extracting(TpuSlice::id).containsExactly("a", "b", "c");
    assertThat(taken.slice("b")).map(found -> found.placement().pool()).contains(TWO);
    assertThat(taken.slice("d")).isEmpty();
    assertThat(taken.release("a").slices()).extracting(TpuSlice::id).containsExactly("b", "c");
    assertThat(taken)
        .isEqualTo(FLEET
            .allocate(slice("a", ONE, 2))
            .allocate(slice("b", TWO, 0))
            .allocate(slice("c", ONE, 0)));
  }

  @Test
  void hostsHaveAtMostOneSlice() {
    TpuFleet taken = FLEET.allocate(slice("a", ONE, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> taken.allocate(slice("b", ONE, 1)))
        .withMessage("slice b takes hosts in pool one that other slices have, expected free ones");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> taken.allocate(slice("a", TWO, 0)))
        .withMessage("a second slice with id a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> taken.release("b"))
        .withMessage("no slice with id b");
  }

  @Test
  void healthIsKeptByHost() {
    TpuFleet hurt =
        FLEET.withHealth("one", HostHealth.DOWN, 3, 4).withHealth("one", HostHealth.DEGRADED, 4);
    assertThat(List.of(hurt.health("one", 3), hurt.health("one", 4), hurt.health("one", 5)))
        .containsExactly(HostHealth.DOWN, HostHealth.DEGRADED, HostHealth.HEALTHY);
    assertThat(hurt.withHealth("one", HostHealth.HEALTHY, 3, 4)).isEqualTo(FLEET);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FLEET.withHealth("one", HostHealth.DOWN, 64))
        .withMessage("host 64 of pool one, expected 0 to 63");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FLEET.withHealth("three", HostHealth.DOWN, 0))
        .withMessage("no pool with id three, there are [one, two]");
  }

  @Test
  void healthIsKeptByPartition() {
    TpuFleet fleet = TpuFleet.of(TpuPool.cubes("block", TpuGeneration.V7X, 2));
    SliceShape part = SliceShape.parse("2x2x2");
    TpuPool.Block upper = new TpuPool.Block(part, 8);
    TpuFleet hurt = fleet.withPartitionHealth("block", HostHealth.DOWN, upper);
    assertThat(hurt.partitionHealth("block", upper)).isEqualTo(HostHealth.DOWN);
    assertThat(hurt.withPartitionHealth("block", HostHealth.HEALTHY, upper)).isEqualTo(fleet);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> fleet.withPartitionHealth("block", HostHealth.DOWN, new TpuPool.Block(part, 4)))
        .withMessage(
            "partition 2x2x2 at host 4 of pool block, expected the lowest host of such a partition");
  }

  @Test
  void aSliceFailsOnlyWithAHostThatIsDown() {
    SlicePlacement place = slice("a", ONE, 0).placement();
    assertThat(FLEET.withHealth("one", HostHealth.DEGRADED, 9).hasFailed(place)).isFalse();
    assertThat(FLEET.withHealth("one", HostHealth.DOWN, 2).hasFailed(place)).isFalse();
    assertThat(FLEET.withHealth("one", HostHealth.DOWN, 9).hasFailed(place)).isTrue();
  }

  @Test
  void aPrefixIsUnusedWhateverSlicesAreCalled() {
    TpuFleet taken = FLEET.allocate(slice("new-1", ONE, 0)).allocate(slice("new--1", TWO, 0));
    assertThat(taken.unusedPrefix()).isEqualTo("new---");
  }

  @Test
  void poolsMustDifferInIdAndAgreeInGeneration() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuFleet.of(ONE, ONE))
        .withMessage("two pools with id one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuFleet.of(ONE, TpuPool.grid("x", TpuGeneration.V5E, FULL, 4)))
        .withMessage("pool one of v6e beside pool x of v5e, expected one generation in a fleet");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuFleet.of(List.of()))
        .withMessage("a fleet without pools, expected at least one");
  }
}
