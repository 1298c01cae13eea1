package io.kueue4j.examples.tpu;

import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.Optional;

/**
 * A slice with hosts that are down.
 *
 * @param slice the slice before
 * @param to where it was or could be moved, empty if nowhere
 */
public record FailedSlice(TpuSlice slice, Optional<SlicePlacement> to) {}
