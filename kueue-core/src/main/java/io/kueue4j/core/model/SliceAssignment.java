package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SlicePlacement;
import java.util.List;

/**
 * A TPU slice that pods run on.
 *
 * <p>Rules: TPU-F-7, TPU-U-14, TPU-F-22.
 *
 * @param poolSet the name of the {@link TpuPoolSet} that the slice belongs to
 * @param placement the pool as it was at admission, and the shape, orientation and hosts of the
 *     slice
 * @since 0.1.0
 */
public record SliceAssignment(String poolSet, SlicePlacement placement) {
  /** {@return the id of the pool} */
  public String pool() {
    return placement.pool().id();
  }

  /**
   * {@return the names of the hosts in the order of their coordinates in the slice, x fastest;
   * their numbers in the pool if they have no names}
   */
  public List<String> hosts() {
    return placement.pool().nodes().isEmpty()
        ? placement.hosts().stream().map(String::valueOf).collect(ImmutableList.toImmutableList())
        : placement.nodes();
  }

  /** {@return the names of the partitions that form the slice, empty if one of them has no name} */
  public List<String> partitionIds() {
    return placement.partitionIds();
  }

  /** {@return the shape and place, as in {@code 4x8 XYZ at host 0 of pool pod-0}} */
  @Override
  public String toString() {
    return "%s %s at host %d of pool %s"
        .formatted(placement.shape(), placement.order(), placement.origin(), pool());
  }
}
