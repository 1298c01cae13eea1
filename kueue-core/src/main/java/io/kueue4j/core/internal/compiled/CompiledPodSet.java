package io.kueue4j.core.internal.compiled;

import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.tpu.SliceRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod set compiled to arrays: the resources in visiting order, and the request of one pod for
 * each.
 *
 * <p>Rules: R-6, N-5, N-6.
 */
public final class CompiledPodSet {
  private final PodSet source;
  private final int count;
  private final ResourceName[] resources;
  private final long[] perPod;
  private final boolean asksForPlaces;
  private final Set<String> topologyLevels;
  private final PodRequest podRequest;
  private final @Nullable SliceRequest sliceRequest;

  CompiledPodSet(
      PodSet source,
      int count,
      ResourceName[] resources,
      long[] perPod,
      PodRequest podRequest,
      boolean mayAskForPlaces) {
    this.source = source;
    this.count = count;
    this.resources = resources;
    this.perPod = perPod;
    this.podRequest = podRequest;
    this.sliceRequest = source.sliceRequest().orElse(null);
    this.asksForPlaces = mayAskForPlaces && source.topologyRequest().isExplicit();
    this.topologyLevels = source.topologyRequest().levels();
  }

  /** {@return the pod set that this was compiled from} */
  public PodSet source() {
    return source;
  }

  /** {@return the number of pods that need quota, without reclaimed ones} */
  public int count() {
    return count;
  }

  /** {@return the number of resources requested} */
  public int size() {
    return resources.length;
  }

  /** {@return the {@code i}-th resource in visiting order} */
  public ResourceName resource(int i) {
    return resources[i];
  }

  /** {@return the position of a resource in visiting order, negative if it is not requested} */
  public int indexOf(ResourceName resource) {
    for (int i = 0; i < resources.length; i++) {
      if (resources[i] == resource) {
        return i;
      }
    }
    return -1;
  }

  /** {@return the request of one pod for the {@code i}-th resource} */
  public long perPod(int i) {
    return perPod[i];
  }

  /**
   * {@return the request of {@code pods} pods for the {@code i}-th resource; 0 if all pods were
   * reclaimed}
   */
  public long amount(int i, int pods) {
    return count == 0 ? 0 : Amount.multiply(perPod[i], pods);
  }

  /** {@return what one pod uses on a node} */
  public PodRequest podRequest() {
    return podRequest;
  }

  /**
   * {@return whether the pod set itself requests placement, even if the request is invalid (T-18)}
   */
  public boolean asksForPlaces() {
    return asksForPlaces;
  }

  /** {@return the levels of a topology that the pod set names} */
  public Set<String> topologyLevels() {
    return topologyLevels;
  }

  /** {@return the requested TPU slices, null if there are none} */
  public @Nullable SliceRequest sliceRequest() {
    return sliceRequest;
  }
}
