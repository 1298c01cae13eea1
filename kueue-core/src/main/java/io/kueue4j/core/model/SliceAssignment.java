package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SlicePlacement;

/**
 * A slice of TPU chips that pods run on.
 *
 * <p>Rules: TPU-F-7, TPU-U-14, TPU-F-22.
 *
 * @param poolSet the pool set that it is of
 * @param placement the pool as it was then, the shape, how it is turned, and its hosts
 */
public record SliceAssignment(String poolSet, SlicePlacement placement) {
  /** {@return the id of the pool} */
  public String pool() {
    return placement.pool().id();
  }

  /**
   * {@return the names of its hosts, in the order of their coordinates in the slice, x fastest;
   * their numbers in the pool if they have no names}
   */
  public ImmutableList<String> hosts() {
    return placement.pool().nodes().isEmpty()
        ? placement.hosts().stream()
            .mapToObj(Integer::toString)
            .collect(ImmutableList.toImmutableList())
        : placement.nodes();
  }

  /** {@return the names of the blocks that make up the slice, empty if one of them has none} */
  public ImmutableList<String> partitionIds() {
    return placement.partitionIds();
  }

  /** {@return shape and place, as in {@code 4x8 XYZ at host 0 of pool pod-0}} */
  @Override
  public String toString() {
    return "%s %s at host %d of pool %s"
        .formatted(placement.shape(), placement.order(), placement.origin(), pool());
  }
}
