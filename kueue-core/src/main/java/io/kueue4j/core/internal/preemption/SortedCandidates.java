package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A sorted list of candidates for one search. */
final class SortedCandidates implements CandidateList {
  private final List<QuotaHolder> inOrder = new ArrayList<>();
  private long lowestPriority = Long.MAX_VALUE;
  private long latestQueueTime = Long.MIN_VALUE;

  SortedCandidates(QueueQuota queue, NeededPairs needed, Comparator<QuotaHolder> order) {
    for (QuotaHolder holder : queue.holders()) {
      if (!holder.isSetAside() && needed.concerns(holder)) {
        inOrder.add(holder);
        lowestPriority = Math.min(lowestPriority, holder.priority());
        latestQueueTime = Math.max(latestQueueTime, holder.queueTimeMillis());
      }
    }
    inOrder.sort(order);
  }

  @Override
  public @Nullable QuotaHolder first() {
    return inOrder.isEmpty() ? null : inOrder.get(0);
  }

  @Override
  public Iterator<QuotaHolder> iterator() {
    return inOrder.iterator();
  }

  @Override
  public boolean isByPriority() {
    return false;
  }

  @Override
  public long lowestPriority() {
    return lowestPriority;
  }

  @Override
  public long latestQueueTime() {
    return latestQueueTime;
  }
}
