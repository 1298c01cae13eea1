package io.kueue4j.core.internal.compiled;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one pod uses on a node: its requests, and one of the node's {@code pods}. Resources are
 * ordered by name; those with amount 0 are omitted. Immutable.
 *
 * <p>Rules: T-9, T-21, T-73.
 */
public final class PodRequest {
  private static final String PODS = "pods";

  private final ResourceName[] resources;
  private final long[] amounts;
  private final int podsIndex;
  private final ResourceName[] named;

  private PodRequest(
      ResourceName[] resources, long[] amounts, int podsIndex, ResourceName[] named) {
    this.resources = resources;
    this.amounts = amounts;
    this.podsIndex = podsIndex;
    this.named = named;
  }

  /** {@return what a pod with {@code requests} uses} */
  public static PodRequest of(Map<String, Long> requests, Catalog catalog) {
    SortedMap<String, Long> sorted = new TreeMap<>(requests);
    sorted.merge(PODS, 1L, Long::sum);
    sorted.values().removeIf(amount -> amount == 0);
    ResourceName[] resources = resources(sorted.keySet().stream(), catalog);
    long[] amounts = sorted.values().stream().mapToLong(Long::longValue).toArray();
    ResourceName[] named = resources(requests.keySet().stream().sorted(), catalog);
    return new PodRequest(resources, amounts, sorted.headMap(PODS).size(), named);
  }

  private static ResourceName[] resources(Stream<String> names, Catalog catalog) {
    return names.map(catalog::resource).toArray(ResourceName[]::new);
  }

  /** {@return the number of resources} */
  public int size() {
    return resources.length;
  }

  /** {@return the {@code i}-th resource} */
  public ResourceName resource(int i) {
    return resources[i];
  }

  /** {@return the amount of the {@code i}-th resource, greater than 0} */
  public long amount(int i) {
    return amounts[i];
  }

  /** {@return whether the pod requests any resource itself, even with amount 0} */
  public boolean namesResources() {
    return named.length > 0;
  }

  /** {@return whether the pod requests a resource of {@code group} itself, even with amount 0} */
  boolean namesAny(ResourceName[] group) {
    return !Collections.disjoint(Arrays.asList(named), Arrays.asList(group));
  }

  /** {@return the amount of a resource} */
  public long amountOf(ResourceName resource) {
    for (int i = 0; i < resources.length; i++) {
      if (resources[i] == resource) {
        return amounts[i];
      }
    }
    return 0;
  }

  /** {@return the amount of the {@code i}-th resource that the pod requests itself, may be 0} */
  public long ownAmount(int i) {
    return i == podsIndex ? amounts[i] - 1 : amounts[i];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PodRequest that
        && Arrays.equals(named, that.named)
        && Arrays.equals(resources, that.resources)
        && Arrays.equals(amounts, that.amounts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(resources) + Arrays.hashCode(amounts);
  }
}
