package io.kueue4j.core.internal.quota;

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
}
