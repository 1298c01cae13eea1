package io.kueue4j.core.compiled;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.tpu.SliceRequest;
import org.jspecify.annotations.Nullable;

/**
 * A pod set as arrays: the resources in the order in which they are visited, and what one pod
 * requests of each.
 *
 * <p>Rules: R-6, N-5, N-6.
 */
public final class CompiledPodSet {
  private final PodSet source;
  private final int count;
  private final int[] resources;
  private final long[] perPod;
  private final boolean constrained;
  private final boolean asksForPlaces;
  private final ImmutableSet<String> topologyLevels;
  private final PodRequest podRequest;
  private final @Nullable SliceRequest sliceRequest;

  CompiledPodSet(
      PodSet source,
      int count,
      int[] resources,
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
    this.constrained =
        !source.nodeSelector().isEmpty() || !source.nodeAffinity().isEmpty();
  }

  /** {@return the pod set that this was compiled from} */
  public PodSet source() {
    return source;
  }

  /** {@return the number of pods that need quota: those reclaimed are left out} */
  public int count() {
    return count;
  }

  /** {@return the number of resources requested} */
  public int size() {
    return resources.length;
  }

  /** {@return the {@code i}-th resource in visiting order} */
  public int resource(int i) {
    return resources[i];
  }

  /** {@return the position of a resource in visiting order, negative if it is not requested} */
  public int indexOf(int resource) {
    for (int i = 0; i < resources.length; i++) {
      if (resources[i] == resource) {
        return i;
      }
    }
    return -1;
  }

  /**
   * {@return what {@code pods} pods request of the {@code i}-th resource; nothing if all pods were
   * reclaimed}
   */
  public long amount(int i, int pods) {
    return count == 0 ? 0 : Amount.multiply(perPod[i], pods);
  }

  /** Adds the ids that it refers to. */
  void addIds(IdsInUse inUse) {
    inUse.addResources(resources);
    podRequest.addIds(inUse);
  }

  /** {@return what one pod takes of a node} */
  public PodRequest podRequest() {
    return podRequest;
  }

  /** {@return whether its pods ask for places on nodes themselves, be it with a mistake (T-18)} */
  public boolean asksForPlaces() {
    return asksForPlaces;
  }

  /** {@return the levels of a topology that it names} */
  public ImmutableSet<String> topologyLevels() {
    return topologyLevels;
  }

  /** {@return the slices of TPU chips that its pods run on, null if they ask for none} */
  public @Nullable SliceRequest sliceRequest() {
    return sliceRequest;
  }

  /** {@return whether its pods select nodes, so that not every untainted flavor will do} */
  public boolean isConstrained() {
    return constrained;
  }
}
