package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Slices in cubes some of whose partitions are broken, against all partitions one by one. */
class PartitionStatesProperties {
  private static final int CUBES = 3;
  private static final TpuPool POOL = TpuPool.cubes("block", TpuGeneration.V7X, CUBES);
  private static final SliceShape CUBE = SliceShape.of(4, 4, 4);
  private static final List<HostHealth> HEALTHS = List.of(HostHealth.values());
  private static final List<SliceShape> SHAPES = List.of(
      SliceShape.of(2, 2, 1),
      SliceShape.of(2, 2, 2),
      SliceShape.of(2, 2, 4),
      SliceShape.of(2, 4, 4),
      CUBE);

  private static SlicePlacement placement(TpuPool.Block block) {
    return block.shape().equals(CUBE)
        ? SlicePlacement.ofCubes(POOL, CUBE, List.of(block.firstHost() / 16))
        : SlicePlacement.ofBox(POOL, block.shape(), AxisOrder.XYZ, block.firstHost());
  }

  /** {@return the partitions of a shape, found by trying every host} */
  private static List<TpuPool.Block> partitions(SliceShape shape) {
    List<TpuPool.Block> blocks = new ArrayList<>();
    for (int host = 0; host < 16 * CUBES; host++) {
      int inCube = host % 16;
      boolean corner = (inCube & 1) % (shape.x() / 2) == 0
          && (inCube >> 1 & 1) % (shape.y() / 2) == 0
          && (inCube >> 2) % shape.z() == 0;
      if (corner) {
        blocks.add(new TpuPool.Block(shape, host));
      }
    }
    return blocks;
  }

  private static TpuFleet fleet(Choices choices) {
    TpuFleet fleet = TpuFleet.of(POOL);
    for (int i = choices.nextInt(5); i > 0; i--) {
      fleet = fleet.withHealth("block", health(choices), choices.nextInt(16 * CUBES));
    }
    for (int i = choices.nextInt(12); i > 0; i--) {
      List<TpuPool.Block> blocks = partitions(choices.of(SHAPES));
      fleet = fleet.withPartitionHealth("block", health(choices), choices.of(blocks));
    }
    for (int i = choices.nextInt(12); i > 0; i--) {
      List<TpuPool.Block> blocks = partitions(SHAPES.get(choices.nextInt(4)));
      SlicePlacement place = placement(choices.of(blocks));
      if (isFree(fleet, place)) {
        TpuSlice slice = TpuSlice.of("slice-" + i, place).withOwner("owner-" + i);
        fleet = fleet.allocate(choices.oneIn(4) ? slice.withoutMoving() : slice);
      }
    }
    choices.note("%s", FleetStates.text(fleet));
    return fleet;
  }

  private static HostHealth health(Choices choices) {
    return choices.of(HEALTHS);
  }

  private static boolean isFree(TpuFleet fleet, SlicePlacement place) {
    return place.hosts().stream().noneMatch(host -> fleet.isTaken("block", host));
  }

  private static boolean isUsable(TpuFleet fleet, TpuPool.Block block, boolean allowDegraded) {
    return isUsable(fleet.partitionHealth("block", block), allowDegraded)
        && placement(block).hosts().stream()
            .allMatch(host -> isUsable(fleet.health("block", host), allowDegraded));
  }

  private static boolean isUsable(HostHealth health, boolean allowDegraded) {
    return health == HostHealth.HEALTHY || (allowDegraded && health == HostHealth.DEGRADED);
  }

  private static SliceRequest request(SliceShape shape, boolean allowDegraded) {
    SliceRequest healthy = SliceRequest.of(shape);
    return allowDegraded ? healthy.withDegradedHosts() : healthy;
  }

  @Provide
  Arbitrary<Run> aPartFitsExactlyIfAPartitionIsFreeAndUsableRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = fleet(choices);
      boolean allowDegraded = choices.nextBoolean();
      for (SliceShape shape : SHAPES) {
        long room = partitions(shape).stream()
            .filter(block -> isUsable(fleet, block, allowDegraded))
            .filter(block -> isFree(fleet, placement(block)))
            .count();
        for (SliceFitter fitter : List.of(
            SliceFitter.create(),
            SliceFitter.create().withObjective(PlacementObjective.FIRST_FIT))) {
          SliceFit one = fitter.fit(fleet, request(shape, allowDegraded));
          assertThat(one.isPlaced()).as("%s", shape).isEqualTo(room > 0);
          one.slices().forEach(place -> assertSound(fleet, place, allowDegraded));
          int wanted = 1 + choices.nextInt(4);
          SliceFit several = fitter.fit(fleet, request(shape, allowDegraded).withCount(wanted));
          assertThat(several.isPlaced()).as("%s %s", wanted, shape).isEqualTo(room >= wanted);
        }
      }
      SliceFit two =
          SliceFitter.create().fit(fleet, request(SliceShape.of(4, 4, 8), allowDegraded));
      assertThat(two.isPlaced())
          .isEqualTo(partitions(CUBE).stream()
                  .filter(block -> isUsable(fleet, block, allowDegraded))
                  .filter(block -> isFree(fleet, placement(block)))
                  .count()
              >= 2);
    });
  }

  @Property(tries = 2000)
  void aPartFitsExactlyIfAPartitionIsFreeAndUsable(
      @ForAll("aPartFitsExactlyIfAPartitionIsFreeAndUsableRuns") Run run) {
    run.check();
  }

  private static void assertSound(TpuFleet fleet, SlicePlacement place, boolean allowDegraded) {
    assertThat(isFree(fleet, place)).isTrue();
    assertThat(place.partitions())
        .isNotEmpty()
        .allMatch(block -> isUsable(fleet, block, allowDegraded));
  }

  @Provide
  Arbitrary<Run> movesAndEvictionsMakeRoomOnUsablePartitionsOnlyRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = fleet(choices);
      SlicePlanner planner = SlicePlanner.create();
      SliceShape shape = choices.of(SHAPES);
      SliceRequest request = request(shape, false);
      boolean usable = partitions(shape).stream().anyMatch(block -> isUsable(fleet, block, false));
      planner.defragmentation(fleet, request, 2, Integer.MAX_VALUE).ifPresent(plan -> {
        TpuFleet after = fleet;
        for (SliceMove move : plan.moves()) {
          after = after.release(move.slice().id());
        }
        for (SliceMove move : plan.moves()) {
          assertSound(after, move.to(), false);
          after = after.allocate(move.slice().withPlacement(move.to()));
        }
        assertSound(after, plan.placement(), false);
      });
      assertThat(planner.cheapestVictims(fleet, request, owner -> 1).isPresent())
          .isEqualTo(usable);
      IntStream.range(0, 12)
          .mapToObj(i -> "slice-" + i)
          .filter(id -> fleet.slice(id).isPresent())
          .forEach(id -> planner.failover(fleet, id).ifPresent(to -> {
            SlicePlacement old = fleet.slice(id).orElseThrow().placement();
            assertThat(to.equals(old)).isEqualTo(!fleet.hasFailed(old));
            if (!to.equals(old)) {
              assertSound(fleet.release(id), to, false);
            }
          }));
    });
  }

  @Property(tries = 500)
  void movesAndEvictionsMakeRoomOnUsablePartitionsOnly(
      @ForAll("movesAndEvictionsMakeRoomOnUsablePartitionsOnlyRuns") Run run) {
    run.check();
  }
}
