package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Invariants 10 to 12: of plans. */
final class PlanInvariants {
  private PlanInvariants() {}

  private static final List<String> PARTS = List.of("2x2x1", "2x2x2", "2x2x4", "2x4x4");
  private static final List<String> RECTANGLES = List.of("2x2", "2x4", "4x4", "4x8");

  /** 10: the closed form of room after moving is what can be packed, and what moves achieve. */
  static void roomAfterMoving(SliceLibrary library, Choices choices) {
    boolean grid = choices.nextBoolean();
    TpuPool pool = grid
        ? FleetStates.SMALL.withAlignment(TpuPool.Alignment.ALIGNED_IDS)
        : TpuPool.cubes("cube", TpuGeneration.V7X, 1);
    List<String> shapes = grid ? RECTANGLES : PARTS;
    TpuFleet fleet = TpuFleet.of(pool);
    SliceFitter fitter = SliceFitter.create().withObjective(PlacementObjective.FIRST_FIT);
    int slices = choices.nextInt(6);
    for (int i = 0; i < slices; i++) {
      SliceRequest request = SliceRequest.of(shapes.get(choices.nextInt(3)))
          .withAvoid(
              Map.of(pool.id(), ImmutableSet.copyOf(choices.list(2, 2, each -> each.nextInt(16)))));
      for (SlicePlacement place : fitter.fit(fleet, request).slices()) {
        TpuSlice slice = TpuSlice.of("slice-" + i, place);
        fleet = fleet.allocate(choices.oneIn(5) ? slice.withoutMoving() : slice);
      }
    }
    fleet = withBrokenFreeHosts(fleet, pool, choices);
    BitSet fixed = new BitSet();
    for (int host = 0; host < 16; host++) {
      fixed.set(host, fleet.health(pool.id(), host) == HostHealth.DOWN);
    }
    List<SliceShape> held = new ArrayList<>();
    for (TpuSlice slice : fleet.slices()) {
      if (slice.movable()) {
        held.add(slice.placement().shape());
      } else {
        fixed.or(NaiveSlices.hosts(slice.placement()));
      }
    }
    Map<SliceShape, Integer> room = library.roomAfterMoving(fleet, pool.id());
    for (String text : shapes) {
      SliceShape shape = SliceShape.parse(text);
      int most = IntStream.rangeClosed(0, 16)
          .filter(more -> packs(pool, held, shape, more, fixed))
          .max()
          .orElse(0);
      assertThat(room).containsEntry(shape, most);
      assertThat(library.moves(fleet, SliceRequest.of(shape), slices).isPresent())
          .as("%s of %s in %s", shape, most, fleet.slices())
          .isEqualTo(most > 0);
    }
  }

  private static TpuFleet withBrokenFreeHosts(TpuFleet fleet, TpuPool pool, Choices choices) {
    TpuFleet broken = fleet;
    for (int host : choices.ints(choices.nextInt(4), 0, 16).toArray()) {
      broken = fleet.isTaken(pool.id(), host)
          ? broken
          : broken.withHealth(pool.id(), HostHealth.DOWN, host);
    }
    return broken;
  }

  private static boolean packs(
      TpuPool pool, List<SliceShape> held, SliceShape shape, int more, BitSet busy) {
    if (held.isEmpty()) {
      return NaiveSlices.free(NaiveSlices.boxes(pool, shape, false), busy).size() >= more;
    }
    List<SliceShape> rest = held.subList(1, held.size());
    for (BitSet place : NaiveSlices.free(NaiveSlices.boxes(pool, held.get(0), false), busy)) {
      BitSet taken = (BitSet) busy.clone();
      taken.or(place);
      if (packs(pool, rest, shape, more, taken)) {
        return true;
      }
    }
    return false;
  }

  /** Small enough to try all sets of owners, some of whom have several slices. */
  private static TpuFleet owned(Choices choices) {
    List<TpuPool> pools = choices.nextBoolean()
        ? List.of(FleetStates.SMALL.withAlignment(FleetStates.alignment(choices)))
        : List.of(TpuPool.cubes("block", TpuGeneration.V7X, 3 + choices.nextInt(4)));
    TpuFleet used = FleetStates.used(pools, choices, 14);
    for (TpuSlice slice : used.slices()) {
      used = used.release(slice.id()).allocate(slice.withOwner("owner-" + choices.nextInt(7)));
    }
    return used;
  }

  private static TpuFleet without(TpuFleet fleet, List<String> owners) {
    TpuFleet left = fleet;
    for (TpuSlice slice : fleet.slices()) {
      left = owners.contains(slice.owner()) ? left.release(slice.id()) : left;
    }
    return left;
  }

  private static SliceRequest wanted(TpuFleet fleet, Choices choices) {
    SliceRequest request = FleetStates.request(fleet.generation(), choices);
    if (fleet.generation().layout() == TpuGeneration.Layout.CUBES && choices.nextBoolean()) {
      request = SliceRequest.of(SliceShape.of(4, 4, 4 * (2 + choices.nextInt(4))));
    }
    return choices.oneIn(3) ? request.withCount(2 + choices.nextInt(2)) : request;
  }

  /** 11: victims are enough, none can be spared, none is protected, no others are cheaper. */
  static void cheapestVictims(SliceLibrary library, Choices choices) {
    TpuFleet fleet = owned(choices);
    SliceRequest request = wanted(fleet, choices);
    Map<String, Long> costs = new TreeMap<>();
    for (TpuSlice slice : fleet.slices()) {
      costs.computeIfAbsent(
          slice.owner(), name -> choices.oneIn(5) ? SlicePlanner.PROTECTED : choices.nextInt(6));
    }
    long cheapest = cheapest(library, fleet, request, costs);
    Optional<SliceEviction> found =
        library.victims(fleet, request, name -> costs.getOrDefault(name, 0L));
    assertThat(found.map(SliceEviction::cost).orElse(-1L)).isEqualTo(cheapest);
    found.ifPresent(eviction -> {
      assertThat(eviction.isCheapest()).isTrue();
      assertThat(eviction.owners())
          .allSatisfy(owner -> assertThat(costs.get(owner)).isNotEqualTo(SlicePlanner.PROTECTED));
      TpuFleet after = without(fleet, eviction.owners());
      for (SlicePlacement place : eviction.placements()) {
        after = after.allocate(TpuSlice.of("new-" + after.slices().size(), place));
      }
      assertThat(eviction.placements()).hasSize(request.count());
      for (String spared : eviction.owners()) {
        List<String> fewer = new ArrayList<>(eviction.owners());
        fewer.remove(spared);
        assertThat(library.fit(without(fleet, fewer), request).isPlaced()).isFalse();
      }
    });
  }

  private static long cheapest(
      SliceLibrary library, TpuFleet fleet, SliceRequest request, Map<String, Long> costs) {
    List<String> owners = List.copyOf(costs.keySet());
    long cheapest = -1;
    for (int chosen = 0; chosen < 1 << owners.size(); chosen++) {
      List<String> gone = new ArrayList<>();
      long cost = 0;
      for (int i = 0; i < owners.size(); i++) {
        if (((chosen >>> i) & 1) != 0) {
          gone.add(owners.get(i));
          long each = costs.getOrDefault(owners.get(i), 0L);
          cost = each == SlicePlanner.PROTECTED || cost < 0 ? -1 : cost + each;
        }
      }
      if (cost >= 0
          && (cheapest < 0 || cost < cheapest)
          && library.fit(without(fleet, gone), request).isPlaced()) {
        cheapest = cost;
      }
    }
    return cheapest;
  }

  /** 12: moves find their hosts free, keep what slices need, and make room. */
  static void movesMakeRoom(SliceLibrary library, Choices choices) {
    boolean small = choices.nextBoolean();
    TpuFleet fleet = small ? FleetStates.scattered(choices) : FitInvariants.fleet(choices);
    boolean grid = fleet.generation().layout() == TpuGeneration.Layout.GRID;
    SliceRequest request = small || choices.nextBoolean()
        ? FleetStates.request(fleet.generation(), choices)
        : SliceRequest.of(grid ? "8x16" : "4x8x8");
    request = choices.oneIn(3) ? request.withCount(2) : request;
    int maxMoves = choices.nextInt(4);
    Optional<Defragmentation> plan = library.moves(fleet, request, maxMoves);
    if (library.fit(fleet, request).isPlaced()) {
      assertThat(plan).map(Defragmentation::moves).contains(ImmutableList.of());
      return;
    }
    if (plan.isPresent()) {
      check(fleet, request, plan.orElseThrow(), maxMoves);
    }
  }

  private static void check(
      TpuFleet fleet, SliceRequest request, Defragmentation plan, int maxMoves) {
    assertThat(plan.moves()).isNotEmpty().hasSizeLessThanOrEqualTo(maxMoves);
    TpuFleet now = fleet;
    for (SliceMove move : plan.moves()) {
      now = move.stopsFirst() ? now.release(move.slice().id()) : now;
    }
    for (SliceMove move : plan.moves()) {
      SlicePlacement old = move.slice().placement();
      SlicePlacement to = move.to();
      assertThat(fleet.slice(move.slice().id())).contains(move.slice());
      assertThat(move.slice().movable()).isTrue();
      assertThat(to.shape()).isEqualTo(old.shape());
      assertThat(to).isNotEqualTo(old);
      assertThat(to.order() == AxisOrder.XYZ || move.slice().mayTurn()).isTrue();
      BitSet hosts = NaiveSlices.hosts(to);
      assertThat(NaiveSlices.busy(now, to.pool(), false).intersects(hosts)).isFalse();
      boolean overlaps = to.pool().equals(old.pool()) && NaiveSlices.hosts(old).intersects(hosts);
      assertThat(overlaps && !move.stopsFirst()).isFalse();
      for (int axis = 0; axis < 3; axis++) {
        assertThat(to.isRing(axis)).isEqualTo(old.isRing(axis));
      }
      now = move.stopsFirst() ? now : now.release(move.slice().id());
      now = now.allocate(move.slice().withPlacement(to));
    }
    assertThat(now).isEqualTo(plan.applyTo(fleet));
    assertThat(plan.placements()).hasSize(request.count());
    for (SlicePlacement place : plan.placements()) {
      assertThat(request.shapes()).contains(place.shape());
      BitSet busy = NaiveSlices.busy(now, place.pool(), request.allowDegraded());
      assertThat(busy.intersects(NaiveSlices.hosts(place))).isFalse();
      now = now.allocate(TpuSlice.of("new-" + now.slices().size(), place));
    }
  }
}
