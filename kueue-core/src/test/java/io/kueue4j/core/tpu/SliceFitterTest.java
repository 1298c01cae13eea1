package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ContiguousSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SliceFitterTest {
  private static final SliceShape FULL = SliceShape.parse("16x16");
  private static final TpuPool POD = TpuPool.grid("pod", TpuGeneration.V6E, FULL, 4);
  private static final TpuPool FREE_POD = POD.withAlignment(TpuPool.Alignment.HOST_ALIGNED);

  private final SliceFitter fitter = SliceFitter.create();

  private SlicePlacement only(TpuFleet fleet, SliceRequest request) {
    SliceFit fit = fitter.fit(fleet, request);
    assertThat(fit.slices()).hasSize(1);
    return fit.slices().get(0);
  }

  private static TpuFleet without(TpuFleet fleet, String pool, int... hosts) {
    return fleet.withHealth(pool, HostHealth.DOWN, hosts);
  }

  @Test
  void anEmptyPodIsFilledFromACorner() {
    SlicePlacement place = only(TpuFleet.of(POD), SliceRequest.of("4x4"));
    assertThat(place.hosts()).isEqualTo(List.of(0, 1, 8, 9));
  }

  /** A free 4x4 beside the slice is used up before a free 8x8 is broken. */
  @Test
  void theSmallestBlockIsBroken() {
    TpuFleet fleet =
        TpuFleet.of(POD).allocate(TpuSlice.of("a", only(TpuFleet.of(POD), SliceRequest.of("4x4"))));
    assertThat(only(fleet, SliceRequest.of("2x2")).origin()).isEqualTo(16);
    SlicePlacement other = only(fleet, SliceRequest.of("4x4"));
    assertThat(other.origin()).isEqualTo(16);
    TpuFleet more = fleet.allocate(TpuSlice.of("b", other));
    assertThat(only(more, SliceRequest.of("8x8")).origin()).isEqualTo(32);
  }

  @Test
  void aUsedPodIsPreferredToAFreshOne() {
    TpuPool later = TpuPool.grid("qod", TpuGeneration.V6E, FULL, 4);
    TpuFleet fleet = TpuFleet.of(POD, later)
        .allocate(TpuSlice.of(
            "a", SlicePlacement.ofBox(later, SliceShape.parse("2x2"), AxisOrder.XYZ, 63)));
    assertThat(only(fleet, SliceRequest.of("2x2")).pool()).isEqualTo(later);
    assertThat(only(fleet, SliceRequest.of("16x16")).pool()).isEqualTo(POD);
  }

  @Test
  void turningIsForThoseWhoMay() {
    TpuFleet fleet =
        without(TpuFleet.of(FREE_POD), "pod", IntStream.range(16, 64).toArray());
    assertThat(fitter.fit(fleet, SliceRequest.of("4x8")).isPlaced()).isFalse();
    SlicePlacement turned = only(fleet, SliceRequest.of("4x8").withTurning());
    assertThat(turned.order()).isEqualTo(AxisOrder.YXZ);
    assertThat(turned.hosts()).isEqualTo(List.of(0, 8, 1, 9, 2, 10, 3, 11));
    TpuFleet aligned = without(TpuFleet.of(POD), "pod", IntStream.range(16, 64).toArray());
    assertThat(fitter.fit(aligned, SliceRequest.of("4x8").withTurning()).isPlaced())
        .isFalse();
  }

  @Test
  void slicesBetweenBlocksNeedAPoolThatAllowsThem() {
    int[] edges =
        IntStream.range(0, 64).filter(host -> host % 8 == 0 || host % 8 > 2).toArray();
    SliceRequest request = SliceRequest.of("4x4");
    assertThat(fitter.fit(without(TpuFleet.of(POD), "pod", edges), request).isPlaced())
        .isFalse();
    assertThat(only(without(TpuFleet.of(FREE_POD), "pod", edges), request).origin())
        .isEqualTo(1);
  }

  @Test
  void partsOfCubesGoWhereCubesAreDamagedAlready() {
    TpuPool block = TpuPool.cubes("block", TpuGeneration.V7X, 4);
    TpuFleet fleet = without(TpuFleet.of(block), "block", 2 * 16 + 3);
    assertThat(only(fleet, SliceRequest.of("2x2x4")).cubes()).isEqualTo(List.of(2));
    assertThat(only(fleet, SliceRequest.of("4x4x12")).cubes()).isEqualTo(List.of(0, 1, 3));
    assertThat(fitter.fit(fleet, SliceRequest.of("4x8x8")).isPlaced()).isFalse();
    TpuFleet broken =
        TpuFleet.of(block).withPartitionHealth("block", HostHealth.DOWN, cube(block, 2));
    assertThat(only(broken, SliceRequest.of("2x2x4")).cubes()).isEqualTo(List.of(2));
  }

  private static TpuPool.Block cube(TpuPool pool, int number) {
    return new TpuPool.Block(pool.chips(), number * pool.hostsPerMesh());
  }

  /** A cube with a part that must stay cannot be joined; one that is merely in use can. */
  @Test
  void partsOfCubesGoBesideWhatMustStay() {
    TpuPool block = TpuPool.cubes("block", TpuGeneration.V7X, 3);
    SliceShape part = SliceShape.parse("2x4x4");
    TpuSlice stays = TpuSlice.of("b", SlicePlacement.ofBox(block, part, AxisOrder.XYZ, 16));
    TpuFleet fleet = TpuFleet.of(block)
        .allocate(TpuSlice.of("a", SlicePlacement.ofBox(block, part, AxisOrder.XYZ, 0)))
        .allocate(stays.withoutMoving());
    SliceRequest request = SliceRequest.of("2x2x1");
    assertThat(only(fleet, request).cubes()).isEqualTo(List.of(1));
    TpuFleet again = fleet.release("b");
    assertThat(only(again, request).cubes()).isEqualTo(List.of(0));
    assertThat(only(again.allocate(stays), request).cubes()).isEqualTo(List.of(0));
  }

  @Test
  void degradedCubesComeLast() {
    TpuPool block = TpuPool.cubes("block", TpuGeneration.V7X, 3);
    TpuFleet fleet = TpuFleet.of(block).withHealth("block", HostHealth.DEGRADED, 0);
    assertThat(only(fleet, SliceRequest.of("4x4x4").withDegradedHosts()).cubes())
        .isEqualTo(List.of(1));
    assertThat(fitter.fit(fleet, SliceRequest.of("4x4x12")).isPlaced()).isFalse();
    assertThat(only(fleet, SliceRequest.of("4x4x12").withDegradedHosts()).cubes())
        .isEqualTo(List.of(1, 2, 0));
  }

  @Test
  void theBlockWithTheFewestSufficientCubesIsTaken() {
    TpuFleet fleet = TpuFleet.of(
        TpuPool.cubes("a", TpuGeneration.V7X, 9),
        TpuPool.cubes("b", TpuGeneration.V7X, 4),
        TpuPool.cubes("c", TpuGeneration.V7X, 1));
    assertThat(only(fleet, SliceRequest.of("4x4x8")).pool().id()).isEqualTo("b");
  }

  @Test
  void slicesOfATorusAreTurnedForRings() {
    TpuPool torus = TpuPool.torus("t", TpuGeneration.V4, SliceShape.parse("4x8x12"))
        .withAlignment(TpuPool.Alignment.HOST_ALIGNED);
    TpuFleet fleet = TpuFleet.of(torus);
    SliceRequest request = SliceRequest.of("4x4x8").withTurning();
    SlicePlacement ringed = only(fleet, request.withRings(SliceRequest.Rings.PREFERRED));
    assertThat(ringed.isRing(2)).isTrue();
    assertThat(fitter.fit(fleet, request.withRings(SliceRequest.Rings.REQUIRED)).isPlaced())
        .isFalse();
    assertThat(only(
                fleet,
                SliceRequest.of("12x8x4").withTurning().withRings(SliceRequest.Rings.REQUIRED))
            .order())
        .isEqualTo(AxisOrder.ZYX);
  }

  @Test
  void theFirstShapeThatFitsIsTaken() {
    TpuFleet fleet = without(TpuFleet.of(POD), "pod", 0);
    SliceRequest request = SliceRequest.of("16x16")
        .withShapes(List.of(FULL, SliceShape.parse("8x16"), SliceShape.parse("8x8")));
    assertThat(only(fleet, request).shape()).hasToString("8x16");
  }

  @Test
  void hostsCanBeAvoidedAndPinned() {
    TpuFleet fleet = TpuFleet.of(POD);
    SliceRequest request = SliceRequest.of("2x2");
    assertThat(only(fleet, request.withAvoid(Map.of("pod", Set.of(0, 1)))).origin())
        .isEqualTo(8);
    assertThat(only(fleet, request.withPin(Map.of("pod", Set.of(42)))).origin()).isEqualTo(42);
    assertThat(fitter.fit(fleet, request.withPin(Map.of("other", Set.of(42)))).isPlaced())
        .isFalse();
  }

  @Test
  void objectivesCanBeReplaced() {
    TpuPool later = TpuPool.grid("qod", TpuGeneration.V6E, FULL, 4);
    TpuFleet fleet = TpuFleet.of(POD, later)
        .allocate(TpuSlice.of(
            "a", SlicePlacement.ofBox(later, SliceShape.parse("2x2"), AxisOrder.XYZ, 63)));
    SliceFit first = SliceFitter.create()
        .withObjective(PlacementObjective.FIRST_FIT)
        .fit(fleet, SliceRequest.of("2x2"));
    assertThat(first.slices().get(0).pool()).isEqualTo(POD);
  }

  /** Taking the tightest places first leaves none for the third; together they fit. */
  @Test
  void whatIsNotFoundWithinTheStepsIsUndecidedAndNeverRefused() {
    TpuFleet fleet = without(
        TpuFleet.of(FREE_POD),
        "pod",
        IntStream.range(0, 64).filter(i -> i % 11 == 5).toArray());
    SliceRequest request = SliceRequest.of("4x4").withCount(13);
    SliceFit short1 = fitter.withNodes(1).fit(fleet, request);
    assertThat(short1).isInstanceOf(SliceFit.Undecided.class);
    SliceRequest orLarger = request.withShapes(List.of(SliceShape.parse("4x4"), FULL));
    assertThat(fitter.withNodes(1).fit(fleet, orLarger)).isInstanceOf(SliceFit.Undecided.class);
    assertThat(fitter.withNodes(1).explain(fleet, request))
        .map(FitFailure::constraint)
        .contains(FitFailure.Constraint.UNDECIDED);
    TpuFleet small = TpuFleet.of(TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.of(4, 4), 4)
        .withAlignment(TpuPool.Alignment.HOST_ALIGNED));
    assertThat(fitter.withNodes(1).fit(small, SliceRequest.of("4x4").withCount(2)))
        .as("no host is left to try")
        .isEqualTo(SliceFit.NoRoom.INSTANCE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fitter.withNodes(0))
        .withMessage("0 steps, expected at least 1");
  }

  private void explains(
      TpuFleet fleet,
      SliceRequest request,
      FitFailure.Constraint constraint,
      String message,
      String largest) {
    assertThat(fitter.explain(fleet, request))
        .contains(new FitFailure(
            constraint,
            message,
            Optional.of(largest).filter(text -> !text.isEmpty()).map(SliceShape::parse)));
  }

  @Test
  void saysWhatStandsInTheWay() {
    TpuFleet half = without(TpuFleet.of(POD), "pod", IntStream.range(32, 64).toArray());
    explains(
        TpuFleet.of(POD),
        SliceRequest.of("3x3"),
        FitFailure.Constraint.REQUEST,
        "3x3 is no slice of v6e: the next larger one is 4x4; there are [1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16]",
        "16x16");
    explains(
        half,
        SliceRequest.of("16x16"),
        FitFailure.Constraint.HEALTH,
        "16x16 would fit if all hosts were healthy, 32 are not",
        "8x8");
    explains(
        half.withHealth("pod", HostHealth.DEGRADED, 5),
        SliceRequest.of("16x16").withDegradedHosts(),
        FitFailure.Constraint.HEALTH,
        "16x16 would fit if all hosts were healthy, 32 are not",
        "8x8");
    explains(
        half.withHealth("pod", HostHealth.DEGRADED, 5),
        SliceRequest.of("16x16"),
        FitFailure.Constraint.HEALTH,
        "16x16 would fit if all hosts were healthy, 33 are not",
        "8x8");
    TpuFleet full = TpuFleet.of(POD)
        .allocate(TpuSlice.of(
            "a", SlicePlacement.ofBox(POD, SliceShape.parse("8x16"), AxisOrder.XYZ, 0)));
    explains(
        full,
        SliceRequest.of("8x8").withCount(3),
        FitFailure.Constraint.CAPACITY,
        "3 slices 8x8 takes 48 hosts, 32 are free",
        "8x16");
    TpuFleet dotted = TpuFleet.of(POD)
        .allocate(
            TpuSlice.of("a", SlicePlacement.ofBox(POD, SliceShape.parse("2x2"), AxisOrder.XYZ, 0)))
        .allocate(
            TpuSlice.of("b", SlicePlacement.ofBox(POD, SliceShape.parse("2x2"), AxisOrder.XYZ, 7)));
    explains(
        dotted,
        SliceRequest.of("8x16"),
        FitFailure.Constraint.GEOMETRY,
        "8x16 takes 32 hosts, 62 are free but do not lie together as needed",
        "8x8");
    explains(
        dotted,
        SliceRequest.of("8x8").withRings(SliceRequest.Rings.REQUIRED),
        FitFailure.Constraint.RINGS,
        "8x8 would fit without rings on all axes",
        "");
    explains(
        dotted,
        SliceRequest.of("2x2").withAvoid(Map.of("pod", ContiguousSet.closedOpen(0, 64))),
        FitFailure.Constraint.SELECTION,
        "2x2 would fit on hosts that the request excludes",
        "");
    assertThat(fitter.explain(dotted, SliceRequest.of("8x8"))).isEmpty();
  }

  @Test
  void saysThatHostsDoNotLieTogetherIfJustEnoughAreFree() {
    SliceShape quarter = SliceShape.parse("8x8");
    explains(
        TpuFleet.of(POD)
            .allocate(TpuSlice.of("a", SlicePlacement.ofBox(POD, quarter, AxisOrder.XYZ, 0)))
            .allocate(TpuSlice.of("b", SlicePlacement.ofBox(POD, quarter, AxisOrder.XYZ, 36))),
        SliceRequest.of("8x16"),
        FitFailure.Constraint.GEOMETRY,
        "8x16 takes 32 hosts, 32 are free but do not lie together as needed",
        "8x8");
  }

  @Test
  void countsPartitionsThatTheRequestCannotUse() {
    TpuPool block = TpuPool.cubes("block", TpuGeneration.V7X, 2);
    explains(
        TpuFleet.of(block)
            .withPartitionHealth("block", HostHealth.DOWN, cube(block, 0))
            .withPartitionHealth("block", HostHealth.DEGRADED, cube(block, 1)),
        SliceRequest.of("4x4x8").withDegradedHosts(),
        FitFailure.Constraint.HEALTH,
        "4x4x8 would fit if all hosts and partitions were healthy, 0 hosts and 1 partitions of this shape are not",
        "4x4x4");
  }

  /** Free are the hosts at 0, 1, 4 and 5 along the first edge, which are together over the seam. */
  @Test
  void alignedSlicesDoNotCrossSeams() {
    TpuPool torus =
        TpuPool.torus("t", TpuGeneration.V4, SliceShape.parse("12x4x4")).withSeamCrossing();
    SliceRequest request = SliceRequest.of("8x4x4");
    for (TpuPool.Alignment alignment : TpuPool.Alignment.values()) {
      TpuPool pool = torus.withAlignment(alignment);
      TpuFleet fleet = TpuFleet.of(pool)
          .allocate(TpuSlice.of(
              "a", SlicePlacement.ofBox(pool, SliceShape.parse("4x4x4"), AxisOrder.XYZ, 2)));
      assertThat(fitter.fit(fleet, request).isPlaced())
          .isEqualTo(alignment == TpuPool.Alignment.HOST_ALIGNED);
    }
  }

  @Test
  void saysThatAWiderScopeWouldDo() {
    TpuFleet fleet = TpuFleet.of(
        TpuPool.cubes("a", TpuGeneration.V7X, 1), TpuPool.cubes("b", TpuGeneration.V7X, 2));
    explains(
        fleet,
        SliceRequest.of("4x4x4").withCount(3).withScope(SliceRequest.Scope.SAME_POOL),
        FitFailure.Constraint.SCOPE,
        "3 slices 4x4x4 would fit if they could come from any pools, not only one pool",
        "4x4x8");
    explains(
        fleet,
        SliceRequest.of("4x4x4").withCount(3).withSpread(1),
        FitFailure.Constraint.SCOPE,
        "3 slices 4x4x4 would fit if they could come from any pools, not only at most 1 from each",
        "4x4x8");
  }

  @Test
  void saysThatNoPoolCouldEverHoldIt() {
    explains(
        TpuFleet.of(POD),
        SliceRequest.of("1x1"),
        FitFailure.Constraint.POOLS,
        "1x1 fits no pool even if it is empty, there are 16x16 with hosts of 2x2",
        "16x16");
    explains(
        TpuFleet.of(TpuPool.cubes("a", TpuGeneration.V7X, 2)),
        SliceRequest.of("4x4x12"),
        FitFailure.Constraint.POOLS,
        "4x4x12 fits no pool even if it is empty, there are 2 cubes 4x4x4 with hosts of 2x2x1",
        "4x4x8");
  }

  @Test
  void twistIsForShapesThatCanBeTwisted() {
    TpuFleet fleet = TpuFleet.of(TpuPool.cubes("a", TpuGeneration.V7X, 8));
    assertThat(fitter.fit(fleet, SliceRequest.of("4x4x8").withTwist()).isPlaced())
        .isTrue();
    explains(
        fleet,
        SliceRequest.of("8x8x8").withTwist(),
        FitFailure.Constraint.REQUEST,
        "8x8x8 cannot be twisted, expected K x K x 2K or K x 2K x 2K with K a multiple of 4",
        "4x8x8");
  }

  @Test
  void theLastCubesForALargeSliceAreKept() {
    TpuFleet fleet = TpuFleet.of(
        TpuPool.cubes("a", TpuGeneration.V7X, 3), TpuPool.cubes("b", TpuGeneration.V7X, 2));
    SliceRequest part = SliceRequest.of("2x2x1");
    assertThat(only(fleet, part).pool().id()).isEqualTo("a");
    SliceFitter guarding =
        fitter.withLargeShapeGuard(List.of(SliceShape.parse("4x4x8"), SliceShape.parse("4x4x12")));
    assertThat(guarding.fit(fleet, part).slices().get(0).pool().id()).isEqualTo("b");
    // Nothing holds 4x4x12 any more, so 4x4x8 is guarded, of which there are two.
    TpuFleet less = without(fleet, "a", 0);
    assertThat(guarding.fit(less, part)).isEqualTo(fitter.fit(less, part));
    TpuFleet last = without(less, "b", 17);
    assertThat(guarding
            .withNodes(7)
            .fit(last, SliceRequest.of("4x4x4"))
            .slices()
            .get(0)
            .pool()
            .id())
        .isEqualTo("b");
  }

  /** The pod in use would be filled, were it not the last with half of it free. */
  @Test
  void theLastRoomForALargeSliceIsKept() {
    TpuPool left = TpuPool.grid("left", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);
    TpuPool right = TpuPool.grid("right", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);
    SliceShape half = SliceShape.parse("4x8");
    TpuFleet fleet = without(TpuFleet.of(left, right), "right", 5, 6)
        .allocate(TpuSlice.of("new-", SlicePlacement.ofBox(left, half, AxisOrder.XYZ, 2)));
    SliceRequest one = SliceRequest.of("2x2");
    assertThat(only(fleet, one).pool()).isEqualTo(left);
    SliceFitter guarding = fitter.withLargeShapeGuard(List.of(half));
    assertThat(guarding.fit(fleet, one).slices().get(0).pool()).isEqualTo(right);
    assertThat(guarding.fit(fleet, one.withCount(2)).slices())
        .extracting(SlicePlacement::pool)
        .containsExactly(right, right);
    assertThat(guarding.fit(fleet, one)).isEqualTo(guarding.fit(fleet, one));
    SliceRequest many = one.withCount(15);
    assertThat(guarding.fit(fleet, many)).isEqualTo(fitter.fit(fleet, many));
    SliceFitter ofNothing = fitter.withLargeShapeGuard(List.of(SliceShape.parse("8x8")));
    assertThat(ofNothing.fit(fleet, one).slices().get(0).pool()).isEqualTo(left);
    SliceRequest same = one.withCount(3).withScope(SliceRequest.Scope.SAME_POOL);
    assertThat(guarding.fit(fleet, same).slices())
        .extracting(SlicePlacement::pool)
        .containsOnly(right);
    TpuPool near = left.withFabric("rail");
    TpuFleet sameFabric = without(TpuFleet.of(near, right.withFabric("rail")), "right", 5, 6)
        .allocate(TpuSlice.of("x", SlicePlacement.ofBox(near, half, AxisOrder.XYZ, 2)));
    assertThat(guarding.fit(sameFabric, one).slices().get(0).pool()).isEqualTo(near);
  }

  @Test
  void aSliceSmallerThanAHostFitsOtherPoolsOnly() {
    TpuFleet fleet = TpuFleet.of(
            TpuPool.grid("a", TpuGeneration.V5E, SliceShape.parse("2x4"), 4)
                .withAlignment(TpuPool.Alignment.HOST_ALIGNED),
            TpuPool.grid("b", TpuGeneration.V5E, SliceShape.parse("8x8"), 8)
                .withAlignment(TpuPool.Alignment.HOST_ALIGNED))
        .withHealth("a", HostHealth.DOWN, 0);
    SliceFitter fitter = SliceFitter.create();

    assertThat(fitter.fit(fleet, SliceRequest.of("2x2")).isPlaced()).isTrue();
    assertThat(fitter.fit(fleet, SliceRequest.of("2x2").withCount(2)))
        .isEqualTo(SliceFit.NoRoom.INSTANCE);
  }

  @Test
  void aSliceSmallerThanAHostTakesOneAsWell() {
    TpuPool small = TpuPool.grid("a", TpuGeneration.V5E, SliceShape.parse("2x4"), 4);
    TpuPool large = TpuPool.grid("b", TpuGeneration.V5E, SliceShape.parse("2x4"), 8);
    TpuFleet fleet = TpuFleet.of(small, large);
    for (TpuPool pool : fleet.pools()) {
      fleet = fleet.allocate(
          TpuSlice.of(pool.id(), SlicePlacement.ofBox(pool, pool.chips(), AxisOrder.XYZ, 0)));
    }
    explains(
        fleet,
        SliceRequest.of("2x2"),
        FitFailure.Constraint.CAPACITY,
        "2x2 takes 1 hosts, 0 are free",
        "");
  }

  @Test
  void theLargestSliceIsTheMostCompactOne() {
    TpuFleet fleet = TpuFleet.of(TpuPool.cubes("a", TpuGeneration.V7X, 4));

    assertThat(fitter.largest(fleet, SliceRequest.of("4x4x4"))).contains(SliceShape.of(4, 8, 8));
  }

  @Test
  void theLargestSliceOfATorusMayDescend() {
    TpuFleet torus = TpuFleet.of(TpuPool.torus("t", TpuGeneration.V4, SliceShape.parse("8x4x4")));

    assertThat(SliceFitter.create().largest(torus, SliceRequest.of("4x4x4")))
        .contains(SliceShape.of(8, 4, 4));
  }
}
