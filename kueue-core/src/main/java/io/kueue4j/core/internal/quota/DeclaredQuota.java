package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.List;

/**
 * The quota and limits that one ClusterQueue or Cohort declares, by pair of flavor and resource.
 */
final class DeclaredQuota {
  /** Represents the absence of a limit; limits are never negative. */
  static final long NO_LIMIT = -1;

  final FlavorResource[] pairs;
  final long[] nominal;
  final long[] borrowingLimit;
  final long[] lendingLimit;

  DeclaredQuota(List<ResourceGroup> groups, Catalog catalog) {
    int size = groups.stream()
        .flatMap(group -> group.flavors().stream())
        .mapToInt(flavor -> flavor.resources().size())
        .sum();
    pairs = new FlavorResource[size];
    nominal = new long[size];
    borrowingLimit = new long[size];
    lendingLimit = new long[size];
    int i = 0;
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota quota : flavor.resources()) {
          pairs[i] = catalog.pair(flavor.flavor(), quota.resource());
          nominal[i] = quota.nominalQuota();
          borrowingLimit[i] = quota.borrowingLimit().orElse(NO_LIMIT);
          lendingLimit[i] = quota.lendingLimit().orElse(NO_LIMIT);
          i++;
        }
      }
    }
  }
}
