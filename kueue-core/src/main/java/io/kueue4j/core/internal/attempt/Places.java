package io.kueue4j.core.internal.attempt;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.SliceMisfit;
import io.kueue4j.core.internal.quota.Footprint.PlacedSlice;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.internal.topology.PlacementFailure;
import io.kueue4j.core.tpu.SlicePlacement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places of the pods of a workload, or why there are none. Immutable.
 *
 * <p>Rules: T-22, T-72, TPU-F-22.
 *
 * @param podSets the places on nodes, by pod set; empty if there are none
 * @param slices the TPU slices, by pod set; empty if there are none
 * @param failedPodSet the pod set without a place, negative if all have one
 * @param failure why its pods do not fit the nodes, null if they fit or need no place
 * @param misfit why its TPU slices do not fit, null if they fit
 */
public record Places(
    ImmutableList<PodSetPlace> podSets,
    ImmutableList<PodSetSlices> slices,
    int failedPodSet,
    @Nullable PlacementFailure failure,
    @Nullable SliceMisfit misfit) {
  /**
   * The place of the pods of a pod set.
   *
   * @param podSet the number of the pod set
   * @param flavor the flavor of the nodes
   * @param leaves the leaves of that flavor
   */
  public record PodSetPlace(int podSet, String flavor, ImmutableList<LeafCount> leaves) {}

  /**
   * The TPU slices of a pod set.
   *
   * @param podSet the number of the pod set
   * @param poolSet the pool set of the slices
   * @param slices the places of the slices
   */
  public record PodSetSlices(int podSet, String poolSet, List<SlicePlacement> slices) {}

  public static Places found(ImmutableList<PodSetPlace> podSets) {
    return new Places(podSets, ImmutableList.of(), -1, null, null);
  }

  public static Places failed(int podSet, PlacementFailure failure) {
    return new Places(ImmutableList.of(), ImmutableList.of(), podSet, failure, null);
  }

  public static Places failed(int podSet, SliceMisfit misfit) {
    return new Places(ImmutableList.of(), ImmutableList.of(), podSet, null, misfit);
  }

  /** {@return these places with TPU slices} */
  public Places withSlices(ImmutableList<PodSetSlices> found) {
    return new Places(podSets, found, failedPodSet, failure, misfit);
  }

  /** {@return the place of the pods of a pod set, null if they are not placed} */
  public @Nullable PodSetPlace of(int podSet) {
    for (PodSetPlace place : podSets) {
      if (place.podSet == podSet) {
        return place;
      }
    }
    return null;
  }

  /** {@return the TPU slices of a pod set, null if it has none} */
  public @Nullable PodSetSlices slicesOf(int podSet) {
    for (PodSetSlices found : slices) {
      if (found.podSet == podSet) {
        return found;
      }
    }
    return null;
  }

  /** {@return the TPU slices of all pod sets, owned by their workload} */
  public ImmutableList<PlacedSlice> slicesOf(CompiledWorkload workload) {
    if (slices.isEmpty()) {
      return ImmutableList.of();
    }
    String owner = workload.source().id().toString();
    ImmutableList.Builder<PlacedSlice> all = ImmutableList.builder();
    for (PodSetSlices podSetSlices : slices) {
      String podSet = workload.podSet(podSetSlices.podSet).source().name();
      for (int i = 0; i < podSetSlices.slices.size(); i++) {
        all.add(new PlacedSlice(
            podSetSlices.poolSet, Fleets.slice(owner, podSet, i, podSetSlices.slices.get(i))));
      }
    }
    return all.build();
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
