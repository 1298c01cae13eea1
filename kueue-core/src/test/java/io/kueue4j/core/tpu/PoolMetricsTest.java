package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kueue4j.core.testkit.jqwik.Run;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PoolMetricsTest {
  private static TpuSlice box(TpuPool pool, String id, String shape, int host) {
    return TpuSlice.of(
        id, SlicePlacement.ofBox(pool, SliceShape.parse(shape), AxisOrder.XYZ, host));
  }

  private static PoolMetrics.Room room(PoolMetrics metrics, String shape) {
    return metrics.rooms().stream()
        .filter(room -> room.shape().toString().equals(shape))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void countsTheRoomOfAPod() {
    TpuPool pod = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);
    TpuFleet fleet = TpuFleet.of(pod)
        .allocate(box(pod, "a", "2x2", 0))
        .allocate(box(pod, "b", "2x2", 2))
        .withHealth("pod", HostHealth.DOWN, 15);
    PoolMetrics metrics = PoolMetrics.of(fleet, "pod");
    assertThat(metrics.hosts()).isEqualTo(16);
    assertThat(metrics.healthyHosts()).isEqualTo(15);
    assertThat(metrics.freeHosts()).isEqualTo(14);
    assertThat(metrics.freeHealthyHosts()).isEqualTo(13);
    assertThat(metrics.largest()).map(SliceShape::toString).contains("4x4");
    assertThat(metrics.fragmentationPermille()).isEqualTo(1000 * (52 - 16) / 52);
    assertThat(metrics.rooms())
        .extracting(PoolMetrics.Room::shape)
        .map(SliceShape::toString)
        .containsExactly("8x8", "4x8", "4x4", "2x4", "2x2");
    assertThat(room(metrics, "4x4"))
        .isEqualTo(new PoolMetrics.Room(SliceShape.parse("4x4"), 1, 1, 3, (13 - 4) * 4));
    assertThat(room(metrics, "4x8").freeBlocks()).isZero();
    assertThat(room(metrics, "4x8").blocksAfterMoving()).isEqualTo(1);
    assertThat(room(metrics, "8x8").blocksAfterMoving()).isZero();
    assertThat(room(metrics, "2x2").freeBlocks()).isEqualTo(13);
    assertThat(room(metrics, "2x2").strandedChips()).isZero();
  }

  @Test
  void countsCubes() {
    TpuPool block = TpuPool.cubes("block", TpuGeneration.V7X, 5);
    TpuFleet fleet = TpuFleet.of(block)
        .allocate(box(block, "a", "2x2x2", 0))
        .allocate(box(block, "b", "4x4x4", 16).withoutMoving())
        .withHealth("block", HostHealth.DEGRADED, 33);
    PoolMetrics metrics = PoolMetrics.of(fleet, "block");
    assertThat(metrics.wholeCubes()).isEqualTo(2);
    assertThat(metrics.brokenCubes()).isEqualTo(1);
    assertThat(metrics.largest()).contains(SliceShape.parse("4x4x8"));
    assertThat(room(metrics, "4x4x4"))
        .isEqualTo(new PoolMetrics.Room(SliceShape.parse("4x4x4"), 2, 2, 3, (14 + 15) * 4));
  }

  @Test
  void aFabricIsItsPoolsTogether() {
    TpuPool one =
        TpuPool.grid("one", TpuGeneration.V6E, SliceShape.parse("8x8"), 4).withFabric("rail");
    TpuPool two =
        TpuPool.grid("two", TpuGeneration.V6E, SliceShape.parse("8x8"), 4).withFabric("rail");
    TpuPool far = TpuPool.grid("far", TpuGeneration.V6E, SliceShape.parse("16x16"), 4);
    TpuFleet fleet = TpuFleet.of(one, two, far)
        .allocate(box(one, "a", "2x2", 0))
        .withHealth("two", HostHealth.DEGRADED, 3);
    PoolMetrics metrics = PoolMetrics.ofFabric(fleet, "rail");
    assertThat(metrics.pool()).isEqualTo("rail");
    assertThat(metrics.hosts()).isEqualTo(32);
    assertThat(metrics.healthyHosts()).isEqualTo(31);
    assertThat(metrics.freeHosts()).isEqualTo(31);
    assertThat(metrics.freeHealthyHosts()).isEqualTo(30);
    assertThat(metrics.largest()).map(SliceShape::toString).contains("4x8");
    assertThat(metrics.fragmentationPermille()).isEqualTo(1000 * (120 - 32) / 120);
    assertThat(room(metrics, "4x8").freeBlocks()).isEqualTo(2);
    assertThat(room(metrics, "4x4").freeBlocks()).isEqualTo(6);
    assertThat(room(metrics, "4x4").unbrokenBlocks()).isEqualTo(2);
    assertThat(room(metrics, "2x2").unbrokenBlocks()).isEqualTo(2);
    assertThat(room(metrics, "8x8").blocksAfterMoving()).isZero();
    assertThat(room(metrics, "4x8").blocksAfterMoving()).isEqualTo(2);
    assertThat(room(metrics, "4x4").strandedChips()).isEqualTo(2 * 3 * 4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolMetrics.ofFabric(fleet, "rai"))
        .withMessage("no pool of fabric rai");
  }

  /** Of 30 free hosts 6 are in no 4x4 and 14 in no 4x8; 2x2 strands none. */
  @Test
  void strandedChipsAreWeightedByDemand() {
    TpuPool pod = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);
    TpuFleet fleet = TpuFleet.of(pod).allocate(box(pod, "a", "2x2", 0));
    PoolMetrics metrics = PoolMetrics.of(fleet, "pod");
    SliceShape square = SliceShape.parse("4x4");
    SliceShape wide = SliceShape.parse("4x8");
    assertThat(metrics.strandedPermille(Map.of(square, 1))).isEqualTo(1000 * 3 / 15);
    assertThat(metrics.strandedPermille(Map.of(wide, 1))).isEqualTo(1000 * 7 / 15);
    assertThat(metrics.strandedPermille(Map.of(square, 3, wide, 1)))
        .isEqualTo(1000 * (3 * 3 + 7) / (4 * 15));
    assertThat(metrics.strandedPermille(Map.of())).isZero();
    assertThat(metrics.strandedPermille(Map.of(SliceShape.parse("16x16"), 1))).isZero();
  }

  @Provide
  Arbitrary<Run> unbrokenBlocksAreTheFreeHostsRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = FleetStates.scattered(choices);
      PoolMetrics metrics = PoolMetrics.of(fleet, fleet.pools().get(0).id());
      int chips = metrics.rooms().stream()
          .mapToInt(room -> room.unbrokenBlocks() * room.shape().chips())
          .sum();
      assertThat(chips).isEqualTo(metrics.freeHealthyHosts() * 4);
    });
  }

  /** The free hosts, counted by the largest free aligned blocks that they are in. */
  @Property(tries = 100)
  void unbrokenBlocksAreTheFreeHosts(@ForAll("unbrokenBlocksAreTheFreeHostsRuns") Run run) {
    run.check();
  }
}
