package io.kueue4j.k8s.metrics;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.model.LocalQueue;

/** Counts finished workloads for each existing queue. */
final class FinishedGauges {
  private FinishedGauges() {}

  static void read(
      Iterable<KueueMetrics.FinishedWorkload> finished, EngineView view, Gauges gauges) {
    Multiset<KueueMetrics.FinishedWorkload> byLocalQueue = HashMultiset.create(finished);
    Multiset<String> byClusterQueue = HashMultiset.create();
    for (LocalQueueView each : view.localQueues()) {
      LocalQueue queue = each.spec();
      int count =
          byLocalQueue.count(new KueueMetrics.FinishedWorkload(queue.namespace(), queue.name()));
      byClusterQueue.add(queue.clusterQueue(), count);
      gauges.set(
          KueueMetric.LOCAL_QUEUE_FINISHED_WORKLOADS, count, queue.name(), queue.namespace());
    }
    for (ClusterQueueView queue : view.clusterQueues()) {
      gauges.set(KueueMetric.FINISHED_WORKLOADS, byClusterQueue.count(queue.name()), queue.name());
    }
  }
}
