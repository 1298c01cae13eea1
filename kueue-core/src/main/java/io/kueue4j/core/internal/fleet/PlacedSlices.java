package io.kueue4j.core.internal.fleet;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.tpu.TpuSlice;

/**
 * The TPU slices of a workload.
 *
 * <p>Rules: TPU-F-22.
 *
 * @param parts the slices with their pool sets
 */
public record PlacedSlices(ImmutableList<Part> parts) implements Footprint {
  /**
   * A slice with its pool set.
   *
   * @param poolSet the name of the pool set
   * @param slice the slice
   */
  public record Part(String poolSet, TpuSlice slice) {}
}
