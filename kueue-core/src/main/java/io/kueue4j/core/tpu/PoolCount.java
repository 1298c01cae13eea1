package io.kueue4j.core.tpu;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.tpu.PoolMetrics.Room;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Computes the metrics of one pool, or the total of the pools of a fabric. Rules: TPU-F-13, B.18.
 *
 * @param name the id of the pool, or the name of the fabric
 * @param fleet the fleet
 * @param states the pools that are counted
 */
record PoolCount(String name, TpuFleet fleet, List<PoolState> states) {
  PoolMetrics metrics() {
    Optional<SliceShape> largest = states.stream()
        .flatMap(state -> LargestSlice.of(SliceFitter.create(), fleet, anyIn(state)).stream())
        .min(Comparator.comparingInt(SliceShape::chips)
            .reversed()
            .thenComparing(SliceShape::toString));
    return new PoolMetrics(
        name,
        sum(state -> state.layout().pool().hosts()),
        sum(state -> HostBits.size(state.health().usable(false))),
        sum(state -> state.layout().pool().hosts() - HostBits.size(state.occupied())),
        sum(state -> HostBits.size(state.free())),
        sum(PoolState::wholeCubes),
        sum(PoolCount::brokenCubes),
        largest,
        fragmentation(largest),
        rooms());
  }

  private int sum(ToIntFunction<PoolState> part) {
    return states.stream().mapToInt(part).sum();
  }

  /** {@return a request confined to one pool} */
  private static SliceRequest anyIn(PoolState state) {
    TpuPool pool = state.layout().pool();
    return SliceRequest.of(pool.generation().shapes().get(0))
        .withTurning()
        .withPin(ImmutableMap.of(pool.id(), ContiguousSet.closedOpen(0, pool.hosts())));
  }

  private static int brokenCubes(PoolState state) {
    return state.layout().isMadeOfCubes()
        ? (int) Arrays.stream(state.occupied())
            .filter(cube -> cube != 0 && cube != HostBits.CUBE)
            .count()
        : 0;
  }

  /** {@return the part of the free chips that the largest slice leaves, in thousandths} */
  private int fragmentation(Optional<SliceShape> largest) {
    int free = sum(state -> chips(state, state.free()));
    int placed = largest.map(SliceShape::chips).orElse(0);
    return free == 0 ? 0 : (int) (1000L * (free - placed) / free);
  }

  private static int chips(PoolState state, long[] hosts) {
    return HostBits.size(hosts) * state.layout().pool().hostBox().chips();
  }

  /** Each pool counts for the shapes that it can hold. */
  private ImmutableList<Room> rooms() {
    ImmutableList.Builder<Room> rooms = ImmutableList.builder();
    for (SliceShape shape : fleet.generation().blocks()) {
      List<PoolState> holders =
          states.stream().filter(state -> chain(state).contains(shape)).toList();
      if (!holders.isEmpty()) {
        PoolCount count = new PoolCount(name, fleet, holders);
        rooms.add(new Room(
            shape,
            count.sum(state -> blocks(state, state.free(), shape)),
            count.sum(state -> unbroken(state, shape)),
            count.sum(state -> afterMoving(state, shape)),
            count.sum(state -> stranded(state, shape))));
      }
    }
    return rooms.build();
  }

  /** {@return the blocks that a grid, torus or cube of a pool can hold, largest first} */
  private static ImmutableList<SliceShape> chain(PoolState state) {
    return state.layout().pool().generation().blocks().stream()
        .filter(shape -> !ways(state, shape).isEmpty())
        .collect(toImmutableList());
  }

  private static List<Way> ways(PoolState state, SliceShape shape) {
    return state.layout().ways(new PlaceTable.Key(shape, false, false));
  }

  /** {@return the number of aligned blocks of some hosts, without broken partitions} */
  private static int blocks(PoolState state, long[] hosts, SliceShape shape) {
    return state
        .layout()
        .countAligned(
            HostBits.common(hosts, state.usable(shape)),
            ways(state, shape).get(0).extents());
  }

  /** A block of the chain splits into blocks of the next size without remainder. */
  private static int unbroken(PoolState state, SliceShape shape) {
    List<SliceShape> chain = chain(state);
    int at = chain.indexOf(shape);
    int blocks = blocks(state, state.free(), shape);
    if (at == 0) {
      return blocks;
    }
    SliceShape larger = chain.get(at - 1);
    int inLarger = blocks(state, state.free(), larger) * (larger.chips() / shape.chips());
    return Math.max(0, blocks - inLarger);
  }

  /**
   * Each block splits into whole blocks of the next size. So block-shaped slices can be packed
   * exactly if, for each size, the slices of that size and larger ones need no more blocks than
   * exist outside hosts that must stay as they are.
   */
  private static int afterMoving(PoolState state, SliceShape shape) {
    List<SliceShape> chain = chain(state);
    long[] open = state.health().usable(false).clone();
    List<Resident> movable = new ArrayList<>();
    for (Resident resident : state.slices()) {
      if (resident.slice().movable() && chain.contains(unit(resident))) {
        movable.add(resident);
      } else {
        resident.removeFrom(open);
      }
    }
    long room = Long.MAX_VALUE;
    for (SliceShape size : chain) {
      long taken = movable.stream()
          .filter(resident -> unit(resident).chips() >= size.chips())
          .mapToLong(Resident::chips)
          .sum();
      long left = (long) blocks(state, open, size) * size.chips() - taken;
      if (left < 0) {
        return 0;
      }
      room = size.chips() <= shape.chips() ? Math.min(room, left / shape.chips()) : room;
    }
    return (int) room;
  }

  /** The cubes of a slice of whole cubes can be moved one by one. */
  private static SliceShape unit(Resident resident) {
    return resident.isWhole()
        ? resident.layout().pool().chips()
        : resident.slice().placement().shape();
  }

  private static int stranded(PoolState state, SliceShape shape) {
    SliceRequest request = SliceRequest.of(shape).withTurning();
    long[] left = state.free().clone();
    for (SlicePlacement place : SliceFitter.places(state, request, shape, Integer.MAX_VALUE)) {
      new HostMask(state.layout(), place).removeFrom(left);
    }
    return chips(state, left);
  }
}
