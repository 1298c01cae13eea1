package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ResourceGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cohort or ClusterQueue from which a {@link QuotaTree} is built.
 *
 * @param parent the number of the parent, negative for the root
 * @param name the name
 * @param quotas what it declares
 * @param weight the weight of a cohort; a ClusterQueue has its own, which may change
 * @param queue the ClusterQueue, null for a cohort
 */
record TreeNode(
    int parent,
    String name,
    List<DeclaredQuota> quotas,
    double weight,
    @Nullable QueueQuota queue) {
  static final int NO_PARENT = -1;

  /** {@return the node of a ClusterQueue} */
  static TreeNode of(QueueQuota queue, int parent, Catalog catalog) {
    return new TreeNode(
        parent,
        queue.name(),
        DeclaredQuota.of(queue.spec().resourceGroups(), catalog),
        queue.spec().fairSharingWeight(),
        queue);
  }

  /** {@return the node of a cohort, which was applied unless {@code spec} is null} */
  static TreeNode ofCohort(String name, @Nullable Cohort spec, int parent, Catalog catalog) {
    List<ResourceGroup> groups = spec == null ? List.of() : spec.resourceGroups();
    double weight = spec == null ? 1 : spec.fairSharingWeight();
    return new TreeNode(parent, name, DeclaredQuota.of(groups, catalog), weight, null);
  }

  /**
   * The quota and limits that one ClusterQueue or Cohort declares for a pair of flavor and
   * resource.
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
}
