package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.flavor.QuotaBound;
import org.jspecify.annotations.Nullable;

/**
 * Finds bounds on the quota that the workloads of one ClusterQueue need, and says which attempts
 * are decided by a search for flavors alone, so that they fail as long as the bound is missed.
 */
public interface BoundSource {
  /** {@return a number that grows, from 1, whenever {@link #accepts(String)} may change} */
  int version();

  /** {@return whether that is so for the namespace of a workload} */
  boolean accepts(String namespace);

  /** {@return whether that is so for a workload, whatever its namespace} */
  boolean accepts(PendingWorkload workload);

  /** {@return the bound of {@code workload}: {@code known} if that still holds} */
  QuotaBound bound(PendingWorkload workload, @Nullable QuotaBound known);
}
