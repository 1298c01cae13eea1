package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.ResourceGroup;
import java.util.List;

/**
 * The quota and limits that one ClusterQueue or Cohort declares for a pair of flavor and resource.
 *
 * @param borrowingLimit {@link #NO_LIMIT} for none
 * @param lendingLimit {@link #NO_LIMIT} for none
 */
record DeclaredQuota(FlavorResource pair, long nominal, long borrowingLimit, long lendingLimit) {
  /** Represents the absence of a limit; limits are never negative. */
  static final long NO_LIMIT = -1;

  /** {@return the quotas of some groups, in the order of declaration} */
  static List<DeclaredQuota> of(List<ResourceGroup> groups, Catalog catalog) {
    return groups.stream()
        .flatMap(group -> group.flavors().stream())
        .flatMap(flavor -> flavor.resources().stream()
            .map(quota -> new DeclaredQuota(
                catalog.pair(flavor.flavor(), quota.resource()),
                quota.nominalQuota(),
                quota.borrowingLimit().orElse(NO_LIMIT),
                quota.lendingLimit().orElse(NO_LIMIT))))
        .toList();
  }
}
