package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Plans of moves against all sets of slices that could be moved, in small fleets. */
class MoveSearchProperties {
  private final SlicePlanner planner = SlicePlanner.create();

  private static List<TpuPool> pools(Choices choices) {
    List<TpuPool> pools = new ArrayList<>();
    boolean grid = choices.nextBoolean();
    TpuPool.Alignment alignment = FleetStates.alignment(choices);
    for (int i = 1 + choices.nextInt(2); i > 0; i--) {
      TpuPool pool = grid
          ? TpuPool.grid("pod-" + i, TpuGeneration.V6E, SliceShape.parse(i == 1 ? "8x8" : "4x8"), 4)
          : TpuPool.cubes("block-" + i, TpuGeneration.V7X, 1 + choices.nextInt(4 - i));
      pools.add(pool.withFabric(choices.nextBoolean() ? "one" : "other").withAlignment(alignment));
    }
    return pools;
  }

  private static TpuFleet fleet(List<TpuPool> pools, Choices choices) {
    TpuFleet fleet = TpuFleet.of(pools);
    for (TpuPool pool : pools) {
      for (int broken = choices.nextInt(3); broken > 0; broken--) {
        HostHealth health = choices.nextBoolean() ? HostHealth.DOWN : HostHealth.DEGRADED;
        fleet = fleet.withHealth(pool.id(), health, choices.nextInt(pool.hosts()));
      }
    }
    for (int i = choices.nextInt(9); i > 0; i--) {
      TpuPool pool = choices.of(pools);
      SliceRequest request = FleetStates.request(pool.generation(), choices);
      for (SlicePlacement place : places(fleet, pool, request.shapes().get(0), choices)) {
        TpuSlice slice = TpuSlice.of("slice-" + i, place);
        slice = choices.oneIn(8) ? slice.withoutMoving() : slice;
        fleet = fleet.allocate(request.mayTurn() ? slice.withTurning() : slice);
      }
    }
    choices.note("%s", FleetStates.text(fleet));
    return fleet;
  }

  /** A free place chosen at choices, if there is one. */
  private static List<SlicePlacement> places(
      TpuFleet fleet, TpuPool pool, SliceShape shape, Choices choices) {
    BitSet busy = NaiveSlices.busy(fleet, pool, true);
    if (pool.takesWholeCubes(shape)) {
      int cube = choices.nextInt(pool.cubes());
      int next = (cube + 1) % pool.cubes();
      boolean isFree = busy.get(cube * 16, cube * 16 + 16).isEmpty()
          && (shape.chips() == 64
              || (next != cube && busy.get(next * 16, next * 16 + 16).isEmpty()));
      List<Integer> cubes = shape.chips() == 64 ? List.of(cube) : List.of(cube, next);
      return isFree ? List.of(SlicePlacement.ofCubes(pool, shape, cubes)) : List.of();
    }
    List<BitSet> free = NaiveSlices.free(NaiveSlices.boxes(pool, shape, false), busy);
    if (free.isEmpty()) {
      return List.of();
    }
    BitSet hosts = choices.of(free);
    SlicePlacement place = SlicePlacement.ofBox(pool, shape, AxisOrder.XYZ, hosts.nextSetBit(0));
    // Across a seam the lowest host is not the corner.
    return NaiveSlices.hosts(place).equals(hosts) ? List.of(place) : List.of();
  }

  private static SliceRequest request(List<TpuPool> pools, Choices choices) {
    SliceRequest request = FleetStates.request(pools.get(0).generation(), choices);
    if (choices.oneIn(3)) {
      SliceRequest.Scope scope = List.of(SliceRequest.Scope.values()).get(choices.nextInt(4));
      request = request.withCount(2);
      request =
          scope == SliceRequest.Scope.SPREAD ? request.withSpread(1) : request.withScope(scope);
    }
    TpuPool pool = choices.of(pools);
    ImmutableSetMultimap.Builder<String, Integer> hosts = ImmutableSetMultimap.builder();
    return switch (choices.nextInt(6)) {
      case 0 -> request.withAvoid(Map.of(pool.id(), Set.of(choices.nextInt(pool.hosts()))));
      case 1 -> {
        for (int host = 0; host < pool.hosts(); host++) {
          hosts.put(pool.id(), host);
        }
        yield request.withPin(Multimaps.asMap(hosts.build()));
      }
      default -> request;
    };
  }

  @Provide
  Arbitrary<Run> noPlanMovesFewerRuns() {
    return Run.of(choices -> {
      List<TpuPool> pools = pools(choices);
      check(fleet(pools, choices), request(pools, choices), 1 + choices.nextInt(3));
    });
  }

  @Property(tries = 1500)
  void noPlanMovesFewer(@ForAll("noPlanMovesFewerRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> noneDoesInATorusRuns() {
    return Run.of(choices -> {
      TpuPool pool = TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("4x8x16"))
          .withAlignment(TpuPool.Alignment.HOST_ALIGNED);
      pool = choices.nextBoolean() ? pool.withSeamCrossing() : pool;
      TpuFleet fleet = TpuFleet.of(pool);
      for (int i = 0; i < 6; i++) {
        SliceShape shape = SliceShape.parse(choices.nextBoolean() ? "4x4x4" : "2x4x4");
        for (SlicePlacement place : places(fleet, pool, shape, choices)) {
          fleet = fleet.allocate(TpuSlice.of("slice-" + i, place));
        }
      }
      check(fleet, SliceRequest.of(choices.nextBoolean() ? "4x4x8" : "4x8x8").withTurning(), 2);
    });
  }

  /** A torus of two words, with slices across seams. */
  @Property(tries = 60)
  void noneDoesInATorus(@ForAll("noneDoesInATorusRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> severalSlicesMoveFewestRuns() {
    return Run.of(choices -> {
      List<TpuPool> pools = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        pools.add(TpuPool.grid("pod-" + i, TpuGeneration.V6E, SliceShape.parse("8x8"), 4)
            .withAlignment(FleetStates.alignment(choices)));
      }
      TpuFleet fleet = TpuFleet.of(pools);
      for (int i = 0; i < 4; i++) {
        SliceShape shape = SliceShape.parse(choices.nextBoolean() ? "2x2" : "2x4");
        for (SlicePlacement place : places(fleet, pools.get(i / 2), shape, choices)) {
          fleet = fleet.allocate(TpuSlice.of("slice-" + i, place));
        }
      }
      choices.note("%s", FleetStates.text(fleet));
      SliceRequest several =
          SliceRequest.of(choices.nextBoolean() ? "4x4" : "4x8").withCount(3 + choices.nextInt(3));
      check(fleet, choices.oneIn(3) ? several.withScope(SliceRequest.Scope.SAME_POOL) : several, 2);
    });
  }

  /** Three to five slices in two pools with two slices each. */
  @Property(tries = 200)
  void severalSlicesMoveFewest(@ForAll("severalSlicesMoveFewestRuns") Run run) {
    run.check();
  }

  private void check(TpuFleet fleet, SliceRequest request, int maxMoves) {
    NaiveMoves naive = new NaiveMoves(fleet, request, maxMoves);
    Optional<Defragmentation> plan =
        planner.defragmentation(fleet, request, maxMoves, Integer.MAX_VALUE);
    assertThat(plan.isPresent())
        .as("%s with %s moves in %s", request, maxMoves, fleet.slices())
        .isEqualTo(naive.isPossible());
    plan.ifPresent(found -> {
      assertThat(found.moves()).hasSize(naive.moves());
      assertThat(found.movedChips()).isEqualTo(naive.chips());
      if (naive.moves() > 0) {
        assertThat(planner.defragmentation(fleet, request, maxMoves, naive.chips()))
            .contains(found);
        assertThat(planner
                .defragmentation(fleet, request, maxMoves, naive.chips() - 1)
                .map(Defragmentation::moves))
            .satisfiesAnyOf(
                none -> assertThat(none).isEmpty(),
                more -> assertThat(more.orElseThrow()).hasSizeGreaterThan(naive.moves()));
      }
    });
  }
}
