package io.kueue4j.core.internal.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.Footprint.PlacedSlice;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.AxisOrder;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The slices in use, which may overlap. */
class FleetsTest {
  private static final String SET = "v6e";
  private static final SliceRequest PAIR = SliceRequest.of("2x4");
  private static final TpuPool POD =
      pod("4x8").withNodes(List.of("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"));

  private final Journal journal = new Journal();
  private final Fleets fleets = new Fleets(journal);

  private static TpuPool pod(String shape) {
    return TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse(shape), 4);
  }

  private void build(TpuPool... pools) {
    fleets.setPoolSet(SET, TpuPoolSet.of(SET, pools));
    fleets.rebuild(List.of());
  }

  private static SlicePlacement at(TpuPool pool, String shape, int host) {
    return SlicePlacement.ofBox(pool, SliceShape.parse(shape), AxisOrder.XYZ, host);
  }

  private static List<PlacedSlice> slice(String id, SlicePlacement place) {
    return List.of(new PlacedSlice(SET, TpuSlice.of(id, place)));
  }

  private PoolSetState state() {
    return fleets.state(SET).orElseThrow();
  }

  /** {@return the hosts of a slice of two hosts, each number one of the hosts of the pod} */
  private List<Integer> placePair(boolean countsUsage) {
    List<List<SlicePlacement>> places =
        fleets.place(SET, List.of(new SliceDemand(0, PAIR)), countsUsage);
    return places == null ? List.of() : places.get(0).get(0).hosts();
  }

  @Test
  void aFailedChangeIsBuiltAnew() {
    build(POD);
    journal.begin();
    fleets.setPoolSet(SET, TpuPoolSet.of(SET, pod("8x8")));
    fleets.rebuild(List.of());
    assertThat(fleets.isChanged()).isFalse();
    journal.rollback();

    assertThat(fleets.isChanged()).isTrue();
    fleets.rebuild(List.of());
    assertThat(state().fleet().pools()).containsExactly(POD);
  }

  @Test
  void aForkHasFlavorsAndWhatIsStillToBeBuilt() {
    fleets.setPoolSet(SET, TpuPoolSet.of(SET, POD));
    fleets.setFlavor("tpu", SET);
    Fleets fork = new Fleets(new Journal());
    fork.share(fleets);

    assertThat(fork.isChanged()).isTrue();
    fork.rebuild(List.of());
    assertThat(fork.stateOf("tpu")).isNotNull();
    assertThat(fork.flavorsOf(SET)).containsExactly("tpu");
    assertThat(fleets.states()).isEmpty();
  }

  @Test
  void statesAreInTheOrderOfNames() {
    for (String name : List.of("d", "ca", "b")) {
      fleets.setPoolSet(name, TpuPoolSet.of(name, POD));
    }
    fleets.rebuild(List.of());

    assertThat(fleets.states())
        .extracting(state -> state.source().name())
        .containsExactly("b", "ca", "d");
  }

  @Test
  void whatIsHeldIsAddedInTheOrderOfIds() {
    fleets.setPoolSet(SET, TpuPoolSet.of(SET, POD));
    fleets.rebuild(List.of(
        Footprint.of(ImmutableList.of(), ImmutableList.copyOf(slice("b", at(POD, "2x4", 0)))),
        Footprint.of(ImmutableList.of(), ImmutableList.copyOf(slice("a", at(POD, "4x4", 0))))));

    assertThat(state().fleet().slices()).extracting(TpuSlice::id).containsExactly("a");
    assertThat(state().overlapping()).extracting(TpuSlice::id).containsExactly("b");
  }

  @Test
  void aTrialEndsWithTheStateBeforeIt() {
    build(POD);
    PoolSetState before = state();
    fleets.checkpoint();
    fleets.put(slice("a", at(POD, "4x4", 0)));
    PoolSetState between = state();
    fleets.checkpoint();
    fleets.remove(slice("a", at(POD, "4x4", 0)));
    fleets.put(slice("b", at(POD, "4x4", 4)));

    fleets.rollback();
    assertThat(state()).isEqualTo(between);
    fleets.rollback();
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void hostsOfOverlappingSlicesAreTaken() {
    build(POD);
    SlicePlacement half = at(POD, "4x4", 0);
    fleets.put(slice("victim", at(POD, "2x4", 0)));
    fleets.put(slice("preemptor", half));

    assertThat(fleets.isFree(SET, at(POD, "2x2", 3))).isFalse();
    assertThat(fleets.isFree(SET, at(POD, "4x4", 4))).isTrue();
    assertThat(state().conflict(at(POD, "2x2", 3))).map(TpuSlice::id).contains("preemptor");
    assertThat(placePair(true)).isEqualTo(List.of(4, 6));
    assertThat(fleets.place(SET, List.of(new SliceDemand(0, PAIR), new SliceDemand(1, PAIR)), true))
        .extracting(places -> places.get(0).hosts())
        .containsExactly(List.of(4, 6), List.of(5, 7));

    fleets.remove(slice("victim", at(POD, "2x4", 0)));
    assertThat(state().overlapping()).isEmpty();
    assertThat(state().fleet().slices()).extracting(TpuSlice::id).containsExactly("preemptor");
    fleets.remove(slice("preemptor", half));
    assertThat(fleets.isFree(SET, half)).isTrue();
    assertThat(fleets.isFree("another set", half)).isFalse();
  }

  @Test
  void aHostIsOpenWhenNoReasonToCloseItIsLeft() {
    build(POD);
    fleets.setClosed(ImmutableSet.of("n0", "n1", "n2"), true);
    fleets.setClosed(ImmutableSet.of("n1", "n4"), true);

    assertThat(placePair(true)).isEqualTo(List.of(5, 7));
    assertThat(placePair(false)).as("in an empty pool").isEqualTo(List.of(5, 7));
    fleets.setClosed(ImmutableSet.of("n0", "n1", "n2"), false);
    assertThat(fleets.isFree(SET, at(POD, "2x4", 0))).isTrue();
    assertThat(fleets.isFree(SET, at(POD, "2x4", 1))).isFalse();
    fleets.setClosed(ImmutableSet.of("n1", "n4"), false);
    assertThat(fleets.isFree(SET, at(POD, "2x4", 1))).isTrue();
  }

  @Test
  void aSliceStaysWhenItsPoolGrows() {
    TpuPool small = TpuPool.cubes("pod", TpuGeneration.V7X, 2);
    TpuPool large = TpuPool.cubes("pod", TpuGeneration.V7X, 3);
    SlicePlacement place = SlicePlacement.ofCubes(small, SliceShape.parse("4x4x4"), List.of(1));
    build(large);
    fleets.put(slice("a", place));

    assertThat(state().fleet().isTaken("pod", 16)).isTrue();
    assertThat(state().absence(place)).isEmpty();
    build(TpuPool.cubes("pod", TpuGeneration.V7X, 1));
    fleets.put(slice("a", place));
    assertThat(state().fleet().slices()).isEmpty();
    assertThat(state().absence(place)).contains("TpuPoolSet v6e has no pool pod of 4x4x4");
  }

  static Stream<TpuPool> otherPoolsOfTheSameId() {
    return Stream.of(
        TpuPool.grid("pod", TpuGeneration.V5E, SliceShape.parse("4x8"), 4),
        TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("4x8"), 8),
        pod("8x8"));
  }

  @ParameterizedTest
  @MethodSource("otherPoolsOfTheSameId")
  void aSliceGoesWhenItsPoolBecomesAnother(TpuPool other) {
    SlicePlacement place = at(pod("4x8"), "2x4", 0);
    build(pod("4x8").withFabric("rail"));
    assertThat(state().absence(place)).isEmpty();

    build(other);
    assertThat(state().absence(place)).isPresent();
  }

  @Test
  void aSliceNeedsTheSeamsThatItsPoolHad() {
    TpuPool torus = TpuPool.torus("pod", TpuGeneration.V4, SliceShape.parse("8x8x8"));
    SlicePlacement place = at(torus.withSeamCrossing(), "4x4x4", 3);
    build(torus);

    assertThat(state().absence(place)).isPresent();
    build(torus.withSeamCrossing().withFabric("rail"));
    assertThat(state().absence(place)).isEmpty();
  }

  @Test
  void aWholePoolIsOneOfAllShapesAskedFor() {
    fleets.setPoolSet(SET, TpuPoolSet.of(SET, pod("4x4")).withWholePools(List.of("pod")));
    fleets.rebuild(List.of());
    SliceRequest either =
        PAIR.withShapes(List.of(SliceShape.parse("2x4"), SliceShape.parse("4x4")));

    assertThat(fleets.place(SET, List.of(new SliceDemand(0, PAIR)), true)).isNull();
    assertThat(fleets.place(SET, List.of(new SliceDemand(0, either)), true)).isNotNull();
    assertThat(state().hasOtherSlicesOnly(PAIR)).isTrue();
    assertThat(state().hasOtherSlicesOnly(either)).isFalse();
  }

  @Test
  void placesAreInTheOrderOfDemands() {
    build(POD);
    List<List<SlicePlacement>> places = fleets.place(
        SET, List.of(new SliceDemand(0, PAIR), new SliceDemand(1, SliceRequest.of("4x4"))), true);

    assertThat(places)
        .extracting(placed -> placed.get(0).shape().toString())
        .containsExactly("2x4", "4x4");
  }

  /** There is room, but only if the slices of the first demand are in two pools. */
  @Test
  void combinationsKeepTheScope() {
    TpuPool other = TpuPool.grid("other", TpuGeneration.V6E, SliceShape.parse("2x4"), 4);
    build(pod("4x4"), other);
    SliceRequest two = PAIR.withCount(2);
    SliceDemand beside = new SliceDemand(
        1, SliceRequest.of("2x2").withCount(2).withPin(Map.of("pod", Set.of(0, 1, 2, 3))));

    SliceDemand together = new SliceDemand(0, two.withScope(SliceRequest.Scope.SAME_POOL));
    assertThat(fleets.place(SET, List.of(together, beside), true)).isNull();
    assertThat(fleets.place(SET, List.of(new SliceDemand(0, two), beside), true))
        .isNotNull();
  }

  /** Only the hosts 0, 2, 4 and 6 are left for the pairs; each other pair has a pinned host. */
  @Test
  void combinationsTakeBackOneSliceAtATime() {
    build(POD);
    SliceDemand pairs = new SliceDemand(0, PAIR.withCount(2));
    SliceDemand pinned = new SliceDemand(
        1, SliceRequest.of("2x2").withCount(3).withPin(Map.of("pod", Set.of(1, 3, 5))));

    assertThat(fleets.place(SET, List.of(pairs, pinned), true)).isNotNull();
  }

  @Test
  void theFirstDemandWithoutRoomIsSoughtLargestFirst() {
    build(POD);
    fleets.put(slice("a", at(POD, "2x2", 0)));
    List<SliceDemand> demands = List.of(
        new SliceDemand(0, SliceRequest.of("2x2").withCount(5)),
        new SliceDemand(1, SliceRequest.of("4x4")));

    assertThat(new SliceMisfit(state(), demands, true).failure())
        .returns(FitFailure.Constraint.CAPACITY, FitFailure::constraint)
        .returns("5 slices 2x2 takes 5 hosts, 3 are free", FitFailure::message);
    assertThat(new SliceMisfit(state(), demands, false).failure().message())
        .isEqualTo("5 slices 2x2 takes 5 hosts, 4 are free");
  }
}
