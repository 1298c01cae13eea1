package io.kueue4j.core.internal.compiled;

import com.google.common.primitives.Ints;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A resource group of a ClusterQueue: its flavors in order of preference, and the pair of each with
 * each resource.
 *
 * <p>Rules: T-67.
 */
public final class CompiledGroup {
  private final int[] flavors;
  private final int[] resources;
  private final int[][] pairs;

  CompiledGroup(ResourceGroup group, Catalog catalog) {
    resources = group.coveredResources().stream().mapToInt(catalog::resource).toArray();
    flavors = group.flavors().stream()
        .map(FlavorQuotas::flavor)
        .mapToInt(catalog::flavor)
        .toArray();
    pairs = new int[flavors.length][resources.length];
    for (int f = 0; f < flavors.length; f++) {
      for (int r = 0; r < resources.length; r++) {
        pairs[f][r] = catalog.pair(flavors[f], resources[r]);
      }
    }
  }

  /** Adds all ids that this refers to. */
  void addIds(IdsInUse inUse) {
    inUse.addResources(resources);
    for (int f = 0; f < flavors.length; f++) {
      inUse.addFlavor(flavors[f]);
      inUse.addPairs(pairs[f]);
    }
  }

  /** {@return the number of flavors} */
  public int flavorCount() {
    return flavors.length;
  }

  /** {@return the {@code index}-th flavor} */
  public int flavor(int index) {
    return flavors[index];
  }

  /** {@return the resources that it covers} */
  IntStream resources() {
    return Arrays.stream(resources);
  }

  /** {@return whether the group covers a resource} */
  public boolean covers(int resource) {
    return Ints.contains(resources, resource);
  }

  /** {@return whether the group covers a resource that the pod requests itself} */
  public boolean coversAny(PodRequest pod) {
    return pod.namesAny(resources);
  }

  /** {@return the pair of the {@code index}-th flavor and a covered {@code resource}} */
  public int pair(int index, int resource) {
    for (int r = 0; r < resources.length; r++) {
      if (resources[r] == resource) {
        return pairs[index][r];
      }
    }
    throw new IllegalArgumentException("resource " + resource + " is not covered by the group");
  }
}
