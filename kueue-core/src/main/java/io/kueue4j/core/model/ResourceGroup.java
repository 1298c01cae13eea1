package io.kueue4j.core.model;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;

/**
 * Resources that get their flavor together, and the flavors to choose from, most preferred first.
 *
 * <p>Kueue: {@code resourceGroups[]}.
 *
 * @param coveredResources the resources
 * @param flavors the flavors, each with a quota for each covered resource
 */
public record ResourceGroup(
    ImmutableList<String> coveredResources, ImmutableList<FlavorQuotas> flavors) {
  /**
   * {@return the group of {@code flavors}, covering the resources that the first of them has quotas
   * for}
   */
  public static ResourceGroup of(FlavorQuotas... flavors) {
    ImmutableList<String> covered = flavors.length == 0
        ? ImmutableList.of()
        : flavors[0].resources().stream().map(ResourceQuota::resource).collect(toImmutableList());
    return new ResourceGroup(covered, ImmutableList.copyOf(flavors));
  }
}
