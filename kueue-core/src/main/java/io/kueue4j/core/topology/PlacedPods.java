package io.kueue4j.core.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import io.kueue4j.core.compiled.IdsInUse;
import io.kueue4j.core.compiled.PodRequest;
import io.kueue4j.core.quota.Footprint;

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
   * @param flavors the flavors of the pods, of which the first that has a topology is the one whose
   *     nodes they are on
   * @param values what tells the leaf from others
   * @param likelyLeaf the leaf that has these values as long as the nodes are the same, which saves
   *     looking for it
   * @param request what one pod takes
   * @param count the number of pods
   */
  public record Part(
      ImmutableIntArray flavors,
      ImmutableList<String> values,
      int likelyLeaf,
      PodRequest request,
      int count) {}

  @Override
  public void addIds(IdsInUse inUse) {
    for (Part part : parts) {
      part.flavors.forEach(inUse::addFlavor);
      part.request.addIds(inUse);
    }
  }
}
