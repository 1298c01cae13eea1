package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** Libraries that are wrong on purpose, each in one way, and the invariant that must notice. */
enum PlantedSliceBug {
  AVOIDED_HOSTS_ARE_USED(
      SliceInvariant.DISJOINT_AND_USABLE, asking(request -> request.withAvoid(Map.of()))),

  PINS_ARE_FORGOTTEN(
      SliceInvariant.DISJOINT_AND_USABLE, asking(request -> request.withPin(Map.of()))),

  DEGRADED_HOSTS_ARE_USED(
      SliceInvariant.DISJOINT_AND_USABLE, asking(SliceRequest::withDegradedHosts)),

  SLICES_OF_A_REQUEST_OVERLAP(SliceInvariant.DISJOINT_AND_USABLE, new SliceLibrary() {
    @Override
    SliceFit fit(TpuFleet fleet, SliceRequest request) {
      SliceFit one = super.fit(fleet, request.withCount(1));
      return one.isPlaced()
          ? new SliceFit.Placed(ImmutableList.copyOf(
              Collections.nCopies(request.count(), one.slices().get(0))))
          : one;
    }
  }),

  HOSTS_ARE_CONSECUTIVE(SliceInvariant.ONE_BOX_OR_WHOLE_CUBES, new SliceLibrary() {
    @Override
    BitSet hosts(SlicePlacement place) {
      BitSet hosts = new BitSet();
      hosts.set(place.origin(), place.origin() + place.hosts().size());
      return hosts;
    }
  }),

  SLICES_ARE_TURNED_UNASKED(
      SliceInvariant.SHAPE_TURNED_AND_ALIGNED_AS_ALLOWED, asking(SliceRequest::withTurning)),

  ALIGNMENT_IS_FORGOTTEN(SliceInvariant.SHAPE_TURNED_AND_ALIGNED_AS_ALLOWED, new SliceLibrary() {
    @Override
    SliceFit fit(TpuFleet fleet, SliceRequest request) {
      return super.fit(unaligned(fleet), request);
    }
  }),

  RINGS_ARE_THOSE_OF_THE_GENERATION(SliceInvariant.RINGS_ARE_TRUE, new SliceLibrary() {
    @Override
    boolean isRing(SlicePlacement place, int axis) {
      return place.pool().generation().isRing(place.shape(), axis);
    }
  }),

  REQUIRED_RINGS_ARE_PREFERRED(
      SliceInvariant.RINGS_ARE_TRUE,
      asking(request -> request.rings() == SliceRequest.Rings.REQUIRED
          ? request.withRings(SliceRequest.Rings.PREFERRED)
          : request)),

  ANSWERS_DEPEND_ON_EARLIER_ONES(SliceInvariant.DETERMINISTIC, new SliceLibrary() {
    private int calls;

    @Override
    SliceFit fit(TpuFleet fleet, SliceRequest request) {
      calls++;
      return SliceFitter.create()
          .withObjective(
              calls % 2 == 0 ? PlacementObjective.FIRST_FIT : PlacementObjective.KEEP_BLOCKS)
          .fit(fleet, request);
    }
  }),

  NAMES_OF_HOSTS_DECIDE(SliceInvariant.DETERMINISTIC, new SliceLibrary() {
    @Override
    SliceFit fit(TpuFleet fleet, SliceRequest request) {
      boolean named = !fleet.pools().get(0).nodes().isEmpty();
      boolean early = named && fleet.pools().get(0).nodes().get(0).compareTo("pod-0-3") < 0;
      return early
          ? SliceFitter.create().withObjective(PlacementObjective.FIRST_FIT).fit(fleet, request)
          : super.fit(fleet, request);
    }
  }),

  THE_LAST_CORNER_IS_FORGOTTEN(SliceInvariant.COMPLETE, new SliceLibrary() {
    @Override
    SliceFit fit(TpuFleet fleet, SliceRequest request) {
      TpuPool pool = fleet.pools().get(0);
      return super.fit(fleet.withHealth(pool.id(), HostHealth.DOWN, pool.hosts() - 1), request);
    }
  }),

  SEVERAL_SLICES_ONE_BY_ONE_ONLY(SliceInvariant.COMPLETE, new SliceLibrary() {
    @Override
    SliceFit fit(TpuFleet fleet, SliceRequest request) {
      TpuFleet now = fleet;
      ImmutableList.Builder<SlicePlacement> places = ImmutableList.builder();
      for (int i = 0; i < request.count(); i++) {
        SliceFit one = SliceFitter.create()
            .withObjective(Objectives.MOST_NEIGHBOURS)
            .fit(now, request.withCount(1));
        if (!one.isPlaced()) {
          return one;
        }
        now = now.allocate(TpuSlice.of("one-" + i, one.slices().get(0)));
        places.addAll(one.slices());
      }
      return new SliceFit.Placed(places.build());
    }
  }),

  MORE_ROOM_IS_WORSE(SliceInvariant.MONOTONIC, new SliceLibrary() {
    @Override
    SliceFit fit(TpuFleet fleet, SliceRequest request) {
      return fleet.slices().size() == 3
          ? super.fit(TpuFleet.of(fleet.pools()), request.withCount(100))
          : super.fit(fleet, request);
    }
  }),

  RELEASING_BREAKS_A_HOST(SliceInvariant.ALLOCATION_IS_UNDONE, new SliceLibrary() {
    @Override
    TpuFleet release(TpuFleet fleet, String id) {
      SlicePlacement place = fleet.slice(id).orElseThrow().placement();
      return super.release(fleet, id)
          .withHealth(place.pool().id(), HostHealth.DOWN, place.origin());
    }
  }),

  ALLOCATING_LEAVES_A_HOST_OUT(SliceInvariant.ALLOCATION_IS_UNDONE, new SliceLibrary() {
    @Override
    TpuFleet allocate(TpuFleet fleet, TpuSlice slice) {
      SlicePlacement place = slice.placement();
      boolean small = place.shape().chips() > 4 && place.cubes().size() < 2;
      return small
          ? super.allocate(
              fleet,
              slice.withPlacement(SlicePlacement.ofBox(
                  place.pool(),
                  place.shape().dimensions() == 2 ? SliceShape.of(2, 2) : SliceShape.of(2, 2, 1),
                  AxisOrder.XYZ,
                  place.origin())))
          : super.allocate(fleet, slice);
    }
  }),

  THE_FIRST_PLACE_IS_TAKEN(SliceInvariant.BEST_PLACE, choosing(PlacementObjective.FIRST_FIT)),

  THE_LAST_VALUE_IS_FORGOTTEN(
      SliceInvariant.BEST_PLACE,
      choosing(Objectives.of((index, candidate) ->
          index == candidate.levels() + 3 ? 0 : keepsBlocks(index, candidate)))),

  SMALL_BLOCKS_COUNT_BEFORE_LARGE(
      SliceInvariant.BEST_PLACE,
      choosing(Objectives.of((index, candidate) -> index >= 2 && index < candidate.levels() + 2
          ? candidate.alignedLoss(candidate.levels() + 1 - index)
          : keepsBlocks(index, candidate)))),

  ROOM_FORGETS_LARGER_SIZES(SliceInvariant.ROOM_AFTER_MOVING, new SliceLibrary() {
    @Override
    Map<SliceShape, Integer> roomAfterMoving(TpuFleet fleet, String pool) {
      Map<SliceShape, Integer> room = new HashMap<>(super.roomAfterMoving(fleet, pool));
      int free = PoolMetrics.of(fleet, pool).freeHealthyHosts();
      room.replaceAll((shape, count) -> free * 4 / shape.chips());
      return room;
    }
  }),

  MOVES_PUT_NONE_OUT_IN_TURN(SliceInvariant.ROOM_AFTER_MOVING, new SliceLibrary() {
    @Override
    Optional<Defragmentation> moves(TpuFleet fleet, SliceRequest request, int maxMoves) {
      return super.moves(fleet, request, Math.min(1, maxMoves));
    }
  }),

  OWNERS_ARE_PAID_BY_THE_SLICE(SliceInvariant.CHEAPEST_VICTIMS, new SliceLibrary() {
    @Override
    Optional<SliceEviction> victims(
        TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
      Map<String, Long> slices = new TreeMap<>();
      fleet.slices().forEach(slice -> slices.merge(slice.owner(), 1L, Long::sum));
      return super.victims(fleet, request, owner -> {
        long cost = costOf.applyAsLong(owner);
        return cost == SlicePlanner.PROTECTED ? cost : cost * slices.getOrDefault(owner, 1L);
      });
    }
  }),

  PROTECTED_OWNERS_GO(SliceInvariant.CHEAPEST_VICTIMS, new SliceLibrary() {
    @Override
    Optional<SliceEviction> victims(
        TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
      return super.victims(fleet, request, owner -> Math.min(1_000, costOf.applyAsLong(owner)));
    }
  }),

  EVERYBODY_GOES(SliceInvariant.CHEAPEST_VICTIMS, new SliceLibrary() {
    @Override
    Optional<SliceEviction> victims(
        TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
      return super.victims(fleet, request, costOf)
          .map(right -> new SliceEviction(
              fleet.slices().stream()
                  .map(TpuSlice::owner)
                  .filter(
                      owner -> costOf.applyAsLong(owner) == 0 || right.owners().contains(owner))
                  .distinct()
                  .collect(ImmutableList.toImmutableList()),
              right.cost(),
              right.placements(),
              true));
    }
  }),

  MOVES_ARE_NOT_ORDERED(SliceInvariant.MOVES_MAKE_ROOM, new SliceLibrary() {
    @Override
    Optional<Defragmentation> moves(TpuFleet fleet, SliceRequest request, int maxMoves) {
      return super.moves(fleet, request, maxMoves)
          .map(right -> new Defragmentation(Lists.reverse(right.moves()), right.placements()));
    }
  }),

  NONE_STOPS_FIRST(SliceInvariant.MOVES_MAKE_ROOM, new SliceLibrary() {
    @Override
    Optional<Defragmentation> moves(TpuFleet fleet, SliceRequest request, int maxMoves) {
      return super.moves(fleet, request, maxMoves)
          .map(right -> new Defragmentation(
              right.moves().stream()
                  .map(move -> new SliceMove(move.slice(), move.to(), false))
                  .collect(ImmutableList.toImmutableList()),
              right.placements()));
    }
  }),

  ONE_MOVE_TOO_MANY(SliceInvariant.MOVES_MAKE_ROOM, new SliceLibrary() {
    @Override
    Optional<Defragmentation> moves(TpuFleet fleet, SliceRequest request, int maxMoves) {
      return super.moves(fleet, request, maxMoves + 1);
    }
  }),

  ALL_IS_CALLED_GEOMETRY(
      SliceInvariant.REASONS_ARE_TRUE,
      explaining(failure ->
          new FitFailure(FitFailure.Constraint.GEOMETRY, failure.message(), failure.largest()))),

  ALL_IS_CALLED_CAPACITY(
      SliceInvariant.REASONS_ARE_TRUE,
      explaining(failure ->
          new FitFailure(FitFailure.Constraint.CAPACITY, failure.message(), failure.largest()))),

  THE_LARGEST_IS_TOO_LARGE(
      SliceInvariant.REASONS_ARE_TRUE,
      explaining(failure -> new FitFailure(
          failure.constraint(),
          failure.message(),
          failure
              .largest()
              .map(shape ->
                  shape.dimensions() == 2 ? SliceShape.of(16, 16) : SliceShape.of(4, 4, 64))))),

  THE_DEFAULT_OBJECTIVE_IS_USED(SliceInvariant.LIKE_TOPOLOGY, new SliceLibrary() {
    @Override
    SliceFit fitLikeTopology(TpuFleet fleet, SliceRequest request, boolean countsSlices) {
      return countsSlices
          ? super.fit(fleet, request)
          : super.fitLikeTopology(fleet, request, false);
    }
  }),

  HOST_NUMBERS_ARE_THE_ORDER_OF_DOMAINS(SliceInvariant.LIKE_TOPOLOGY, new SliceLibrary() {
    @Override
    SliceFit fitLikeTopology(TpuFleet fleet, SliceRequest request, boolean countsSlices) {
      return countsSlices
          ? super.fitLikeTopology(fleet, request, true)
          : SliceFitter.create().withObjective(PlacementObjective.FIRST_FIT).fit(fleet, request);
    }
  });

  private final SliceInvariant invariant;

  @SuppressWarnings("ImmutableEnumChecker") // used by one test at a time
  private final SliceLibrary library;

  PlantedSliceBug(SliceInvariant invariant, SliceLibrary library) {
    this.invariant = invariant;
    this.library = library;
  }

  SliceInvariant invariant() {
    return invariant;
  }

  SliceLibrary library() {
    return library;
  }

  private static SliceLibrary asking(UnaryOperator<SliceRequest> other) {
    return new SliceLibrary() {
      @Override
      SliceFit fit(TpuFleet fleet, SliceRequest request) {
        return super.fit(fleet, other.apply(request));
      }
    };
  }

  private static SliceLibrary choosing(PlacementObjective objective) {
    return new SliceLibrary() {
      @Override
      SliceFit fit(TpuFleet fleet, SliceRequest request) {
        return SliceFitter.create().withObjective(objective).fit(fleet, request);
      }
    };
  }

  private static SliceLibrary explaining(UnaryOperator<FitFailure> other) {
    return new SliceLibrary() {
      @Override
      Optional<FitFailure> explain(TpuFleet fleet, SliceRequest request) {
        return super.explain(fleet, request).map(other);
      }
    };
  }

  private static long keepsBlocks(int index, PlacementCandidate candidate) {
    return PlacementObjective.KEEP_BLOCKS.value(index, candidate);
  }

  private static TpuFleet unaligned(TpuFleet fleet) {
    TpuFleet other = TpuFleet.of(fleet.pools().stream()
        .map(pool -> pool.withAlignment(TpuPool.Alignment.HOST_ALIGNED))
        .toList());
    for (TpuPool pool : fleet.pools()) {
      for (int host = 0; host < pool.hosts(); host++) {
        other = fleet.isTaken(pool.id(), host)
            ? other.withHealth(pool.id(), HostHealth.DOWN, host)
            : other.withHealth(pool.id(), fleet.health(pool.id(), host), host);
      }
    }
    return other;
  }

  /** What enum constants cannot refer to in themselves. */
  private static final class Objectives {
    static final PlacementObjective MOST_NEIGHBOURS =
        of((index, candidate) -> index == 0 ? -candidate.freeNeighbours() : 0);

    interface Value {
      long value(int index, PlacementCandidate candidate);
    }

    static PlacementObjective of(Value value) {
      return new PlacementObjective() {
        @Override
        public int values(int levels) {
          return KEEP_BLOCKS.values(levels);
        }

        @Override
        public long value(int index, PlacementCandidate candidate) {
          return value.value(index, candidate);
        }
      };
    }
  }
}
