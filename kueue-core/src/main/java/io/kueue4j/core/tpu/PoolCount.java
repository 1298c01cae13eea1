package io.kueue4j.core.tpu;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes the metrics of one pool. Rules: TPU-F-13, B.18. */
final class PoolCount {
  private final PoolState state;
  private final TpuPool pool;

  PoolCount(PoolState state) {
    this.state = state;
    this.pool = state.layout().pool();
  }

  PoolMetrics metrics(TpuFleet fleet) {
    long[] healthy = new long[state.free().length];
    state.usable(healthy, false);
    int freeHealthy = HostBits.size(state.free());
    Optional<SliceShape> largest = LargestSlice.of(SliceFitter.create(), fleet, anyHere());
    int freeChips = freeHealthy * pool.hostBox().chips();
    return new PoolMetrics(
        pool.id(),
        pool.hosts(),
        HostBits.size(healthy),
        pool.hosts() - HostBits.size(state.occupied()),
        freeHealthy,
        state.wholeCubes(),
        cubes(state.occupied(), 1, 15),
        largest,
        fragmentation(freeChips, largest),
        rooms());
  }

  /** {@return the part of the free chips that the largest slice leaves, in thousandths} */
  static int fragmentation(int freeChips, Optional<SliceShape> largest) {
    int placed = largest.map(SliceShape::chips).orElse(0);
    return freeChips == 0 ? 0 : (int) (1000L * (freeChips - placed) / freeChips);
  }

  /** {@return a request confined to this pool} */
  private SliceRequest anyHere() {
    return SliceRequest.of(pool.generation().shapes().get(0))
        .withTurning()
        .withPin(ImmutableMap.of(pool.id(), ContiguousSet.closedOpen(0, pool.hosts())));
  }

  private int cubes(long[] set, int least, int most) {
    if (!state.layout().isMadeOfCubes()) {
      return 0;
    }
    return (int) IntStream.range(0, pool.cubes())
        .map(cube -> Long.bitCount(HostBits.lane(set, cube)))
        .filter(hosts -> hosts >= least && hosts <= most)
        .count();
  }

  private ImmutableList<PoolMetrics.Room> rooms() {
    List<SliceShape> chain = chain();
    ImmutableList.Builder<PoolMetrics.Room> rooms = ImmutableList.builder();
    SliceShape larger = null;
    for (SliceShape shape : chain) {
      rooms.add(new PoolMetrics.Room(
          shape,
          blocks(free(shape), shape),
          unbroken(larger, shape),
          afterMoving(chain, shape),
          stranded(shape)));
      larger = shape;
    }
    return rooms.build();
  }

  /** {@return the blocks that a grid, torus or cube of this pool can hold, largest first} */
  private List<SliceShape> chain() {
    return pool.generation().blocks().stream().filter(this::isHere).toList();
  }

  private boolean isHere(SliceShape shape) {
    return IntStream.range(0, 3)
        .allMatch(axis -> shape.extent(axis) % pool.hostBox().extent(axis) == 0
            && shape.extent(axis) <= pool.chips().extent(axis));
  }

  /** {@return the number of aligned blocks in a set of hosts} */
  private int blocks(long[] set, SliceShape shape) {
    int[] length = IntStream.range(0, 3)
        .map(axis -> shape.extent(axis) / pool.hostBox().extent(axis))
        .toArray();
    return state.layout().countAligned(set, length);
  }

  /** A block of the chain splits into blocks of the next size without remainder. */
  private int unbroken(@Nullable SliceShape larger, SliceShape shape) {
    int inLarger =
        larger == null ? 0 : blocks(free(larger), larger) * (larger.chips() / shape.chips());
    return Math.max(0, blocks(free(shape), shape) - inLarger);
  }

  /** {@return the free healthy hosts that a slice of a shape may use} */
  private long[] free(SliceShape shape) {
    return without(state.free(), shape);
  }

  private long[] without(long[] hosts, SliceShape shape) {
    long[] left = hosts.clone();
    state.exclude(left, shape, false);
    return left;
  }

  /**
   * Each block splits into whole blocks of the next size. So block-shaped slices can be packed
   * exactly if, for each size, the slices of that size and larger ones need no more blocks than
   * exist outside hosts that must stay as they are.
   */
  private int afterMoving(List<SliceShape> chain, SliceShape shape) {
    long[] open = new long[state.free().length];
    state.usable(open, false);
    List<TpuSlice> movable = new ArrayList<>();
    for (PoolState.Held held : state.slices()) {
      if (held.slice().movable() && chain.contains(unit(held.slice()))) {
        movable.add(held.slice());
      } else {
        held.hosts().removeFrom(open);
      }
    }
    long room = Long.MAX_VALUE;
    for (SliceShape size : chain) {
      long taken = movable.stream()
          .filter(slice -> unit(slice).chips() >= size.chips())
          .mapToLong(slice -> slice.placement().shape().chips())
          .sum();
      long left = (long) blocks(without(open, size), size) * size.chips() - taken;
      if (left < 0) {
        return 0;
      }
      room = size.chips() <= shape.chips() ? Math.min(room, left / shape.chips()) : room;
    }
    return (int) room;
  }

  /** The cubes of a slice of whole cubes can be moved one by one. */
  private SliceShape unit(TpuSlice slice) {
    SliceShape shape = slice.placement().shape();
    return pool.takesWholeCubes(shape) ? pool.chips() : shape;
  }

  private int stranded(SliceShape shape) {
    SliceRequest request = SliceRequest.of(shape).withTurning();
    PoolView view = PoolView.of(state, request);
    long[] left = state.free().clone();
    Stream<SlicePlacement> places = pool.takesWholeCubes(shape)
        ? new PackingSearch(shape, request, 1).most(view, pool.cubes()).stream()
        : PackingSearch.places(view, shape, request).stream();
    places.forEach(place -> HostMask.of(place.hosts()).removeFrom(left));
    return HostBits.size(left) * pool.hostBox().chips();
  }
}
