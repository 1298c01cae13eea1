package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.PoolMetrics.Room;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** Adds up the room in the pools of one fabric. Rules: B.18. */
final class FabricCount {
  private static final Comparator<SliceShape> LARGEST_FIRST =
      Comparator.comparingInt(SliceShape::chips).reversed().thenComparing(SliceShape::toString);

  private final String fabric;
  private final ImmutableList<PoolMetrics> pools;
  private final int hostChips;

  FabricCount(TpuFleet fleet, String fabric) {
    List<TpuPool> members =
        fleet.pools().stream().filter(pool -> pool.fabric().equals(fabric)).toList();
    checkArgument(!members.isEmpty(), "no pool of fabric %s", fabric);
    this.fabric = fabric;
    this.pools =
        members.stream().map(pool -> PoolMetrics.of(fleet, pool.id())).collect(toImmutableList());
    this.hostChips = members.get(0).hostBox().chips();
  }

  PoolMetrics metrics() {
    Optional<SliceShape> largest =
        pools.stream().flatMap(pool -> pool.largest().stream()).min(LARGEST_FIRST);
    int free = sum(PoolMetrics::freeHealthyHosts);
    return new PoolMetrics(
        fabric,
        sum(PoolMetrics::hosts),
        sum(PoolMetrics::healthyHosts),
        sum(PoolMetrics::freeHosts),
        free,
        sum(PoolMetrics::wholeCubes),
        sum(PoolMetrics::brokenCubes),
        largest,
        PoolCount.fragmentation(free * hostChips, largest),
        rooms());
  }

  private int sum(ToIntFunction<PoolMetrics> part) {
    return pools.stream().mapToInt(part).sum();
  }

  private ImmutableList<Room> rooms() {
    return pools.stream()
        .flatMap(pool -> pool.rooms().stream())
        .map(Room::shape)
        .distinct()
        .sorted(LARGEST_FIRST)
        .map(this::room)
        .collect(toImmutableList());
  }

  private Room room(SliceShape shape) {
    List<Room> rooms = pools.stream()
        .flatMap(pool -> pool.rooms().stream())
        .filter(each -> each.shape().equals(shape))
        .toList();
    return new Room(
        shape,
        rooms.stream().mapToInt(Room::freeBlocks).sum(),
        rooms.stream().mapToInt(Room::unbrokenBlocks).sum(),
        rooms.stream().mapToInt(Room::blocksAfterMoving).sum(),
        rooms.stream().mapToInt(Room::strandedChips).sum());
  }
}
