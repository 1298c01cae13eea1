package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.quota.Footprint;

/**
 * The pods of an admitted workload on the leaves of topologies. Immutable.
 *
 * <p>Rules: T-9, T-11, T-12.
 *
 * @param parts the pods
 */
public record PlacedPods(ImmutableList<Part> parts) implements Footprint {
  /**
   * Equal pods on one leaf.
   *
   * @param flavors the flavors of the pods; the first one with a topology provides their nodes
   * @param values the level values that identify the leaf
   * @param likelyLeaf the leaf with these values as long as the nodes do not change; saves a
   *     look-up
   * @param request what one pod uses
   * @param count the number of pods
   */
  public record Part(
      ImmutableList<String> flavors,
      ImmutableList<String> values,
      int likelyLeaf,
      PodRequest request,
      int count) {}
}
