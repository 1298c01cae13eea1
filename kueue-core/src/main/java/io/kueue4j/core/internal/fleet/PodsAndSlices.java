package io.kueue4j.core.internal.fleet;

import io.kueue4j.core.internal.quota.Footprint;

/**
 * The footprint of a workload with pods on nodes of a topology and pods on TPU slices.
 *
 * @param pods the pods on nodes
 * @param slices the slices
 */
public record PodsAndSlices(Footprint pods, Footprint slices) implements Footprint {
  /** {@return both in one footprint, or the only one that is not {@link Footprint#NONE}} */
  public static Footprint of(Footprint pods, Footprint slices) {
    return slices.equals(NONE)
        ? pods
        : pods.equals(NONE) ? slices : new PodsAndSlices(pods, slices);
  }
}
