package io.kueue4j.k8s.metrics;

import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.CohortView;

/** Reads the gauges of cohorts that contain a ClusterQueue, directly or below. */
final class CohortGauges {
  private final EngineView view;
  private final Gauges gauges;

  CohortGauges(EngineView view, Gauges gauges) {
    this.view = view;
    this.gauges = gauges;
  }

  void read() {
    view.cohorts().forEach(this::read);
  }

  private void read(CohortView cohort) {
    String name = cohort.name();
    gauges.set(KueueMetric.COHORT_INFO, 1, name, cohort.parent().orElse(""), cohort.root());
    gauges.set(KueueMetric.COHORT_WEIGHTED_SHARE, Gauges.share(cohort.weightedShare()), name);
    int admitted = cohort.clusterQueues().stream()
        .flatMap(queue -> view.clusterQueue(queue).stream())
        .mapToInt(ClusterQueueGauges::admittedCount)
        .sum();
    gauges.set(KueueMetric.COHORT_SUBTREE_ADMITTED_ACTIVE_WORKLOADS, admitted, name);
    cohort.usage().forEach(usage -> read(name, usage));
  }

  /** Adds the gauges of a cohort. Like in Kueue, there is no series for a value of 0. */
  private void read(String cohort, CohortView.SubtreeUsage usage) {
    if (usage.quota() > 0) {
      setAmount(KueueMetric.COHORT_SUBTREE_QUOTA, usage.quota(), cohort, usage);
    }
    if (usage.used() > 0) {
      setAmount(KueueMetric.COHORT_SUBTREE_RESOURCE_RESERVATIONS, usage.used(), cohort, usage);
    }
  }

  private void setAmount(
      KueueMetric gauge, long amount, String cohort, CohortView.SubtreeUsage usage) {
    gauges.setAmount(gauge, amount, usage.resource(), cohort, usage.flavor(), usage.resource());
  }
}
