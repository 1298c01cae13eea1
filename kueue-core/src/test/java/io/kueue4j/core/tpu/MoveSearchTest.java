package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.Ints;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which plan it is of those with as few moves and chips, and what is moved at all. */
class MoveSearchTest {
  private static final TpuPool ONE = TpuPool.cubes("one", TpuGeneration.V7X, 3);
  private static final TpuPool TWO = TpuPool.cubes("two", TpuGeneration.V7X, 2);
  private static final TpuPool POD = TpuPool.grid(
          "pod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4)
      .withAlignment(TpuPool.Alignment.HOST_ALIGNED);

  private final SlicePlanner planner = SlicePlanner.create();

  private static TpuSlice whole(TpuPool pool, String id, int... cubes) {
    SliceShape shape = SliceShape.of(4, 4, 4 * cubes.length);
    return TpuSlice.of(id, SlicePlacement.ofCubes(pool, shape, Ints.asList(cubes)));
  }

  private static TpuSlice part(TpuPool pool, String id, String shape, int host) {
    return TpuSlice.of(
        id, SlicePlacement.ofBox(pool, SliceShape.parse(shape), AxisOrder.XYZ, host));
  }

  private List<String> moved(TpuFleet fleet, SliceRequest request, int maxMoves) {
    return planner
        .defragmentation(fleet, request, maxMoves, 10_000)
        .map(plan -> plan.moves().stream()
            .map(move -> move.slice().id() + " to " + move.to().pool().id() + " "
                + (move.to().cubes().isEmpty() ? move.to().origin() : move.to().cubes()))
            .toList())
        .orElse(List.of("no plan"));
  }

  /** Two cubes in pool one and one in pool two are free, so a slice of one cube can change. */
  @Test
  void sliceOfWholeCubesMovesToAnotherPool() {
    TpuFleet fleet =
        TpuFleet.of(ONE, TWO).allocate(whole(ONE, "a", 1)).allocate(whole(TWO, "b", 0));
    SliceRequest three = SliceRequest.of("4x4x12");
    assertThat(moved(fleet, three, 2)).containsExactly("a to two [1]");
    assertThat(moved(fleet.allocate(whole(TWO, "c", 1)), three, 2)).containsExactly("no plan");
    assertThat(moved(TpuFleet.of(ONE).allocate(whole(ONE, "a", 1)), three, 2))
        .containsExactly("no plan");
  }

  /** Only who may not use the free cube has reason to send another there. */
  @Test
  void sliceOfWholeCubesMovesInsideItsPoolForOneWhoIsConfined() {
    TpuFleet fleet = TpuFleet.of(TWO).allocate(whole(TWO, "a", 0));
    ImmutableSetMultimap.Builder<String, Integer> first = ImmutableSetMultimap.builder();
    IntStream.range(0, 16).forEach(host -> first.put("two", host));
    SliceRequest one = SliceRequest.of("4x4x4");
    assertThat(moved(fleet, one.withPin(Multimaps.asMap(first.build())), 1))
        .containsExactly("a to two [1]");
    assertThat(moved(fleet, one.withAvoid(Map.of("two", Set.of(20))), 1))
        .containsExactly("a to two [1]");
    assertThat(moved(fleet, one, 1)).isEmpty();
  }

  /** A plan moves the fewest slices, then the fewest chips, whatever is tried first. */
  @Test
  void fewerMovesComeBeforeFewerChips() {
    TpuFleet fleet = TpuFleet.of(ONE)
        .allocate(part(ONE, "half", "2x4x4", 0))
        .allocate(part(ONE, "a", "2x2x1", 16))
        .allocate(part(ONE, "b", "2x2x1", 17))
        .allocate(part(ONE, "stays", "2x2x1", 32).withoutMoving());
    assertThat(moved(fleet, SliceRequest.of("4x4x4"), 2)).containsExactly("half to one [2]");
    assertThat(moved(fleet.release("b"), SliceRequest.of("4x4x4"), 2))
        .containsExactly("a to one [2]");
    assertThat(moved(fleet, SliceRequest.of("4x4x4"), 0)).containsExactly("no plan");
  }

  /** Both small slices could go; the request goes to the first place that gets free. */
  @Test
  void ofEqualPlansTheFirstByPlaceIsTaken() {
    TpuFleet fleet = TpuFleet.of(POD)
        .allocate(part(POD, "z", "2x2", 0))
        .allocate(part(POD, "a", "2x2", 2))
        .allocate(part(POD, "y", "2x2", 12))
        .allocate(part(POD, "b", "2x2", 14));
    SliceRequest half = SliceRequest.of("4x8");
    Defragmentation plan = planner.defragmentation(fleet, half, 2, 10_000).orElseThrow();
    assertThat(plan.placement().origin()).isZero();
    assertThat(plan.moves()).extracting(move -> move.slice().id()).containsExactly("y", "z");
  }

  @Test
  void whatDoesNotFitByNumberIsNotSearchedFor() {
    TpuFleet fleet = TpuFleet.of(POD).allocate(part(POD, "a", "2x2", 0));
    assertThat(moved(fleet, SliceRequest.of("8x8"), 9)).containsExactly("no plan");
    assertThat(moved(fleet, SliceRequest.of("4x8").withCount(2), 9)).containsExactly("no plan");
  }

  /** One move has very many equal combinations, none of which makes room. */
  @Test
  void equalCombinationsDoNotHideAPlanOfTwoMoves() {
    List<TpuPool> pools = IntStream.range(0, 4)
        .mapToObj(i -> TpuPool.grid("pod-" + i, TpuGeneration.V6E, SliceShape.parse("8x8"), 4)
            .withAlignment(TpuPool.Alignment.HOST_ALIGNED))
        .toList();
    TpuFleet fleet = TpuFleet.of(pools);
    for (TpuPool pool : pools) {
      fleet = fleet
          .allocate(part(pool, pool.id() + "-a", "2x2", 5))
          .allocate(part(pool, pool.id() + "-b", "2x2", 10));
    }
    SliceRequest wholePool =
        SliceRequest.of("2x4").withTurning().withCount(8).withScope(SliceRequest.Scope.SAME_POOL);
    assertThat(moved(fleet, wholePool, 1)).containsExactly("no plan");
    assertThat(moved(fleet, wholePool, 2)).hasSize(2).allMatch(move -> move.startsWith("pod-0-"));
    SliceRequest quarters =
        SliceRequest.of("4x4").withCount(4).withScope(SliceRequest.Scope.SAME_POOL);
    assertThat(moved(fleet, quarters, 2)).hasSize(2);
  }

  /** Asked again, the same planner gives the same plan: nothing of a trial is left. */
  @Test
  void aSearchLeavesNothingBehind() {
    TpuFleet fleet = TpuFleet.of(ONE)
        .allocate(part(ONE, "a", "2x2x4", 0))
        .allocate(part(ONE, "b", "2x2x4", 17))
        .allocate(part(ONE, "c", "2x4x4", 32));
    SliceRequest two = SliceRequest.of("4x4x8");
    List<String> first = moved(fleet, two, 2);
    assertThat(first).hasSize(2);
    assertThat(moved(fleet, two, 2)).isEqualTo(first);
    assertThat(moved(fleet, SliceRequest.of("4x4x12"), 3)).containsExactly("no plan");
    assertThat(moved(fleet, two, 2)).isEqualTo(first);
  }
}
