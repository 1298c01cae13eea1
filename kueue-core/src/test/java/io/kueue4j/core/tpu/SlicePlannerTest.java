package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import io.kueue4j.core.tpu.SlicePlanner.WindowReservation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class SlicePlannerTest {
  private static final TpuPool POD =
      TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);
  private static final TpuPool BLOCK = TpuPool.cubes("block", TpuGeneration.V7X, 4);

  private final SlicePlanner planner = SlicePlanner.create();

  private static TpuSlice box(TpuPool pool, String id, String shape, int host) {
    return TpuSlice.of(
        id, SlicePlacement.ofBox(pool, SliceShape.parse(shape), AxisOrder.XYZ, host));
  }

  private static TpuSlice cubes(String id, int... cubes) {
    return TpuSlice.of(
        id,
        SlicePlacement.ofCubes(BLOCK, SliceShape.of(4, 4, 4 * cubes.length), Ints.asList(cubes)));
  }

  /** A 2x2 in each quarter of the pod; quarters begin at hosts 0, 2, 8 and 10. */
  private static TpuFleet dotted() {
    return TpuFleet.of(POD)
        .allocate(box(POD, "a", "2x2", 0))
        .allocate(box(POD, "b", "2x2", 2))
        .allocate(box(POD, "c", "2x2", 8))
        .allocate(box(POD, "d", "2x2", 10));
  }

  @Test
  void theCheapestOwnersGo() {
    Optional<SliceEviction> eviction = planner.cheapestVictims(
        dotted(), SliceRequest.of("4x4"), owner -> owner.equals("c") ? 1 : 5);
    assertThat(eviction).hasValueSatisfying(found -> {
      assertThat(found.owners()).containsExactly("c");
      assertThat(found.cost()).isEqualTo(1);
      assertThat(found.placement().origin()).isEqualTo(8);
      assertThat(found.isCheapest()).isTrue();
    });
  }

  @Test
  void whoIsProtectedStays() {
    ToLongFunction<String> cost = owner -> owner.equals("d") ? 9 : SlicePlanner.PROTECTED;
    assertThat(planner.cheapestVictims(dotted(), SliceRequest.of("4x4"), cost))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("d"));
    assertThat(planner.cheapestVictims(dotted(), SliceRequest.of("4x8"), cost)).isEmpty();
  }

  @Test
  void anOwnerIsPaidOnceForAllItsSlices() {
    TpuFleet fleet = TpuFleet.of(BLOCK)
        .allocate(cubes("a", 0, 1, 2).withOwner("wide"))
        .allocate(cubes("b", 3).withOwner("single"));
    ToLongFunction<String> cost = owner -> owner.equals("wide") ? 3 : 2;
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4x8"), cost))
        .hasValueSatisfying(found -> {
          assertThat(found.owners()).containsExactly("wide");
          assertThat(found.cost()).isEqualTo(3);
          assertThat(found.placement().cubes()).isEqualTo(List.of(0, 1));
        });
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x8x8"), cost))
        .map(SliceEviction::cost)
        .contains(5L);
  }

  /** Once the owner of the first cube is paid, the second costs only its other owner. */
  @Test
  void whoIsPaidCostsNoMoreInOtherCubes() {
    TpuFleet fleet = TpuFleet.of(BLOCK)
        .allocate(cubes("0", 0).withOwner("wide"))
        .allocate(box(BLOCK, "1", "2x2x2", 16).withOwner("wide"))
        .allocate(box(BLOCK, "2", "2x2x2", 17).withOwner("a"))
        .allocate(cubes("3", 2).withOwner("b"))
        .allocate(cubes("4", 3).withOwner("c"));
    Map<String, Long> costs = Map.of("wide", 8L, "a", 2L, "b", 5L, "c", 6L);
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4x8"), costs::get))
        .hasValueSatisfying(found -> {
          assertThat(found.owners()).containsExactly("a", "wide");
          assertThat(found.cost()).isEqualTo(10);
          assertThat(found.isCheapest()).isTrue();
        });
  }

  @Test
  void noneIsPreemptedIfThereIsRoom() {
    assertThat(planner.cheapestVictims(dotted(), SliceRequest.of("2x4"), owner -> 1))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).isEmpty());
  }

  @Test
  void nonsenseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planner.reserveWindow(dotted(), SliceRequest.of("4x4").withCount(2)))
        .withMessage("a reservation for 2 slices, expected a request for one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planner.cheapestVictims(dotted(), SliceRequest.of("4x4"), owner -> -1))
        .withMessage("owner a costs -1, expected at least 0");
  }

  @Test
  void oneMoveMakesRoom() {
    TpuFleet fleet = dotted();
    Optional<Defragmentation> plan =
        planner.defragmentation(fleet, SliceRequest.of("4x4"), 2, 1000);
    assertThat(plan).hasValueSatisfying(found -> {
      assertThat(found.moves()).hasSize(1);
      assertThat(found.movedChips()).isEqualTo(4);
      assertThat(found.moves().get(0).stopsFirst()).isFalse();
      TpuFleet after = found.applyTo(fleet);
      assertThat(after.slices()).hasSize(4);
      assertThat(after.allocate(TpuSlice.of("new", found.placement())).slices()).hasSize(5);
    });
    assertThat(planner.defragmentation(fleet, SliceRequest.of("4x8"), 1, 1000)).isEmpty();
    assertThat(planner.defragmentation(fleet, SliceRequest.of("4x8"), 2, 1000)).isPresent();
    assertThat(planner.defragmentation(fleet, SliceRequest.of("4x8"), 2, 7)).isEmpty();
    assertThat(planner.defragmentation(fleet, SliceRequest.of("2x2"), 0, 0))
        .map(Defragmentation::moves)
        .hasValueSatisfying(moves -> assertThat(moves).isEmpty());
  }

  @Test
  void whatMustStayIsNotMoved() {
    TpuFleet fleet = TpuFleet.of(BLOCK)
        .allocate(box(BLOCK, "a", "2x2x1", 0).withoutMoving())
        .allocate(box(BLOCK, "b", "2x2x2", 16))
        .allocate(box(BLOCK, "c", "2x2x2", 32))
        .allocate(cubes("d", 3));
    assertThat(planner.defragmentation(fleet, SliceRequest.of("4x4x8"), 2, 1000))
        .hasValueSatisfying(plan -> {
          assertThat(plan.moves()).extracting(move -> move.slice().id()).containsExactly("b", "c");
          assertThat(plan.moves())
              .allSatisfy(move -> assertThat(move.to().cubes()).isEqualTo(List.of(0)));
          assertThat(plan.placement().cubes()).isEqualTo(List.of(1, 2));
        });
    assertThat(planner.defragmentation(fleet, SliceRequest.of("4x4x12"), 9, 1000))
        .isEmpty();
  }

  @Test
  void thePlaceThatIsFreeFirstIsReserved() {
    TpuFleet fleet = TpuFleet.of(POD)
        .allocate(box(POD, "a", "2x2", 0).withExpectedEndMillis(500))
        .allocate(box(POD, "b", "2x2", 2).withExpectedEndMillis(900))
        .allocate(box(POD, "c", "2x2", 8).withExpectedEndMillis(800))
        .allocate(box(POD, "d", "2x2", 10));
    SliceRequest wide = SliceRequest.of("4x8");
    WindowReservation kept = planner.reserveWindow(fleet, wide).orElseThrow();
    assertThat(kept.placement().origin()).isZero();
    assertThat(kept.freeAtMillis()).hasValue(800);
    assertThat(planner.reserveWindow(fleet, SliceRequest.of("8x8"))).isEmpty();

    SliceFitter fitter = SliceFitter.create();
    SliceRequest small = SliceRequest.of("2x2");
    assertThat(fitter
                .fit(fleet, kept.restrict(small, OptionalLong.of(801)))
                .slices()
                .get(0)
                .hosts()
                .get(0)
            % 4)
        .isGreaterThanOrEqualTo(2);
    assertThat(kept.restrict(small, OptionalLong.of(800))).isEqualTo(small);
    assertThat(kept.restrict(small, OptionalLong.empty()).avoid().get("pod"))
        .containsExactlyInAnyOrder(0, 1, 4, 5, 8, 9, 12, 13);
    SliceRequest avoiding = small.withAvoid(Map.of("pod", Set.of(1, 2)));
    assertThat(kept.restrict(avoiding, OptionalLong.empty()).avoid().get("pod"))
        .containsExactlyInAnyOrder(0, 1, 2, 4, 5, 8, 9, 12, 13);
  }

  @Test
  void cubesThatAreFreeFirstAreReserved() {
    TpuFleet fleet = TpuFleet.of(BLOCK)
        .allocate(cubes("a", 0).withExpectedEndMillis(900))
        .allocate(cubes("b", 1).withExpectedEndMillis(100))
        .allocate(cubes("c", 2).withExpectedEndMillis(200))
        .allocate(cubes("d", 3));
    WindowReservation kept =
        planner.reserveWindow(fleet, SliceRequest.of("4x4x8")).orElseThrow();
    assertThat(kept.placement().cubes()).isEqualTo(List.of(1, 2));
    assertThat(kept.freeAtMillis()).hasValue(200);
    assertThat(planner.reserveWindow(fleet.release("d"), SliceRequest.of("4x4x4")))
        .map(WindowReservation::freeAtMillis)
        .contains(OptionalLong.empty());
  }

  @Test
  void onlyBrokenCubesAreExchanged() {
    TpuFleet fleet = TpuFleet.of(TpuPool.cubes("block", TpuGeneration.V7X, 4))
        .allocate(cubes("a", 2, 0, 1))
        .withHealth("block", HostHealth.DOWN, 5);
    assertThat(planner.failover(fleet, "a")).map(SlicePlacement::cubes).contains(List.of(2, 3, 1));
    assertThat(planner.failover(fleet.withHealth("block", HostHealth.DOWN, 20), "a"))
        .isEmpty();
  }

  @Test
  void aBoxStaysInItsCubeIfItCan() {
    TpuFleet fleet = TpuFleet.of(BLOCK)
        .allocate(box(BLOCK, "a", "2x2x4", 32))
        .withHealth("block", HostHealth.DOWN, 36);
    assertThat(planner.failover(fleet, "a")).map(SlicePlacement::cubes).contains(List.of(2));
    TpuFleet worse = fleet.withHealth("block", HostHealth.DOWN, 33, 34, 35);
    assertThat(planner.failover(worse, "a")).map(SlicePlacement::cubes).contains(List.of(0));
    assertThat(planner.failover(fleet.withHealth("block", HostHealth.HEALTHY, 36), "a"))
        .map(SlicePlacement::origin)
        .contains(32);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planner.failover(fleet, "b"))
        .withMessage("no slice with id b");
  }

  /** Room for the wide slice is where the small one is, which finds room beside another. */
  @Test
  void whatIsPutOutMayPutOthersOut() {
    TpuFleet fleet = TpuFleet.of(POD)
        .allocate(box(POD, "wide", "4x4", 0))
        .allocate(box(POD, "small", "2x2", 2))
        .allocate(box(POD, "stays", "2x2", 10).withoutMoving());
    SliceRequest half = SliceRequest.of("4x8");
    assertThat(planner.defragmentation(fleet, half, 1, 1000)).isEmpty();
    assertThat(planner.defragmentation(fleet, half, 2, 19)).isEmpty();
    assertThat(planner.defragmentation(fleet, half, 2, 20)).hasValueSatisfying(plan -> {
      assertThat(plan.moves())
          .extracting(move -> move.slice().id())
          .containsExactly("small", "wide");
      assertThat(plan.moves().get(1).to().origin()).isEqualTo(2);
      assertThat(plan.placement().origin()).isZero();
    });
  }

  /** Two slices change places with a third that is larger: somebody must stop. */
  @Test
  void inAnExchangeSomebodyStopsFirst() {
    SliceMove large =
        new SliceMove(box(POD, "large", "4x4", 0), box(POD, "large", "4x4", 10).placement(), false);
    SliceMove small =
        new SliceMove(box(POD, "small", "2x2", 10), box(POD, "small", "2x2", 0).placement(), false);
    assertThat(MoveOrder.of(List.of(large, small)))
        .containsExactly(large, new SliceMove(small.slice(), small.to(), true));
    SliceMove away =
        new SliceMove(box(POD, "small", "2x2", 10), box(POD, "small", "2x2", 8).placement(), false);
    assertThat(MoveOrder.of(List.of(large, away))).containsExactly(away, large);
    Defragmentation exchange = new Defragmentation(
        MoveOrder.of(List.of(large, small)), ImmutableList.of(large.slice().placement()));
    TpuFleet fleet = TpuFleet.of(POD).allocate(large.slice()).allocate(small.slice());
    assertThat(exchange.applyTo(fleet))
        .isEqualTo(TpuFleet.of(POD)
            .allocate(large.slice().withPlacement(large.to()))
            .allocate(small.slice().withPlacement(small.to())));
  }

  @Test
  void movesMakeRoomForSeveral() {
    TpuFleet fleet = dotted();
    SliceRequest two = SliceRequest.of("4x4").withCount(2);
    assertThat(planner.defragmentation(fleet, two, 1, 1000)).isEmpty();
    assertThat(planner.defragmentation(fleet, two, 2, 1000)).hasValueSatisfying(plan -> {
      assertThat(plan.moves()).hasSize(2);
      assertThat(plan.placements()).hasSize(2);
      assertThat(plan.placement()).isEqualTo(plan.placements().get(0));
      assertThat(plan.placements().get(0)).isNotEqualTo(plan.placements().get(1));
    });
    assertThat(planner.defragmentation(fleet, two.withSpread(1), 4, 1000)).isEmpty();
    assertThat(planner.defragmentation(fleet, two.withSpread(2), 4, 1000)).isPresent();
  }

  @Test
  void scopesHoldForMoves() {
    TpuPool other = TpuPool.grid("qod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);
    TpuFleet fleet = TpuFleet.of(POD, other)
        .allocate(box(POD, "a", "2x2", 0))
        .allocate(box(other, "b", "2x2", 0));
    SliceRequest two = SliceRequest.of("4x8").withCount(2);
    assertThat(planner.defragmentation(fleet, two.withSpread(1), 0, 0)).isPresent();
    for (SliceRequest.Scope scope :
        List.of(SliceRequest.Scope.SAME_POOL, SliceRequest.Scope.SAME_FABRIC)) {
      SliceRequest near = two.withScope(scope);
      assertThat(planner.defragmentation(fleet, near, 0, 1000)).isEmpty();
      assertThat(planner.defragmentation(fleet, near, 1, 1000)).hasValueSatisfying(plan -> {
        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.placements().stream().map(SlicePlacement::pool).distinct())
            .hasSize(1);
      });
    }
    SliceRequest three = two.withCount(3);
    assertThat(planner.defragmentation(fleet, three, 1, 1000)).isPresent();
    assertThat(planner.defragmentation(fleet, three.withSpread(1), 9, 1000)).isEmpty();
  }

  @Test
  void victimsMakeRoomForSeveral() {
    ToLongFunction<String> cost = owner -> owner.charAt(0);
    SliceRequest two = SliceRequest.of("4x4").withCount(2);
    assertThat(planner.cheapestVictims(dotted(), two, cost)).hasValueSatisfying(found -> {
      assertThat(found.owners()).containsExactly("a", "b");
      assertThat(found.cost()).isEqualTo('a' + 'b');
      assertThat(found.isCheapest()).isTrue();
      assertThat(found.placements()).hasSize(2);
    });
    assertThat(planner.cheapestVictims(dotted(), two.withCount(5), cost)).isEmpty();
    assertThat(planner.cheapestVictims(dotted(), two, owner -> SlicePlanner.PROTECTED))
        .isEmpty();
  }

  /** Letting the dearest stay who need not go would end with the other two. */
  @Test
  void oneDearOwnerMayBeCheaperThanTwoOthers() {
    TpuPool other = TpuPool.grid("qod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);
    TpuFleet fleet = TpuFleet.of(POD, other)
        .allocate(box(POD, "0", "2x2", 0).withOwner("dear"))
        .allocate(box(POD, "1", "2x2", 2).withOwner("dear"))
        .allocate(box(POD, "2", "2x2", 8).withOwner("a"))
        .allocate(box(POD, "3", "2x2", 10).withOwner("b"))
        .allocate(box(other, "4", "8x8", 0).withOwner("dearest"));
    Map<String, Long> costs = Map.of("dearest", 9L, "dear", 5L, "a", 3L, "b", 3L);
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4").withCount(2), costs::get))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("dear"));
  }

  @Test
  void aFailureCarriesWhatWouldHelp() {
    SliceRequest half = SliceRequest.of("4x8");
    Optional<FitFailure> failure = planner.explain(dotted(), half, owner -> 1, 2);
    assertThat(failure.flatMap(FitFailure::repair)).hasValueSatisfying(repair -> {
      assertThat(repair.moves()).map(plan -> plan.moves().size()).contains(2);
      assertThat(repair.eviction()).map(eviction -> eviction.owners().size()).contains(2);
    });
    assertThat(failure).map(FitFailure::constraint).contains(FitFailure.Constraint.GEOMETRY);
    assertThat(planner
            .explain(dotted(), half, owner -> SlicePlanner.PROTECTED, 1)
            .orElseThrow()
            .repair())
        .isEmpty();
    assertThat(planner.explain(dotted(), SliceRequest.of("2x2"), owner -> 1, 2)).isEmpty();
    assertThat(SliceFitter.create().explain(dotted(), half).orElseThrow().repair())
        .isEmpty();
  }

  /** A host is down in its columns, and a slice is in each of the others. */
  @Test
  void aBoxIsTurnedIfItMayAndMust() {
    TpuPool pod = POD.withAlignment(TpuPool.Alignment.HOST_ALIGNED);
    TpuSlice stiff = box(pod, "a", "4x8", 0);
    TpuFleet others =
        TpuFleet.of(pod).allocate(box(pod, "b", "2x2", 2)).withHealth("pod", HostHealth.DOWN, 0);
    assertThat(planner.failover(others.allocate(stiff), "a")).isEmpty();
    assertThat(planner.failover(others.allocate(stiff.withTurning()), "a"))
        .map(SlicePlacement::order)
        .contains(AxisOrder.YXZ);
  }

  /** In its own cube it has more free neighbours than it would have in cube 0. */
  @Test
  void aBoxStaysInItsCubeThoughAnotherIsBetter() {
    TpuFleet fleet = TpuFleet.of(BLOCK)
        .allocate(box(BLOCK, "a", "2x2x4", 32))
        .withHealth("block", HostHealth.DOWN, 36, 1, 2);
    assertThat(SliceFitter.create()
            .fit(fleet.release("a"), SliceRequest.of("2x2x4"))
            .slices()
            .get(0)
            .cubes())
        .isEqualTo(List.of(0));
    assertThat(planner.failover(fleet, "a")).map(SlicePlacement::cubes).contains(List.of(2));
  }

  /** In the other pool it would leave no gap. */
  @Test
  void aBoxStaysInItsPoolThoughAnotherIsBetter() {
    TpuPool other = TpuPool.cubes("other", TpuGeneration.V7X, 1);
    TpuFleet fleet = TpuFleet.of(BLOCK, other)
        .allocate(box(BLOCK, "a", "2x2x4", 0))
        .allocate(box(other, "b", "2x2x4", 0))
        .allocate(box(other, "c", "2x2x4", 1))
        .allocate(box(other, "d", "2x2x4", 2))
        .withHealth("block", HostHealth.DOWN, 0, 1, 2, 3);
    assertThat(SliceFitter.create()
            .fit(fleet.release("a"), SliceRequest.of("2x2x4"))
            .slices()
            .get(0)
            .pool())
        .isEqualTo(other);
    assertThat(planner.failover(fleet, "a")).map(SlicePlacement::pool).contains(BLOCK);
  }

  @Test
  void aSliceOfWholeCubesGoesToAnotherPoolIfItsOwnIsFull() {
    TpuPool x = TpuPool.cubes("x", TpuGeneration.V7X, 2);
    TpuPool y = TpuPool.cubes("y", TpuGeneration.V7X, 2);
    SlicePlacement old = SlicePlacement.ofCubes(x, SliceShape.of(4, 4, 8), List.of(0, 1));
    TpuFleet fleet =
        TpuFleet.of(x, y).allocate(TpuSlice.of("s", old)).withHealth("x", HostHealth.DOWN, 0);

    assertThat(SlicePlanner.create().failover(fleet, "s"))
        .contains(SlicePlacement.ofCubes(y, SliceShape.of(4, 4, 8), List.of(0, 1)));
  }

  @Test
  void aSliceFailsWithItsPartitionThoughItsHostsAreHealthy() {
    TpuPool pool = TpuPool.cubes("x", TpuGeneration.V7X, 3);
    SlicePlacement old = SlicePlacement.ofCubes(pool, SliceShape.of(4, 4, 8), List.of(0, 1));
    TpuFleet fleet = TpuFleet.of(pool)
        .allocate(TpuSlice.of("s", old))
        .withPartitionHealth("x", HostHealth.DOWN, new TpuPool.Block(SliceShape.of(4, 4, 4), 16));

    assertThat(fleet.hasFailed(old)).isTrue();
    assertThat(SlicePlanner.create().failover(fleet, "s"))
        .contains(SlicePlacement.ofCubes(pool, SliceShape.of(4, 4, 8), List.of(0, 2)));
    assertThat(fleet
            .withPartitionHealth(
                "x", HostHealth.CORDONED, new TpuPool.Block(SliceShape.of(4, 4, 4), 16))
            .hasFailed(old))
        .isFalse();
  }
}
