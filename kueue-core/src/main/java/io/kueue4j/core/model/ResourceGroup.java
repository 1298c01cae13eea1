package io.kueue4j.core.model;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Resources that always get the same flavor, and the flavors to choose from, most preferred first.
 *
 * <p>Kueue: {@code resourceGroups[]}.
 *
 * @param coveredResources the resources
 * @param flavors the flavors, each with a quota for each covered resource
 * @since 0.1.0
 */
public record ResourceGroup(List<String> coveredResources, List<FlavorQuotas> flavors) {
  /** Copies what it is given. */
  public ResourceGroup {
    coveredResources = ImmutableList.copyOf(coveredResources);
    flavors = ImmutableList.copyOf(flavors);
  }

  /** {@return the group of {@code flavors}, which covers the resources of the first one} */
  public static ResourceGroup of(FlavorQuotas... flavors) {
    ImmutableList<String> covered = flavors.length == 0
        ? ImmutableList.of()
        : flavors[0].resources().stream().map(ResourceQuota::resource).collect(toImmutableList());
    return new ResourceGroup(covered, ImmutableList.copyOf(flavors));
  }

  /**
   * {@return this group with other quotas}
   *
   * @param change receives each flavor and its quota of a resource, and returns the new quota
   */
  public ResourceGroup withQuotas(BiFunction<String, ResourceQuota, ResourceQuota> change) {
    return new ResourceGroup(
        coveredResources,
        flavors.stream()
            .map(quotas -> new FlavorQuotas(
                quotas.flavor(),
                quotas.resources().stream()
                    .map(quota -> change.apply(quotas.flavor(), quota))
                    .toList()))
            .toList());
  }
}
