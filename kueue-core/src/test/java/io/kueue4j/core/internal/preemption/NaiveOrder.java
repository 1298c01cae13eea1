package io.kueue4j.core.internal.preemption;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Rules P-9 and X-20, implemented literally: the order of collected candidates of all queues. */
final class NaiveOrder implements Comparator<QuotaHolder> {
  private final QueueQuota own;
  private final LocalQueueUsage usage;
  private final Comparator<QuotaHolder> order;

  /** Creates the order for a preemptor of queue {@code own}. */
  NaiveOrder(QueueQuota own, LocalQueueUsage usage) {
    this.own = own;
    this.usage = usage;
    this.order = Comparator.comparing(QuotaHolder::isEvicted, Comparator.reverseOrder())
        .thenComparing(this::isOwn)
        .thenComparing(this::compareUsage)
        .thenComparingLong(holder -> holder.workload().priority())
        .thenComparing(QuotaHolder::reservedMillis, Comparator.reverseOrder())
        .thenComparing(QuotaHolder::uid)
        .thenComparing(holder -> holder.workload().source().id());
  }

  private boolean isOwn(QuotaHolder holder) {
    return holder.clusterQueue().equals(own.name());
  }

  private int compareUsage(QuotaHolder a, QuotaHolder b) {
    boolean counts = a.clusterQueue().equals(b.clusterQueue())
        && own.tree().layout().queueOf(a).compiled().source().admissionMode()
            == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
    return counts
        ? Double.compare(
            usage.of(b.workload().localQueue()), usage.of(a.workload().localQueue()))
        : 0;
  }

  @Override
  public int compare(QuotaHolder a, QuotaHolder b) {
    return order.compare(a, b);
  }

  /**
   * {@return {@code candidates} in order: the candidates of each queue sorted, and the queues
   * merged by their first ones}
   *
   * @param holder returns the workload of a candidate
   * @param order this order, or one with an additional first criterion
   */
  static <C> List<C> sorted(
      List<C> candidates, Function<? super C, QuotaHolder> holder, Comparator<? super C> order) {
    ListMultimap<String, C> byQueue =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    candidates.forEach(candidate -> byQueue.put(holder.apply(candidate).clusterQueue(), candidate));
    Multimaps.asMap(byQueue).values().forEach(ofQueue -> ofQueue.sort(order));
    return ImmutableList.copyOf(Iterables.mergeSorted(Multimaps.asMap(byQueue).values(), order));
  }
}
