package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.Multimaps;
import com.google.common.primitives.Ints;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who of several must go, and how sure that is. */
class VictimSearchTest {
  private static final TpuPool BLOCK = TpuPool.cubes("block", TpuGeneration.V7X, 4);
  private static final TpuPool OTHER = TpuPool.cubes("other", TpuGeneration.V7X, 2);
  private static final TpuPool POD =
      TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("8x8"), 4);

  private final SlicePlanner planner = SlicePlanner.create();

  private static TpuSlice whole(TpuPool pool, String id, int... cubes) {
    SliceShape shape = SliceShape.of(4, 4, 4 * cubes.length);
    return TpuSlice.of(id, SlicePlacement.ofCubes(pool, shape, Ints.asList(cubes)));
  }

  private static TpuSlice part(TpuPool pool, String id, String shape, int host) {
    return TpuSlice.of(
        id, SlicePlacement.ofBox(pool, SliceShape.parse(shape), AxisOrder.XYZ, host));
  }

  private static TpuFleet full(TpuPool pool) {
    TpuFleet fleet = TpuFleet.of(pool);
    for (int cube = 0; cube < pool.cubes(); cube++) {
      fleet = fleet.allocate(whole(pool, "slice-" + cube, cube).withOwner("z" + (9 - cube)));
    }
    return fleet;
  }

  @Test
  void ofEquallyGoodOwnersThoseInTheFirstCubesGo() {
    assertThat(planner.cheapestVictims(full(BLOCK), SliceRequest.of("4x4x8"), owner -> 3))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("z8", "z9"));
  }

  @Test
  void ofEquallyGoodOwnersThoseAtTheFirstHostsGo() {
    TpuFleet fleet = TpuFleet.of(POD)
        .allocate(part(POD, "d", "2x2", 0))
        .allocate(part(POD, "c", "2x2", 2))
        .allocate(part(POD, "b", "2x2", 8))
        .allocate(part(POD, "a", "2x2", 10));
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4"), owner -> 3))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("d"));
  }

  @Test
  void anOwnerOfTwoSlicesInTheWayCostsOnce() {
    TpuFleet fleet = TpuFleet.of(POD)
        .allocate(part(POD, "1", "2x2", 0).withOwner("pair"))
        .allocate(part(POD, "2", "2x2", 1).withOwner("pair"))
        .allocate(part(POD, "c", "2x2", 2))
        .allocate(part(POD, "b", "2x2", 8))
        .allocate(part(POD, "a", "2x2", 10));
    ToLongFunction<String> cost = owner -> owner.equals("pair") ? 3 : 5;
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4"), cost))
        .hasValueSatisfying(found -> {
          assertThat(found.owners()).containsExactly("pair");
          assertThat(found.cost()).isEqualTo(3);
        });
  }

  @Test
  void ofEqualCostsFewerOwnersGo() {
    TpuFleet fleet = TpuFleet.of(POD)
        .allocate(part(POD, "x", "2x2", 0))
        .allocate(part(POD, "y", "2x2", 1))
        .allocate(part(POD, "c", "2x2", 2))
        .allocate(part(POD, "b", "2x2", 8))
        .allocate(part(POD, "a", "2x2", 10));
    Map<String, Long> costs = Map.of("x", 2L, "y", 3L, "c", 5L, "b", 9L, "a", 9L);
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4"), costs::get))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("c"));
  }

  @Test
  void ofEqualOwnersTheOneWithFewerChipsInAllGoes() {
    TpuFleet fleet = TpuFleet.of(POD)
        .allocate(part(POD, "1", "2x2", 0).withOwner("pair"))
        .allocate(part(POD, "2", "2x2", 8).withOwner("pair"))
        .allocate(part(POD, "c", "2x2", 2))
        .allocate(part(POD, "a", "2x2", 10));
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4"), owner -> 3))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("c"));
  }

  @Test
  void fewerOwnersComeBeforeFewerChips() {
    TpuFleet fleet = TpuFleet.of(BLOCK)
        .allocate(whole(BLOCK, "0", 0).withOwner("large"))
        .allocate(part(BLOCK, "1", "2x2x1", 16).withOwner("a"))
        .allocate(part(BLOCK, "2", "2x2x1", 17).withOwner("b"))
        .allocate(part(BLOCK, "3", "2x4x4", 32).withOwner("half"))
        .allocate(whole(BLOCK, "4", 3).withOwner("dear"));
    Map<String, Long> costs = Map.of("large", 4L, "a", 2L, "b", 2L, "half", 4L, "dear", 9L);
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4x4"), costs::get))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("half"));
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4x8"), costs::get))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("half", "large"));
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4x12"), costs::get))
        .hasValueSatisfying(found -> {
          assertThat(found.owners()).containsExactly("a", "b", "half", "large");
          assertThat(found.cost()).isEqualTo(12);
        });
  }

  /** Cubes are cubes, whichever of the slices they are for. */
  @Test
  void severalSlicesOfWholeCubesAreAsOneLargeOne() {
    TpuFleet fleet = full(BLOCK).release("slice-2");
    ToLongFunction<String> cost = owner -> owner.charAt(1);
    SliceRequest two = SliceRequest.of("4x4x8").withCount(2);
    assertThat(planner.cheapestVictims(fleet, two, cost)).hasValueSatisfying(found -> {
      assertThat(found.owners()).containsExactly("z6", "z8", "z9");
      assertThat(found.placements()).hasSize(2);
      assertThat(found.isCheapest()).isTrue();
    });
    assertThat(planner.cheapestVictims(fleet, SliceRequest.of("4x4x4").withCount(3), cost))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("z6", "z8"));
    assertThat(planner.cheapestVictims(fleet, two.withCount(3), cost)).isEmpty();
    assertThat(planner.cheapestVictims(fleet, two.withSpread(1), cost)).isEmpty();
    assertThat(planner.cheapestVictims(fleet, two.withSpread(2), cost)).isPresent();
  }

  /** Each pool for itself has room for one of them. */
  @Test
  void slicesOfOneRequestMayGoToSeveralPools() {
    TpuFleet fleet = TpuFleet.of(BLOCK, OTHER)
        .allocate(whole(BLOCK, "a", 0, 1, 2))
        .allocate(whole(OTHER, "b", 0, 1));
    SliceRequest two = SliceRequest.of("4x4x4").withCount(2).withSpread(1);
    assertThat(planner.cheapestVictims(fleet, two, owner -> 5))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("b"));
    assertThat(planner.cheapestVictims(
            fleet, SliceRequest.of("4x4x8"), owner -> owner.equals("a") ? 4 : 5))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("a"));
  }

  @Test
  void cubesThatMayNotBeUsedFreeNone() {
    TpuFleet fleet = full(BLOCK).withHealth("block", HostHealth.DEGRADED, 5);
    ToLongFunction<String> cost = owner -> owner.equals("z9") ? 1 : 5;
    SliceRequest one = SliceRequest.of("4x4x4");
    assertThat(planner.cheapestVictims(fleet, one, cost))
        .map(SliceEviction::cost)
        .contains(5L);
    assertThat(planner.cheapestVictims(fleet, one.withDegradedHosts(), cost))
        .map(SliceEviction::cost)
        .contains(1L);
    assertThat(planner.cheapestVictims(fleet, one.withAvoid(Map.of("block", Set.of(16, 40))), cost))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("z6"));
    ImmutableSetMultimap.Builder<String, Integer> third = ImmutableSetMultimap.builder();
    IntStream.range(32, 48).forEach(host -> third.put("block", host));
    assertThat(planner.cheapestVictims(fleet, one.withPin(Multimaps.asMap(third.build())), cost))
        .map(SliceEviction::owners)
        .hasValueSatisfying(owners -> assertThat(owners).containsExactly("z7"));
  }

  @Test
  void costsBeyondAllNumbersAreNotProtected() {
    long most = SlicePlanner.PROTECTED - 1;
    assertThat(planner.cheapestVictims(full(BLOCK), SliceRequest.of("4x4x8"), owner -> most))
        .hasValueSatisfying(found -> {
          assertThat(found.cost()).isEqualTo(most);
          assertThat(found.owners()).hasSize(2);
        });
  }

  /** Each cube has an owner in common with the next one, all around: nothing falls into parts. */
  private static TpuFleet ring(TpuPool pool, int cubes) {
    TpuFleet fleet = TpuFleet.of(pool);
    for (int cube = 0; cube < cubes; cube++) {
      for (int side = 0; side < 2; side++) {
        fleet = fleet.allocate(part(pool, cube + "-" + side, "2x2x1", cube * 16 + side)
            .withOwner("owner-" + (cube + side) % cubes));
      }
    }
    return fleet;
  }

  /** Of owners in a ring, n cubes in a row cost n + 1 of them. */
  @Test
  void ownersInARingGoInARow() {
    TpuPool pool = TpuPool.cubes("ring", TpuGeneration.V7X, 8);
    Optional<SliceEviction> found =
        planner.cheapestVictims(ring(pool, 8), SliceRequest.of("4x4x12"), owner -> 1);
    assertThat(found).hasValueSatisfying(eviction -> {
      assertThat(eviction.cost()).isEqualTo(4);
      assertThat(eviction.isCheapest()).isTrue();
    });
  }

  /**
   * There are too many combinations to search all, but there is an answer, and no victim is
   * unnecessary.
   */
  @Test
  void anAnswerThatMayNotBeTheCheapestSaysSo() {
    TpuPool pool = TpuPool.cubes("ring", TpuGeneration.V7X, 129);
    TpuFleet fleet = TpuFleet.of(pool, TpuPool.cubes("too small", TpuGeneration.V7X, 1));
    for (TpuSlice slice : ring(pool, 128).slices()) {
      fleet = fleet.allocate(slice);
    }
    fleet = fleet.allocate(whole(pool, "beside the ring", 128));
    Optional<SliceEviction> found = planner.cheapestVictims(
        fleet, SliceRequest.of("8x8x16"), owner -> 1 + owner.charAt(owner.length() - 1) % 7);
    assertThat(found).hasValueSatisfying(eviction -> {
      assertThat(eviction.isCheapest()).isFalse();
      assertThat(eviction.placements()).hasSize(1);
      assertThat(eviction.placement().cubes().size()).isEqualTo(16);
    });
  }

  @Test
  void noneIsCertainIfItIsNotKnownWhatFits() {
    TpuPool pod = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("16x16"), 4)
        .withAlignment(TpuPool.Alignment.HOST_ALIGNED);
    TpuFleet fleet = TpuFleet.of(pod);
    for (int host = 5; host < 64; host += 11) {
      fleet = fleet.allocate(part(pod, "slice-" + host, "2x2", host));
    }
    SliceRequest many = SliceRequest.of("4x4").withCount(13);
    SliceFitter hasty = SliceFitter.create().withNodes(1);
    assertThat(hasty.fit(fleet, many)).isInstanceOf(SliceFit.Undecided.class);

    assertThat(SlicePlanner.using(hasty).cheapestVictims(fleet, many, owner -> 1))
        .hasValueSatisfying(found -> assertThat(found.isCheapest()).isFalse());
  }

  @Test
  void noneIsCertainForManySlicesAmongManyOwners() {
    TpuPool pod = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.parse("16x16"), 4);
    TpuFleet fleet = TpuFleet.of(pod);
    for (int host = 0; host < 64; host++) {
      fleet = fleet.allocate(part(pod, "slice-" + host, "2x2", host));
    }
    SliceRequest six = SliceRequest.of("4x4").withCount(6);
    assertThat(planner.cheapestVictims(fleet, six, owner -> owner.length()))
        .hasValueSatisfying(found -> {
          assertThat(found.isCheapest()).isFalse();
          assertThat(found.owners()).hasSize(24);
          assertThat(found.placements()).hasSize(6);
        });
  }
}
