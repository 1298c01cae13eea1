package io.kueue4j.core.internal.compiled;

import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A resource group of a ClusterQueue: its flavors in order of preference, and the pair of each with
 * each resource.
 *
 * <p>Rules: T-67.
 */
public final class CompiledGroup {
  private final String[] flavors;
  private final ResourceName[] resources;
  private final FlavorResource[][] pairs;

  CompiledGroup(ResourceGroup group, Catalog catalog) {
    resources =
        group.coveredResources().stream().map(catalog::resource).toArray(ResourceName[]::new);
    flavors = group.flavors().stream().map(FlavorQuotas::flavor).toArray(String[]::new);
    pairs = new FlavorResource[flavors.length][resources.length];
    for (int f = 0; f < flavors.length; f++) {
      for (int r = 0; r < resources.length; r++) {
        pairs[f][r] = catalog.pair(flavors[f], resources[r].name());
      }
    }
  }

  /** {@return the number of flavors} */
  public int flavorCount() {
    return flavors.length;
  }

  /** {@return the {@code index}-th flavor} */
  public String flavor(int index) {
    return flavors[index];
  }

  /** {@return the resources that it covers} */
  Stream<ResourceName> resources() {
    return Arrays.stream(resources);
  }

  /** {@return whether the group covers a resource} */
  public boolean covers(ResourceName resource) {
    return Arrays.asList(resources).contains(resource);
  }

  /** {@return whether the group covers a resource that the pod requests itself} */
  public boolean coversAny(PodRequest pod) {
    return pod.namesAny(resources);
  }

  /** {@return the pair of the {@code index}-th flavor and a covered {@code resource}} */
  public FlavorResource pair(int index, ResourceName resource) {
    for (int r = 0; r < resources.length; r++) {
      if (resources[r] == resource) {
        return pairs[index][r];
      }
    }
    throw new IllegalArgumentException("resource " + resource + " is not covered by the group");
  }
}
