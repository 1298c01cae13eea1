package io.kueue4j.core.fleet;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.quota.Footprint;
import io.kueue4j.core.tpu.TpuSlice;

/**
 * The slices of a workload.
 *
 * <p>Rules: TPU-F-22.
 *
 * @param parts the slices with the pool sets that they are of
 */
public record PlacedSlices(ImmutableList<Part> parts) implements Footprint {
  /**
   * A slice.
   *
   * @param poolSet the name of the pool set
   * @param slice the slice
   */
  public record Part(String poolSet, TpuSlice slice) {}
}
