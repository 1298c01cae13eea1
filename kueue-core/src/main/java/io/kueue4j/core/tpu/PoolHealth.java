package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import io.kueue4j.core.tpu.TpuPool.Block;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The health of the hosts and partitions of one pool. Immutable; a change creates a new value that
 * shares unchanged parts.
 *
 * <p>Rules: TPU-F-2, TPU-U-25.
 */
final class PoolHealth {
  private final long[] down;
  private final long[] cordoned;
  private final long[] degraded;
  private final PartitionStates partitions;

  private PoolHealth(long[] down, long[] cordoned, long[] degraded, PartitionStates partitions) {
    this.down = down;
    this.cordoned = cordoned;
    this.degraded = degraded;
    this.partitions = partitions;
  }

  static PoolHealth healthy(PoolLayout layout) {
    long[] none = new long[layout.words()];
    return new PoolHealth(none, none, none, PartitionStates.HEALTHY);
  }

  PoolHealth with(PoolLayout layout, HostHealth health, int... hosts) {
    long[] dead = down.clone();
    long[] closed = cordoned.clone();
    long[] worse = degraded.clone();
    for (int host : hosts) {
      checkArgument(
          host >= 0 && host < layout.pool().hosts(),
          "host %s of pool %s, expected 0 to %s",
          host,
          layout.pool().id(),
          layout.pool().hosts() - 1);
      set(dead, host, health == HostHealth.DOWN);
      set(closed, host, health == HostHealth.CORDONED);
      set(worse, host, health == HostHealth.DEGRADED);
    }
    return new PoolHealth(dead, closed, worse, partitions);
  }

  private static void set(long[] set, int host, boolean member) {
    long bit = 1L << host;
    set[host >> 6] = (set[host >> 6] & ~bit) | (member ? bit : 0);
  }

  PoolHealth with(PoolLayout layout, HostHealth health, Block... blocks) {
    return new PoolHealth(down, cordoned, degraded, partitions.with(layout, health, blocks));
  }

  HostHealth get(int host) {
    return HostBits.contains(down, host)
        ? HostHealth.DOWN
        : HostBits.contains(cordoned, host)
            ? HostHealth.CORDONED
            : HostBits.contains(degraded, host) ? HostHealth.DEGRADED : HostHealth.HEALTHY;
  }

  PartitionStates partitions() {
    return partitions;
  }

  /** {@return a word of the set of hosts that no new slice may use, whatever its shape} */
  long unusable(int word, boolean allowDegraded) {
    return down[word] | cordoned[word] | (allowDegraded ? 0 : degraded[word]);
  }

  boolean hasDegradedHosts() {
    return Arrays.stream(degraded).anyMatch(word -> word != 0);
  }

  /**
   * {@return whether a cube cannot be part of a slice of whole cubes that requires healthy hosts}
   */
  boolean isDamaged(TpuPool pool, int cube) {
    return (HostBits.lane(down, cube)
                | HostBits.lane(cordoned, cube)
                | HostBits.lane(degraded, cube))
            != 0
        || partitions.isBroken(pool, cube);
  }

  /** {@return whether the hosts of a word have the same health in both} */
  boolean hasEqualWord(PoolHealth other, int word) {
    return down[word] == other.down[word]
        && cordoned[word] == other.cordoned[word]
        && degraded[word] == other.degraded[word];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PoolHealth that
        && Arrays.equals(down, that.down)
        && Arrays.equals(cordoned, that.cordoned)
        && Arrays.equals(degraded, that.degraded)
        && partitions.equals(that.partitions);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(down) * 31 + partitions.hashCode();
  }
}
