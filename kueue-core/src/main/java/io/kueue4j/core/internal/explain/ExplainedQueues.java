package io.kueue4j.core.internal.explain;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.Head;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * Queue data for explanations of waiting workloads, valid while the state does not change.
 *
 * <p>For one workload, its position is counted in linear time. For many workloads, each queue is
 * sorted once, and quota figures are computed once for equal reasons.
 */
public final class ExplainedQueues {
  private final boolean forMany;
  private final IdentityHashMap<QueueQuota, QuotaReasonEnricher> figuresByQueue =
      new IdentityHashMap<>();
  private final IdentityHashMap<PendingQueue, Sorted> sortedByQueue = new IdentityHashMap<>();

  /** A queue in the order of service, as a whole and by LocalQueue. */
  private record Sorted(
      Comparator<PendingWorkload> order,
      List<PendingWorkload> all,
      ListMultimap<String, PendingWorkload> byLocalQueue) {
    static Sorted of(PendingQueue queue) {
      Comparator<PendingWorkload> order = queue.serviceOrder();
      List<PendingWorkload> all = inQueue(queue).sorted(order).toList();
      ListMultimap<String, PendingWorkload> byLocalQueue = ArrayListMultimap.create();
      all.forEach(workload -> byLocalQueue.put(workload.compiled().localQueue(), workload));
      return new Sorted(order, all, byLocalQueue);
    }

    int numberBefore(PendingWorkload workload, boolean inLocalQueue) {
      List<PendingWorkload> workloads =
          inLocalQueue ? byLocalQueue.get(workload.compiled().localQueue()) : all;
      int index = Collections.binarySearch(workloads, workload, order);
      return index < 0 ? -1 - index : index;
    }
  }

  /** Creates queue data for the explanations of one workload, or of many. */
  public ExplainedQueues(boolean forMany) {
    this.forMany = forMany;
  }

  /** {@return the enricher for the reasons of workloads in a queue} */
  QuotaReasonEnricher figures(QueueQuota queue) {
    return figuresByQueue.computeIfAbsent(queue, QuotaReasonEnricher::new);
  }

  /** {@return the number of workloads of the ClusterQueue, or the LocalQueue, before a head} */
  int position(Head head, boolean inLocalQueue) {
    PendingQueue queue = head.queue().pending();
    if (forMany) {
      return sortedByQueue
          .computeIfAbsent(queue, Sorted::of)
          .numberBefore(head.pending(), inLocalQueue);
    }
    Comparator<PendingWorkload> order = queue.serviceOrder();
    String localQueue = head.compiled().localQueue();
    return (int) inQueue(queue)
        .filter(other -> !inLocalQueue || other.compiled().localQueue().equals(localQueue))
        .filter(other -> order.compare(other, head.pending()) < 0)
        .count();
  }

  /** {@return all workloads of a queue, in no particular order} */
  static Stream<PendingWorkload> inQueue(PendingQueue queue) {
    return Stream.concat(queue.active().stream(), queue.parked().stream());
  }
}
