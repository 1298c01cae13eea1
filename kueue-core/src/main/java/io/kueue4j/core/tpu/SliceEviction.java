package io.kueue4j.core.tpu;

import com.google.common.collect.ImmutableList;

/**
 * Who must go so that a request fits.
 *
 * @param owners the owners of slices that must go, by name; none can be left out
 * @param cost the sum of what it costs that they go
 * @param placement where the slice fits then
 * @param isCheapest whether it is certain that there is no cheaper way
 */
public record SliceEviction(
    ImmutableList<String> owners, long cost, SlicePlacement placement, boolean isCheapest) {}
