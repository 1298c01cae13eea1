package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSetMultimap;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
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
        .isEqualTo(new PoolMetrics.Room(SliceShape.parse("4x4"), 1, 3, (13 - 4) * 4));
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
        .isEqualTo(new PoolMetrics.Room(SliceShape.parse("4x4x4"), 2, 3, (14 + 15) * 4));
  }

  /** The closed form against all ways to pack, with hosts that must stay as they are. */
  @Property(tries = 200)
  void roomAfterMovingIsWhatCanBePacked(@ForAll long seed, @ForAll @IntRange(max = 5) int broken) {
    Random random = new Random(seed);
    TpuPool pool = TpuPool.cubes("cube", TpuGeneration.V7X, 1);
    TpuFleet fleet = TpuFleet.of(pool);
    SliceFitter fitter = SliceFitter.create().withObjective(PlacementObjective.FIRST_FIT);
    List<String> shapes = List.of("2x2x1", "2x2x2", "2x2x4", "2x4x4");
    for (int i = 0; i < random.nextInt(5); i++) {
      SliceRequest request = SliceRequest.of(shapes.get(random.nextInt(3)))
          .withAvoid(
              ImmutableSetMultimap.of("cube", random.nextInt(16), "cube", random.nextInt(16)));
      for (SlicePlacement place : fitter.fit(fleet, request).slices()) {
        fleet = fleet.allocate(TpuSlice.of("slice-" + i, place));
      }
    }
    fleet = fleet.withHealth("cube", HostHealth.DOWN, random.ints(broken, 0, 16).toArray());
    BitSet down = new BitSet();
    for (int host = 0; host < 16; host++) {
      down.set(host, fleet.health("cube", host) == HostHealth.DOWN);
    }
    List<SliceShape> held =
        fleet.slices().stream().map(slice -> slice.placement().shape()).toList();
    for (PoolMetrics.Room room : PoolMetrics.of(fleet, "cube").rooms()) {
      if (shapes.contains(room.shape().toString())) {
        int most = IntStream.rangeClosed(0, 16)
            .filter(more -> packs(pool, held, room.shape(), more, down))
            .max()
            .orElse(0);
        assertThat(room.blocksAfterMoving()).isEqualTo(most);
      }
    }
  }

  private static boolean packs(
      TpuPool pool, List<SliceShape> held, SliceShape shape, int more, BitSet busy) {
    Optional<SliceShape> next = held.stream().findFirst();
    if (next.isEmpty() && more == 0) {
      return true;
    }
    if (next.isEmpty()) {
      return NaiveSlices.free(NaiveSlices.boxes(pool, shape, false), busy).size() >= more;
    }
    for (BitSet place :
        NaiveSlices.free(NaiveSlices.boxes(pool, next.orElseThrow(), false), busy)) {
      BitSet taken = (BitSet) busy.clone();
      taken.or(place);
      if (packs(pool, held.subList(1, held.size()), shape, more, taken)) {
        return true;
      }
    }
    return false;
  }
}
