package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.tpu.TpuPool.Block;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The health of the partitions of a pool of cubes. A partition is a cube or an aligned part of one.
 * It can be broken, by a link between its chips, although all its hosts are healthy and smaller
 * partitions inside it are usable. Immutable.
 *
 * <p>Rules: TPU-U-18, TPU-U-26.
 */
final class PartitionStates {
  /** All partitions are healthy. */
  static final PartitionStates HEALTHY = new PartitionStates(ImmutableMap.of());

  private final ImmutableMap<Block, HostHealth> states;

  /** By shape: the hosts whose partition of that shape is not healthy. */
  private final Map<SliceShape, long[]> unhealthy = new HashMap<>();

  /** By shape: the hosts whose partition of that shape no request may use. */
  private final Map<SliceShape, long[]> closed = new HashMap<>();

  private PartitionStates(ImmutableMap<Block, HostHealth> states) {
    this.states = states;
  }

  boolean isEmpty() {
    return states.isEmpty();
  }

  HostHealth get(Block block) {
    return states.getOrDefault(block, HostHealth.HEALTHY);
  }

  /** {@return these states with the health of some partitions changed} */
  PartitionStates with(PoolLayout layout, HostHealth health, Block... blocks) {
    Map<Block, HostHealth> changed = new HashMap<>(states);
    for (Block block : blocks) {
      check(layout, block);
      if (health == HostHealth.HEALTHY) {
        changed.remove(block);
      } else {
        changed.put(block, health);
      }
    }
    PartitionStates result = new PartitionStates(ImmutableMap.copyOf(changed));
    changed.forEach((block, state) -> {
      add(result.unhealthy, layout, block);
      if (state != HostHealth.DEGRADED) {
        add(result.closed, layout, block);
      }
    });
    return result;
  }

  private static void check(PoolLayout layout, Block block) {
    TpuPool pool = layout.pool();
    checkArgument(
        layout.isMadeOfCubes() && layout.isAligned(),
        "partitions of pool %s, expected a pool of cubes with aligned slices",
        pool.id());
    checkArgument(
        block.shape().equals(pool.chips()) || pool.generation().shapes().contains(block.shape()),
        "partition %s of pool %s, expected %s or one of %s",
        block.shape(),
        pool.id(),
        pool.chips(),
        pool.generation().shapes());
    checkArgument(
        block.firstHost() >= 0
            && block.firstHost() < pool.hosts()
            && isCorner(layout, block.shape(), block.firstHost() % pool.hostsPerMesh()),
        "partition %s at host %s of pool %s, expected the lowest host of such a partition",
        block.shape(),
        block.firstHost(),
        pool.id());
  }

  private static boolean isCorner(PoolLayout layout, SliceShape shape, int host) {
    TpuPool pool = layout.pool();
    boolean corner = true;
    for (int axis = 0; axis < 3; axis++) {
      int extent = shape.extent(axis) / pool.hostBox().extent(axis);
      corner &= extent > 0 && layout.mesh().coordinate(host, axis) % extent == 0;
    }
    return corner;
  }

  private static void add(Map<SliceShape, long[]> sets, PoolLayout layout, Block block) {
    TpuPool pool = layout.pool();
    long[] set = sets.computeIfAbsent(block.shape(), unused -> new long[layout.words()]);
    SlicePlacement place = pool.takesWholeCubes(block.shape())
        ? SlicePlacement.ofCubes(
            pool, pool.chips(), List.of(block.firstHost() / pool.hostsPerMesh()))
        : SlicePlacement.ofBox(pool, block.shape(), AxisOrder.XYZ, block.firstHost());
    place.hosts().forEach(host -> set[host >> 6] |= 1L << host);
  }

  /**
   * Removes the hosts that a slice cannot use because of the health of the partitions that it would
   * consist of.
   */
  void removeFrom(long[] set, TpuPool pool, SliceShape slice, boolean allowDegraded) {
    SliceShape partition = pool.takesWholeCubes(slice) ? pool.chips() : slice;
    long[] lost = (allowDegraded ? closed : unhealthy).get(partition);
    if (lost != null) {
      for (int word = 0; word < set.length; word++) {
        set[word] &= ~lost[word];
      }
    }
  }

  /** {@return the number of partitions that a slice cannot use} */
  long count(TpuPool pool, SliceShape slice, boolean allowDegraded) {
    SliceShape partition = pool.takesWholeCubes(slice) ? pool.chips() : slice;
    return states.entrySet().stream()
        .filter(state -> state.getKey().shape().equals(partition))
        .filter(state -> !allowDegraded || state.getValue() != HostHealth.DEGRADED)
        .count();
  }

  /** {@return whether slices of whole cubes that require healthy partitions cannot use a cube} */
  boolean isBroken(TpuPool pool, int cube) {
    long[] lost = unhealthy.get(pool.chips());
    return lost != null && HostBits.lane(lost, cube) != 0;
  }

  /** {@return whether, for every shape, the same hosts of two cubes are unusable} */
  boolean areAlike(int one, int other) {
    return unhealthy.values().stream()
            .allMatch(set -> HostBits.lane(set, one) == HostBits.lane(set, other))
        && closed.values().stream()
            .allMatch(set -> HostBits.lane(set, one) == HostBits.lane(set, other));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PartitionStates that && states.equals(that.states);
  }

  @Override
  public int hashCode() {
    return states.hashCode();
  }
}
