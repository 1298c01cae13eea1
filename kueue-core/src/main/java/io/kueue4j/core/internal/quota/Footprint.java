package io.kueue4j.core.internal.quota;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.List;

/**
 * What a workload uses besides quota. Only the {@link TrialParticipant} of its tree can interpret
 * it. Immutable.
 *
 * <p>Rules: T-9, T-11, T-12, TPU-F-22.
 *
 * @param pods the pods on the leaves of topologies
 * @param slices the TPU slices
 */
public record Footprint(ImmutableList<PlacedPods> pods, ImmutableList<PlacedSlice> slices) {
  /** The footprint of a workload that uses only quota. */
  public static final Footprint NONE = new Footprint(ImmutableList.of(), ImmutableList.of());

  /** {@return whether nothing but quota is used} */
  public boolean isEmpty() {
    return pods.isEmpty() && slices.isEmpty();
  }

  /** {@return the footprint of pods and slices} */
  public static Footprint of(ImmutableList<PlacedPods> pods, ImmutableList<PlacedSlice> slices) {
    return pods.isEmpty() && slices.isEmpty() ? NONE : new Footprint(pods, slices);
  }

  /**
   * Equal pods on one leaf.
   *
   * @param flavors the flavors of the pods; the first one with a topology provides their nodes
   * @param values the level values that identify the leaf
   * @param request what one pod uses
   * @param count the number of pods
   */
  public record PlacedPods(
      ImmutableList<String> flavors, List<String> values, PodRequest request, int count) {}

  /**
   * A TPU slice with its pool set.
   *
   * @param poolSet the name of the pool set
   * @param slice the slice
   */
  public record PlacedSlice(String poolSet, TpuSlice slice) {}
}
