package io.kueue4j.core.model;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.List;

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
}
