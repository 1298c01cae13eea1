package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A slice is refused only if it fits nowhere: against {@link NaiveSlices}. With
 * {@code -Dkueue4j.tries} all states of small pools, and so many times the random ones.
 */
class SliceFitterCompletenessTest {
  private static final int FACTOR = Integer.getInteger("kueue4j.tries", 1);
  private static final int STATES = 1 << 16;

  /** A prime, so that a part of all states has all kinds. */
  private static final int STEP = FACTOR == 1 ? 13 : 1;

  private final SliceFitter fitter = SliceFitter.create();

  static Stream<Arguments> pools() {
    TpuPool grid = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);
    TpuPool cube = TpuPool.cubes("cube", TpuGeneration.V7X, 1);
    TpuPool torus =
        TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("4x4x4")).withSeamCrossing();
    return Stream.of(
        Arguments.of(grid, false),
        Arguments.of(grid.withAlignment(TpuPool.Alignment.HOST_ALIGNED), false),
        Arguments.of(grid.withAlignment(TpuPool.Alignment.HOST_ALIGNED), true),
        Arguments.of(cube, false),
        Arguments.of(cube.withAlignment(TpuPool.Alignment.HOST_ALIGNED), true),
        Arguments.of(torus.withAlignment(TpuPool.Alignment.HOST_ALIGNED), true));
  }

  static Stream<Arguments> largePools() {
    TpuPool grid = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("16x16"), 4);
    TpuPool chips = TpuPool.grid("pod", TpuGeneration.V5E, SliceShape.parse("16x16"), 1);
    TpuPool torus = TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("8x12x16"));
    return Stream.of(
        Arguments.of(grid, 20_000),
        Arguments.of(grid.withAlignment(TpuPool.Alignment.HOST_ALIGNED), 20_000),
        Arguments.of(chips.withAlignment(TpuPool.Alignment.HOST_ALIGNED), 1_000),
        Arguments.of(torus.withAlignment(TpuPool.Alignment.HOST_ALIGNED), 200),
        Arguments.of(torus.withAlignment(TpuPool.Alignment.HOST_ALIGNED).withSeamCrossing(), 200));
  }

  private static List<SliceShape> shapes(TpuPool pool) {
    return pool.generation().blocks().stream()
        .filter(shape -> shape.chips() >= pool.hostBox().chips())
        .filter(shape -> shape.chips() <= pool.chips().chips())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pools")
  void everyStateOfASmallPool(TpuPool pool, boolean turn) {
    TpuFleet empty = TpuFleet.of(pool);
    for (SliceShape shape : shapes(pool)) {
      Set<BitSet> places = NaiveSlices.boxes(pool, shape, turn);
      SliceRequest request = turn ? SliceRequest.of(shape).withTurning() : SliceRequest.of(shape);
      for (int state = 0; state < STATES; state += STEP) {
        BitSet busy = BitSet.valueOf(new long[] {state});
        TpuFleet fleet =
            empty.withHealth(pool.id(), HostHealth.DOWN, busy.stream().toArray());
        agrees(fleet, request, NaiveSlices.free(places, busy));
      }
    }
  }

  /** Two and three slices, one by one or together, against all pairs and triples of places. */
  @ParameterizedTest
  @MethodSource("pools")
  void severalSlicesInEveryStateOfASmallPool(TpuPool pool, boolean turn) {
    TpuFleet empty = TpuFleet.of(pool);
    for (SliceShape shape : shapes(pool)) {
      Set<BitSet> places = NaiveSlices.boxes(pool, shape, turn);
      SliceRequest request = turn ? SliceRequest.of(shape).withTurning() : SliceRequest.of(shape);
      for (int state = 0; state < STATES; state += FACTOR == 1 ? STEP * 3 : 1) {
        BitSet busy = BitSet.valueOf(new long[] {state});
        List<BitSet> free = NaiveSlices.free(places, busy);
        TpuFleet fleet =
            empty.withHealth(pool.id(), HostHealth.DOWN, busy.stream().toArray());
        for (int count = 2; count <= 3; count++) {
          SliceFit fit = fitter.fit(fleet, request.withCount(count));
          if (fit.isPlaced() != NaiveSlices.haveDisjoint(free, count)
              || fit instanceof SliceFit.Undecided) {
            assertThat(fit).as("%s of %s in %s", count, shape, busy).isNull();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("largePools")
  void randomStatesOfLargePools(TpuPool pool, int states) {
    TpuFleet empty = TpuFleet.of(pool);
    Random random = new Random(7);
    for (SliceShape shape : shapes(pool)) {
      Set<BitSet> places = NaiveSlices.boxes(pool, shape, true);
      SliceRequest request = SliceRequest.of(shape).withTurning();
      for (int i = 0; i < states / shapes(pool).size() * FACTOR; i++) {
        double share =
            random.nextDouble() * Math.min(1, 4.0 * pool.hostBox().chips() / shape.chips());
        BitSet busy = IntStream.range(0, pool.hosts())
            .filter(host -> random.nextDouble() < share)
            .collect(BitSet::new, BitSet::set, BitSet::or);
        TpuFleet fleet =
            empty.withHealth(pool.id(), HostHealth.DOWN, busy.stream().toArray());
        agrees(fleet, request, NaiveSlices.free(places, busy));
      }
    }
  }

  private void agrees(TpuFleet fleet, SliceRequest request, List<BitSet> places) {
    SliceFit fit = fitter.fit(fleet, request);
    if (fit.isPlaced() == places.isEmpty()
        || (fit.isPlaced() && !places.contains(NaiveSlices.hosts(fit.slices().get(0))))) {
      assertThat(fit)
          .as("%s in %s with %s", request.shapes(), fleet.pools(), places)
          .isNull();
    }
  }

  @Test
  void wholeCubesAreCounted() {
    Random random = new Random(3);
    TpuPool pool = TpuPool.cubes("block", TpuGeneration.V4, 12);
    for (int i = 0; i < 500 * FACTOR; i++) {
      TpuFleet fleet = TpuFleet.of(pool)
          .withHealth(
              "block", HostHealth.DOWN, random.ints(random.nextInt(14), 0, 192).toArray());
      BitSet busy = NaiveSlices.busy(fleet, pool, false);
      long whole = IntStream.range(0, 12)
          .filter(cube -> busy.get(cube * 16, cube * 16 + 16).isEmpty())
          .count();
      for (int cubes = 1; cubes <= 12; cubes++) {
        SliceFit fit = fitter.fit(fleet, SliceRequest.of(SliceShape.of(4, 4, 4 * cubes)));
        assertThat(fit.isPlaced()).isEqualTo(cubes <= whole);
        assertThat(fit.slices())
            .allSatisfy(
                slice -> assertThat(NaiveSlices.hosts(slice).intersects(busy)).isFalse())
            .allSatisfy(slice ->
                assertThat(slice.hosts().size()).isEqualTo(slice.cubes().size() * 16));
      }
    }
  }
}
