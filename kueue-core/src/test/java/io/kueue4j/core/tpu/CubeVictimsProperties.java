package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The cheapest owners of whole cubes, against all sets of owners of a few cubes. */
class CubeVictimsProperties {
  private static final int OWNERS = 6;

  private final SlicePlanner planner = SlicePlanner.create();

  /** In each cube up to four owners; some have slices of two or three cubes. */
  private static TpuFleet fleet(Choices choices, TpuPool pool) {
    TpuFleet fleet = TpuFleet.of(pool);
    int cube = 0;
    while (cube < pool.cubes()) {
      String owner = "owner-" + choices.nextInt(OWNERS);
      int wide = Math.min(1 + choices.nextInt(4), pool.cubes() - cube);
      if (wide < 4 && choices.oneIn(3)) {
        SlicePlacement place = SlicePlacement.ofCubes(
            pool,
            SliceShape.of(4, 4, 4 * wide),
            IntStream.range(cube, cube + wide).boxed().toList());
        fleet = fleet.allocate(TpuSlice.of("slice-" + cube, place).withOwner(owner));
        cube += wide;
      } else {
        for (int host = choices.nextInt(4); host < 4; host++) {
          fleet = fleet.allocate(TpuSlice.of(
                  "slice-" + cube + "-" + host,
                  SlicePlacement.ofBox(
                      pool, SliceShape.of(2, 2, 4), AxisOrder.XYZ, cube * 16 + host))
              .withOwner("owner-" + choices.nextInt(OWNERS)));
        }
        cube++;
      }
    }
    choices.note("%s", FleetStates.text(fleet));
    return fleet;
  }

  @Provide
  Arbitrary<Run> noOthersAreCheaperRuns() {
    return Run.of(choices -> {
      TpuPool pool = TpuPool.cubes("block", TpuGeneration.V7X, 7);
      TpuFleet fleet = fleet(choices, pool);
      long[] costs = choices.longs(OWNERS, 0, 12).toArray();
      ToLongFunction<String> costOf = owner -> costs[owner.charAt(owner.length() - 1) - '0'];
      int needed = 2 + choices.nextInt(4);
      choices.note("%s cubes, owners cost %s", needed, Arrays.toString(costs));
      long cheapest = Long.MAX_VALUE;
      int fewest = Integer.MAX_VALUE;
      for (int gone = 0; gone < 1 << OWNERS; gone++) {
        int set = gone;
        List<String> names = Stream.iterate(0, i -> i < OWNERS, i -> i + 1)
            .filter(i -> ((set >>> i) & 1) != 0)
            .map(i -> "owner-" + i)
            .toList();
        long cost = names.stream().mapToLong(costOf).sum();
        boolean better = cost < cheapest || (cost == cheapest && names.size() < fewest);
        if (better && freeCubes(fleet, pool, names) >= needed) {
          cheapest = cost;
          fewest = names.size();
        }
      }
      Optional<SliceEviction> found =
          planner.cheapestVictims(fleet, SliceRequest.of(SliceShape.of(4, 4, 4 * needed)), costOf);
      assertThat(found.map(SliceEviction::cost)).contains(cheapest);
      assertThat(found.orElseThrow().owners()).hasSize(fewest);
      assertThat(found.orElseThrow().isCheapest()).isTrue();
    });
  }

  @Property(tries = 1000)
  void noOthersAreCheaper(@ForAll("noOthersAreCheaperRuns") Run run) {
    run.check();
  }

  private static int freeCubes(TpuFleet fleet, TpuPool pool, List<String> gone) {
    Set<Integer> taken = new HashSet<>();
    for (TpuSlice slice : fleet.slices()) {
      if (!gone.contains(slice.owner())) {
        slice.placement().cubes().forEach(taken::add);
      }
    }
    return pool.cubes() - taken.size();
  }
}
