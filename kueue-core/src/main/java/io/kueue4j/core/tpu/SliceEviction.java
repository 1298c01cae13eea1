package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;

/**
 * Who must go so that a request fits.
 *
 * @param owners the owners of slices that must go, by name; none can be left out
 * @param cost the sum of what it costs that they go
 * @param placements where the slices fit then
 * @param isCheapest whether it is certain that there is no cheaper way
 */
public record SliceEviction(
    ImmutableList<String> owners,
    long cost,
    ImmutableList<SlicePlacement> placements,
    boolean isCheapest) {
  /** {@return where the slice, or the first of several, fits then} */
  public SlicePlacement placement() {
    return placements.get(0);
  }
}
