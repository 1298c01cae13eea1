package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Objectives other than the default, and what the default looks at last. */
class PlacementObjectiveTest {
  private static final TpuPool CUBES = TpuPool.cubes("cubes", TpuGeneration.V7X, 2);
  private static final TpuPool POD =
      TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);

  private static SlicePlacement box(TpuPool pool, String shape, int host) {
    return SlicePlacement.ofBox(pool, SliceShape.parse(shape), AxisOrder.XYZ, host);
  }

  @CanIgnoreReturnValue
  private static SlicePlacement only(
      PlacementObjective objective, TpuFleet fleet, SliceRequest request) {
    SliceFit fit = SliceFitter.create().withObjective(objective).fit(fleet, request);
    assertThat(fit.slices()).hasSize(1);
    return fit.slices().get(0);
  }

  /**
   * Example TE-22: cube A is free; of cube B hosts 0, 1 and 4 in the order of partitions are busy.
   * That order goes along z first, so it begins with our hosts 0, 4, 8, 12, 2, 6, 10, 14.
   */
  private static TpuFleet te22() {
    return TpuFleet.of(CUBES).withHealth("cubes", HostHealth.DOWN, 16, 16 + 4, 16 + 2);
  }

  @Test
  void te22SlicesAreCounted() {
    PlacementObjective objective = PlacementObjective.TOPOLOGY_SLICES;
    assertThat(only(objective, te22(), SliceRequest.of("2x2x2")).hosts())
        .isEqualTo(List.of(16 + 8, 16 + 12));
    assertThat(only(objective, te22(), SliceRequest.of("2x2x4")).hosts())
        .isEqualTo(List.of(16 + 1, 16 + 5, 16 + 9, 16 + 13));
    assertThat(only(objective, te22(), SliceRequest.of("2x2x1")).hosts())
        .isEqualTo(List.of(16 + 8));
  }

  @Test
  void te22TheFirstFreeDomainIsTaken() {
    PlacementObjective objective = PlacementObjective.TOPOLOGY_DOMAINS;
    assertThat(only(objective, te22(), SliceRequest.of("2x2x2")).hosts()).isEqualTo(List.of(0, 4));
    assertThat(only(objective, te22(), SliceRequest.of("2x2x1")).hosts()).isEqualTo(List.of(0));
  }

  /** The default leaves the intact pair alone that topology-aware scheduling breaks. */
  @Test
  void te22TheDefaultTakesTheSingleHost() {
    TpuFleet fleet = TpuFleet.of(CUBES)
        .allocate(TpuSlice.of("a", box(CUBES, "2x2x2", 16)))
        .allocate(TpuSlice.of("b", box(CUBES, "2x2x1", 16 + 2)));
    assertThat(only(PlacementObjective.KEEP_BLOCKS, fleet, SliceRequest.of("2x2x1"))
            .hosts())
        .isEqualTo(List.of(16 + 6));
  }

  private static TpuFleet ending(long... minutes) {
    TpuFleet fleet = TpuFleet.of(POD);
    int[] hosts = {0, 3, 12, 15};
    for (int i = 0; i < hosts.length; i++) {
      TpuSlice slice = TpuSlice.of("corner-" + i, box(POD, "2x2", hosts[i]));
      fleet =
          fleet.allocate(minutes[i] < 0 ? slice : slice.withExpectedEndMillis(minutes[i] * 60_000));
    }
    return fleet;
  }

  /** All places beside a corner are worth the same but for whom they are beside. */
  @Test
  void slicesLieBesideThoseThatEndWhenTheyDo() {
    SliceRequest request = SliceRequest.of("2x2").withExpectedEndMillis(600 * 60_000L);
    PlacementObjective objective = PlacementObjective.KEEP_BLOCKS;
    assertThat(only(objective, ending(10, 20, 30, 610), request).origin()).isEqualTo(11);
    assertThat(only(objective, ending(10, 590, 30, 40), request).origin()).isEqualTo(7);
    assertThat(only(objective, ending(-1, -1, 5, -1), request).origin()).isEqualTo(8);
    assertThat(only(objective, ending(10, 20, 30, 610), SliceRequest.of("2x2")).origin())
        .isEqualTo(4);
    assertThat(request.expectedEndMillis()).isEqualTo(OptionalLong.of(36_000_000));
  }

  @Test
  void theDistanceOfEndsIsOneMoreForEachDoubling() {
    Set<Long> distances = new TreeSet<>();
    PlacementObjective noted = new Single(candidate -> {
      distances.add((long) candidate.endDistance());
      return 0;
    });
    SliceRequest request = SliceRequest.of("2x2").withExpectedEndMillis(600 * 60_000L);

    only(noted, ending(600, 601, 603, 604), request);

    assertThat(distances).containsExactly(0L, 1L, 2L, 3L, 64L);
  }

  /** Along an edge of two hosts both sides of a host are the other one. */
  @Test
  void aNeighbourOnBothSidesCountsOnce() {
    TpuPool torus = TpuPool.torus("t", TpuGeneration.V4, SliceShape.parse("4x4x8"))
        .withAlignment(TpuPool.Alignment.HOST_ALIGNED)
        .withSeamCrossing();
    TpuFleet fleet = TpuFleet.of(torus);
    Set<Long> neighbours = new TreeSet<>();
    PlacementObjective noted = new Single(candidate -> {
      neighbours.add((long) candidate.freeNeighbours());
      return 0;
    });

    only(noted, fleet, SliceRequest.of("2x2x1"));
    assertThat(neighbours).containsExactly(1L + 1 + 2);
    neighbours.clear();
    only(noted, fleet, SliceRequest.of("2x2x4"));
    assertThat(neighbours).containsExactly(4L + 4 + 2);
  }

  /** Three blocks long, a slice breaks two blocks of two or three, also where it crosses a seam. */
  @Test
  void blocksBeyondASeamAreBrokenLikeOthers() {
    TpuPool torus = TpuPool.torus("t", TpuGeneration.V4, SliceShape.parse("4x4x64"))
        .withAlignment(TpuPool.Alignment.HOST_ALIGNED)
        .withSeamCrossing();
    int level = TpuGeneration.V4.blocks().indexOf(SliceShape.parse("4x4x8"));
    Set<Integer> losses = new TreeSet<>();
    PlacementObjective noted = new Single(candidate -> {
      losses.add(candidate.alignedLoss(level));
      return 0;
    });

    only(noted, TpuFleet.of(torus), SliceRequest.of("4x4x12"));

    assertThat(losses).containsExactly(2, 3);
  }

  @Provide
  Arbitrary<Run> distancesOfEndsAreThoseOfTheNeighboursRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = FleetStates.scattered(choices);
      TpuPool pool = fleet.pools().get(0);
      for (TpuSlice slice : fleet.slices()) {
        fleet = choices.oneIn(6)
            ? fleet
            : fleet
                .release(slice.id())
                .allocate(slice.withExpectedEndMillis(choices.nextInt(1 << 24)));
      }
      long end = choices.nextInt(1 << 24);
      SliceRequest request = FleetStates.request(fleet.generation(), choices);
      if (request.shapes().get(0).chips() >= 64) {
        return;
      }
      SlicePlacement chosen = SliceFitter.create()
          .withObjective(new Single(PlacementCandidate::endDistance))
          .fit(fleet, request.withExpectedEndMillis(end))
          .slices()
          .stream()
          .findFirst()
          .orElse(null);
      BitSet busy = NaiveSlices.busy(fleet, pool, request.allowDegraded());
      Set<BitSet> boxes = NaiveSlices.boxes(pool, request.shapes().get(0), request.mayTurn());
      List<BitSet> places = NaiveSlices.free(boxes, busy);
      assertThat(chosen == null).isEqualTo(places.isEmpty());
      if (chosen != null) {
        long least = Long.MAX_VALUE;
        for (BitSet place : places) {
          least = Math.min(least, distance(fleet, pool, place, end));
        }
        assertThat(distance(fleet, pool, NaiveSlices.hosts(chosen), end)).isEqualTo(least);
      }
    });
  }

  /** The distance of ends against neighbours found from sets of hosts. */
  @Property(tries = 150)
  void distancesOfEndsAreThoseOfTheNeighbours(
      @ForAll("distancesOfEndsAreThoseOfTheNeighboursRuns") Run run) {
    run.check();
  }

  private static long distance(TpuFleet fleet, TpuPool pool, BitSet place, long end) {
    BitSet touching = NaiveObjective.touching(pool, place);
    List<OptionalLong> ends = new ArrayList<>();
    for (TpuSlice slice : fleet.slices()) {
      if (NaiveSlices.hosts(slice.placement()).intersects(touching)) {
        ends.add(slice.expectedEndMillis());
      }
    }
    if (ends.isEmpty() || ends.contains(OptionalLong.empty())) {
      return 64;
    }
    LongStream minutes = ends.stream().mapToLong(each -> each.orElseThrow() / 60_000);
    long away = Math.abs(end / 60_000 - minutes.sum() / ends.size());
    long distance = 0;
    while (away > 0) {
      away /= 2;
      distance++;
    }
    return distance;
  }

  /** An objective of one value. */
  private record Single(ToLongFunction<PlacementCandidate> value) implements PlacementObjective {
    @Override
    public int values(int levels) {
      return 1;
    }

    @Override
    public long value(int index, PlacementCandidate candidate) {
      return value.applyAsLong(candidate);
    }
  }

  /** Only 4x4 slices are expected, so a 2x2 goes where no 4x4 fits anyway. */
  @Test
  void demandDecidesWhatRoomIsWorth() {
    TpuPool free = POD.withAlignment(TpuPool.Alignment.HOST_ALIGNED);
    TpuFleet fleet = TpuFleet.of(free).withHealth("pod", HostHealth.DOWN, 5, 6, 9);
    PlacementObjective squares =
        PlacementObjective.demandWeighted(Map.of(SliceShape.parse("4x4"), 1));
    SlicePlacement place = only(squares, fleet, SliceRequest.of("2x2"));
    BitSet busy = NaiveSlices.busy(fleet, free, false);
    Set<BitSet> boxes = NaiveSlices.boxes(free, SliceShape.parse("4x4"), false);
    assertThat(NaiveSlices.free(boxes, busy)).as("10, 11, 14, 15").hasSize(1);
    assertThat(place.origin()).isNotIn(10, 11, 14, 15);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlacementObjective.demandWeighted(Map.of(SliceShape.parse("4x4"), -1)))
        .withMessage("weight -1 of shape 4x4, expected at least 0");
  }

  @Provide
  Arbitrary<Run> strandedHostsAreThoseOfNoPlaceRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = FleetStates.scattered(choices);
      TpuPool pool = fleet.pools().get(0);
      List<SliceShape> shapes = pool.generation().blocks().stream()
          .filter(shape -> shape.chips() <= 128)
          .toList();
      SliceShape small = shapes.get(shapes.size() - 2);
      SliceShape wide = choices.of(shapes);
      SliceFit fit = SliceFitter.create()
          .withObjective(new Single(candidate -> candidate.strandedHosts(wide)))
          .fit(fleet, SliceRequest.of(small).withTurning());
      BitSet busy = NaiveSlices.busy(fleet, pool, false);
      long least = Long.MAX_VALUE;
      for (BitSet place : NaiveSlices.free(NaiveSlices.boxes(pool, small, true), busy)) {
        least = Math.min(least, stranded(pool, busy, place, wide));
      }
      for (SlicePlacement place : fit.slices()) {
        assertThat(stranded(pool, busy, NaiveSlices.hosts(place), wide)).isEqualTo(least);
      }
    });
  }

  @Property(tries = 200)
  void strandedHostsAreThoseOfNoPlace(@ForAll("strandedHostsAreThoseOfNoPlaceRuns") Run run) {
    run.check();
  }

  private static long stranded(TpuPool pool, BitSet busy, BitSet taken, SliceShape shape) {
    BitSet more = (BitSet) busy.clone();
    more.or(taken);
    BitSet useless = new BitSet();
    useless.set(0, pool.hosts());
    useless.andNot(more);
    boolean whole = pool.kind() == TpuPool.Kind.CUBES_OCS && shape.chips() >= 64;
    if (whole) {
      // Only in the slice's own cube does anything change.
      IntStream.range(0, pool.cubes())
          .filter(cube -> more.get(cube * 16, cube * 16 + 16).isEmpty())
          .forEach(cube -> useless.clear(cube * 16, cube * 16 + 16));
    } else {
      NaiveSlices.free(NaiveSlices.boxes(pool, shape, true), more).forEach(useless::andNot);
    }
    return useless.cardinality();
  }

  @Test
  void wholeCubesStrandWhatIsLeftOfThem() {
    TpuFleet fleet = TpuFleet.of(
        TpuPool.cubes("a", TpuGeneration.V7X, 4), TpuPool.cubes("b", TpuGeneration.V7X, 3));
    PlacementObjective two =
        PlacementObjective.demandWeighted(Map.of(SliceShape.parse("4x4x8"), 1));
    assertThat(only(two, fleet, SliceRequest.of("4x4x4")).pool().id()).isEqualTo("b");
    assertThat(only(two, fleet, SliceRequest.of("4x4x12")).pool().id()).isEqualTo("b");
    PlacementObjective three =
        PlacementObjective.demandWeighted(Map.of(SliceShape.parse("4x4x12"), 1));
    assertThat(only(three, fleet, SliceRequest.of("4x4x4")).pool().id()).isEqualTo("a");
    assertThat(only(three, fleet, SliceRequest.of("2x2x1")).pool().id()).isEqualTo("a");
    TpuFleet uneven = TpuFleet.of(
        TpuPool.cubes("a", TpuGeneration.V7X, 6), TpuPool.cubes("b", TpuGeneration.V7X, 3));
    PlacementObjective five =
        PlacementObjective.demandWeighted(Map.of(SliceShape.parse("4x4x20"), 1));
    assertThat(only(five, uneven, SliceRequest.of("4x4x4")).pool().id())
        .as("all of b is stranded already")
        .isEqualTo("b");
  }
}
