/**
 * Quota and usage of cohort trees: how much is available, and how much is borrowed from which
 * level.
 *
 * <p>Start with {@link QuotaTree}: {@link QuotaTree#available} is what a ClusterQueue may still
 * use, which includes what it may borrow, and {@link QuotaTree#borrowing} from how far up the tree
 * it would borrow. {@link Forest} builds the trees from the configuration.
 *
 * <p>Knows flavors, resources, queues, cohorts and the workloads that hold quota, but no order of
 * pending workloads.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
