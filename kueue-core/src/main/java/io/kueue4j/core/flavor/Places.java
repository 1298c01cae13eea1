package io.kueue4j.core.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.topology.Placement.LeafCount;
import io.kueue4j.core.topology.PlacementFailure;
import org.jspecify.annotations.Nullable;

/**
 * Where the pods of a workload go, or why there is no place. Immutable.
 *
 * <p>Rules: T-22, T-72.
 *
 * @param podSets where the pods go, by pod set; empty if there is no place
 * @param failedPodSet the pod set without a place, negative if all have one
 * @param failure why it has none, null if it has
 */
public record Places(
    ImmutableList<PodSetPlace> podSets,
    int failedPodSet,
    @Nullable PlacementFailure failure) {
  /**
   * Where the pods of a pod set go.
   *
   * @param podSet the number of the pod set
   * @param flavor the flavor whose nodes they go to
   * @param leaves the leaves of that flavor
   */
  public record PodSetPlace(int podSet, int flavor, ImmutableList<LeafCount> leaves) {}

  static Places found(ImmutableList<PodSetPlace> podSets) {
    return new Places(podSets, -1, null);
  }

  static Places failed(int podSet, PlacementFailure failure) {
    return new Places(ImmutableList.of(), podSet, failure);
  }

  /** {@return where the pods of a pod set go, null if they are not placed} */
  public @Nullable PodSetPlace of(int podSet) {
    for (PodSetPlace place : podSets) {
      if (place.podSet == podSet) {
        return place;
      }
    }
    return null;
  }

  /** {@return whether all pods have a place} */
  public boolean isFound() {
    return failure == null;
  }
}
