package io.kueue4j.core.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.fleet.SliceMisfit;
import io.kueue4j.core.topology.Placement.LeafCount;
import io.kueue4j.core.topology.PlacementFailure;
import io.kueue4j.core.tpu.SlicePlacement;
import org.jspecify.annotations.Nullable;

/**
 * Where the pods of a workload go, or why there is no place. Immutable.
 *
 * <p>Rules: T-22, T-72, TPU-F-22.
 *
 * @param podSets where the pods go, by pod set; empty if there is no place
 * @param slices the slices that pods go to, by pod set; empty if there is no place
 * @param failedPodSet the pod set without a place, negative if all have one
 * @param failure why it has none on the nodes, null if it has or needs none
 * @param misfit why its slices have none, null if they have
 */
public record Places(
    ImmutableList<PodSetPlace> podSets,
    ImmutableList<PodSetSlices> slices,
    int failedPodSet,
    @Nullable PlacementFailure failure,
    @Nullable SliceMisfit misfit) {
  /**
   * Where the pods of a pod set go.
   *
   * @param podSet the number of the pod set
   * @param flavor the flavor whose nodes they go to
   * @param leaves the leaves of that flavor
   */
  public record PodSetPlace(int podSet, int flavor, ImmutableList<LeafCount> leaves) {}

  /**
   * The slices of a pod set.
   *
   * @param podSet the number of the pod set
   * @param poolSet the pool set that they are of
   * @param slices where they are
   */
  public record PodSetSlices(int podSet, String poolSet, ImmutableList<SlicePlacement> slices) {}

  static Places found(ImmutableList<PodSetPlace> podSets) {
    return new Places(podSets, ImmutableList.of(), -1, null, null);
  }

  static Places failed(int podSet, PlacementFailure failure) {
    return new Places(ImmutableList.of(), ImmutableList.of(), podSet, failure, null);
  }

  static Places failed(int podSet, SliceMisfit misfit) {
    return new Places(ImmutableList.of(), ImmutableList.of(), podSet, null, misfit);
  }

  /** {@return the same with slices} */
  Places withSlices(ImmutableList<PodSetSlices> found) {
    return new Places(podSets, found, failedPodSet, failure, misfit);
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

  /** {@return the slices that pods of a pod set go to, null if they go to none} */
  public @Nullable PodSetSlices slicesOf(int podSet) {
    for (PodSetSlices found : slices) {
      if (found.podSet == podSet) {
        return found;
      }
    }
    return null;
  }

  /** {@return whether pods of a pod set are placed} */
  boolean concerns(int podSet) {
    return of(podSet) != null || slicesOf(podSet) != null;
  }

  /** {@return whether all pods have a place} */
  public boolean isFound() {
    return failedPodSet < 0;
  }
}
