package io.kueue4j.core.preemption;

import io.kueue4j.core.quota.QuotaHolder;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The workloads of one ClusterQueue that hold something needed, in order of preemption. */
interface CandidateList {
  /** {@return the first one, null if there is none} */
  @Nullable
  QuotaHolder first();

  /** {@return all in order} */
  Iterator<QuotaHolder> iterator();

  /** {@return whether those that are not evicted come in the order of their priorities} */
  boolean isByPriority();

  /** {@return a priority that none of them falls below} */
  long lowestPriority();

  /** {@return a time that none of them was queued after} */
  long latestQueueTime();
}
