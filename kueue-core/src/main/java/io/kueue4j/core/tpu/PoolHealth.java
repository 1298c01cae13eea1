package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.tpu.TpuPool.Block;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The health of the hosts and partitions of one pool. Immutable; a change creates a new value that
 * shares unchanged parts.
 *
 * <p>A partition is a cube or an aligned part of one. It can be broken, by a link between its
 * chips, although all its hosts are healthy and smaller partitions inside it are usable.
 *
 * <p>Rules: TPU-F-2, TPU-U-18, TPU-U-25, TPU-U-26.
 */
final class PoolHealth {
  private final PoolLayout layout;
  private final HostHealth[] hosts;

  /** The partitions that are not healthy. */
  private final ImmutableMap<Block, HostHealth> partitions;

  /** The hosts that new slices may use, judged by the health of hosts alone. */
  private final long[] healthy;

  private final long[] tolerable;

  /** The hosts that new slices may use, for each shape with broken partitions. */
  private final Map<SliceShape, long[]> healthyByPartition;

  private final Map<SliceShape, long[]> tolerableByPartition;

  private PoolHealth(
      PoolLayout layout,
      HostHealth[] hosts,
      long[] healthy,
      long[] tolerable,
      ImmutableMap<Block, HostHealth> partitions) {
    this.layout = layout;
    this.hosts = hosts;
    this.partitions = partitions;
    this.healthy = healthy;
    this.tolerable = tolerable;
    this.healthyByPartition = byPartition(false);
    this.tolerableByPartition = byPartition(true);
  }

  private Map<SliceShape, long[]> byPartition(boolean allowDegraded) {
    Map<SliceShape, long[]> left = new HashMap<>();
    partitions.forEach((block, health) -> {
      if (!isUsable(health, allowDegraded)) {
        long[] set =
            left.computeIfAbsent(block.shape(), shape -> usable(allowDegraded).clone());
        hosts(block).removeFrom(set);
      }
    });
    return left;
  }

  private HostMask hosts(Block partition) {
    TpuPool pool = layout.pool();
    SlicePlacement place = pool.takesWholeCubes(partition.shape())
        ? SlicePlacement.ofCubes(
            pool, pool.chips(), List.of(partition.firstHost() / pool.hostsPerMesh()))
        : SlicePlacement.ofBox(pool, partition.shape(), AxisOrder.XYZ, partition.firstHost());
    return new HostMask(layout, place);
  }

  private static boolean isUsable(HostHealth health, boolean allowDegraded) {
    return health == HostHealth.HEALTHY || (allowDegraded && health == HostHealth.DEGRADED);
  }

  static PoolHealth healthy(PoolLayout layout) {
    HostHealth[] hosts = new HostHealth[layout.pool().hosts()];
    Arrays.fill(hosts, HostHealth.HEALTHY);
    long[] all = new long[layout.words()];
    for (int host = 0; host < hosts.length; host++) {
      HostBits.put(all, layout.bit(host), true);
    }
    return new PoolHealth(layout, hosts, all, all, ImmutableMap.of());
  }

  PoolHealth with(HostHealth health, int... numbers) {
    HostHealth[] changed = hosts.clone();
    long[] newHealthy = healthy.clone();
    long[] newTolerable = tolerable.clone();
    for (int host : numbers) {
      checkArgument(
          host >= 0 && host < hosts.length,
          "host %s of pool %s, expected 0 to %s",
          host,
          layout.pool().id(),
          hosts.length - 1);
      changed[host] = health;
      HostBits.put(newHealthy, layout.bit(host), isUsable(health, false));
      HostBits.put(newTolerable, layout.bit(host), isUsable(health, true));
    }
    return new PoolHealth(layout, changed, newHealthy, newTolerable, partitions);
  }

  PoolHealth with(HostHealth health, Block... blocks) {
    Map<Block, HostHealth> changed = new HashMap<>(partitions);
    for (Block block : blocks) {
      check(block);
      changed.put(block, health);
    }
    changed.values().removeIf(each -> each == HostHealth.HEALTHY);
    return new PoolHealth(layout, hosts, healthy, tolerable, ImmutableMap.copyOf(changed));
  }

  private void check(Block block) {
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
            && isCorner(block.shape(), block.firstHost() % pool.hostsPerMesh()),
        "partition %s at host %s of pool %s, expected the lowest host of such a partition",
        block.shape(),
        block.firstHost(),
        pool.id());
  }

  private boolean isCorner(SliceShape shape, int host) {
    boolean corner = true;
    for (int axis = 0; axis < 3; axis++) {
      int extent = shape.extent(axis) / layout.pool().hostBox().extent(axis);
      corner &= extent > 0 && layout.mesh().coordinate(host, axis) % extent == 0;
    }
    return corner;
  }

  HostHealth get(int host) {
    return hosts[host];
  }

  HostHealth get(Block partition) {
    return partitions.getOrDefault(partition, HostHealth.HEALTHY);
  }

  /** {@return whether all partitions are healthy} */
  boolean hasHealthyPartitions() {
    return partitions.isEmpty();
  }

  boolean hasDegradedHosts() {
    return !Arrays.equals(healthy, tolerable);
  }

  /**
   * {@return the hosts that new slices may use, judged by the health of hosts alone; must not be
   * changed}
   */
  long[] usable(boolean allowDegraded) {
    return allowDegraded ? tolerable : healthy;
  }

  /** {@return the hosts that new slices of a shape may use; must not be changed} */
  long[] usable(SliceShape slice, boolean allowDegraded) {
    return (allowDegraded ? tolerableByPartition : healthyByPartition)
        .getOrDefault(partition(slice), usable(allowDegraded));
  }

  /** {@return the shape of the partitions that a slice consists of} */
  private SliceShape partition(SliceShape slice) {
    return layout.pool().takesWholeCubes(slice) ? layout.pool().chips() : slice;
  }

  /** {@return the number of partitions that a slice cannot use} */
  long brokenPartitions(SliceShape slice, boolean allowDegraded) {
    return partitions.entrySet().stream()
        .filter(entry -> entry.getKey().shape().equals(partition(slice)))
        .filter(entry -> !isUsable(entry.getValue(), allowDegraded))
        .count();
  }

  /** {@return whether slices of any shape may use the same hosts of two cubes} */
  boolean areAlike(int one, int other) {
    return healthy[one] == healthy[other]
        && tolerable[one] == tolerable[other]
        && Stream.of(healthyByPartition, tolerableByPartition)
            .flatMap(sets -> sets.values().stream())
            .allMatch(set -> set[one] == set[other]);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PoolHealth that
        && Arrays.equals(hosts, that.hosts)
        && partitions.equals(that.partitions);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(healthy) * 31 + partitions.hashCode();
  }
}
