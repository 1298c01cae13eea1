package io.kueue4j.k8s.metrics;

import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.Multiset;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Unadmitted;
import io.kueue4j.core.model.PendingCause;
import java.util.Map;

/** Counts workloads that are not admitted, by reason, for each queue that has any. */
final class UnadmittedGauges {
  private UnadmittedGauges() {}

  /** Workloads of a ClusterQueue that are not admitted, with the reason. */
  private record OfClusterQueue(String name, String reason, String cause) {}

  static void read(Map<Unadmitted, Integer> workloads, EngineView view, Gauges gauges) {
    Multiset<OfClusterQueue> byClusterQueue = LinkedHashMultiset.create();
    workloads.forEach((each, count) -> {
      String name = each.clusterQueue().orElse("");
      String cause = each.cause().map(PendingCause::toString).orElse("");
      if (view.clusterQueue(name).isPresent()) {
        byClusterQueue.add(new OfClusterQueue(name, each.reason(), cause), count);
      }
      if (!name.isEmpty()
          && view.localQueue(each.namespace(), each.localQueue()).isPresent()) {
        gauges.set(
            KueueMetric.LOCAL_QUEUE_UNADMITTED_WORKLOADS,
            count,
            each.localQueue(),
            each.namespace(),
            name,
            each.reason(),
            cause);
      }
    });
    for (OfClusterQueue each : byClusterQueue.elementSet()) {
      gauges.set(
          KueueMetric.UNADMITTED_WORKLOADS,
          byClusterQueue.count(each),
          each.name,
          each.reason,
          each.cause);
    }
  }
}
