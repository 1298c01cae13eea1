package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.flavor.QuotaBound;
import org.jspecify.annotations.Nullable;

/** Finds bounds on the quota that the workloads of one ClusterQueue need. */
public interface BoundSource {
  /**
   * {@return whether an attempt of {@code workload} is decided by a search for flavors alone, so
   * that it fails as long as its bound is missed}
   *
   * @param workload the workload; null, which yields false, for none
   * @param namespace its namespace
   */
  boolean accepts(@Nullable PendingWorkload workload, String namespace);

  /** {@return the bound of {@code workload}: {@code known} if that still holds} */
  QuotaBound bound(PendingWorkload workload, @Nullable QuotaBound known);
}
