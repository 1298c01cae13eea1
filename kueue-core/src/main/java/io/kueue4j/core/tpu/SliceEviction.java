package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The owners to evict so that a request fits.
 *
 * @param owners the names of the owners to evict; none of them can be omitted
 * @param cost the sum of their costs
 * @param placements where the slices of the request fit after the evictions
 * @param isCheapest whether it is certain that no cheaper set of owners exists
 * @since 0.1.0
 */
public record SliceEviction(
    List<String> owners, long cost, List<SlicePlacement> placements, boolean isCheapest) {
  /** Copies what it is given. */
  public SliceEviction {
    owners = ImmutableList.copyOf(owners);
    placements = ImmutableList.copyOf(placements);
  }

  /** {@return where the slice, or the first of several, fits after the evictions} */
  public SlicePlacement placement() {
    return placements.get(0);
  }
}
