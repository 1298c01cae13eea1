package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The candidates of one ClusterQueue, in the order of preemption. */
interface CandidateList {
  /** {@return the first one, null if there is none} */
  @Nullable
  QuotaHolder first();

  /** {@return all in order} */
  Iterator<QuotaHolder> iterator();

  /** {@return whether candidates that are not evicted are ordered by priority} */
  boolean isByPriority();

  /** {@return a lower bound of their priorities} */
  long lowestPriority();

  /** {@return an upper bound of their queue times} */
  long latestQueueTime();
}
