package io.kueue4j.k8s.metrics;

import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the gauges of LocalQueues. */
final class LocalQueueGauges {
  private final EngineView view;
  private final Gauges gauges;
  private final Map<LocalQueueKey, Figures> figures = new HashMap<>();

  private record LocalQueueKey(String namespace, String name) {
    static LocalQueueKey of(Workload workload) {
      return new LocalQueueKey(workload.namespace(), workload.queueName());
    }
  }

  /** The totals of the workloads of one LocalQueue. */
  private static final class Figures {
    int pending;
    int inadmissible;
    int reserving;
    final List<WorkloadId> admitted = new ArrayList<>();
    final Map<ResourceInFlavor, Long> reserved = new TreeMap<>();
    final Map<ResourceInFlavor, Long> used = new TreeMap<>();
  }

  LocalQueueGauges(EngineView view, Gauges gauges) {
    this.view = view;
    this.gauges = gauges;
  }

  void read() {
    for (ClusterQueueView queue : view.clusterQueues()) {
      boolean active = queue.isActive();
      for (WaitingWorkload waiting : queue.waiting()) {
        Figures of = figures(LocalQueueKey.of(waiting.workload()));
        of.pending += active && waiting.isActive() ? 1 : 0;
        of.inadmissible += active && waiting.isActive() ? 0 : 1;
      }
      queue.holders().forEach(this::add);
    }
    for (LocalQueueView queue : view.localQueues()) {
      readCounts(queue.spec());
      readState(queue);
      readUsage(queue.spec());
    }
  }

  private Figures figures(LocalQueueKey key) {
    return figures.computeIfAbsent(key, unused -> new Figures());
  }

  private void add(HoldingWorkload holding) {
    Figures of = figures(LocalQueueKey.of(holding.workload()));
    of.reserving++;
    if (holding.isAdmitted()) {
      of.admitted.add(holding.workload().id());
    }
    for (HeldQuota held : holding.held()) {
      ResourceInFlavor key = new ResourceInFlavor(held.flavor(), held.resource());
      of.reserved.merge(key, held.amount(), Amount::add);
      if (holding.isAdmitted()) {
        of.used.merge(key, held.amount(), Amount::add);
      }
    }
  }

  private Figures figures(LocalQueue queue) {
    return figures(new LocalQueueKey(queue.namespace(), queue.name()));
  }

  private void readCounts(LocalQueue queue) {
    Figures of = figures(queue);
    set(KueueMetric.LOCAL_QUEUE_PENDING_WORKLOADS, of.pending, queue, "active");
    set(KueueMetric.LOCAL_QUEUE_PENDING_WORKLOADS, of.inadmissible, queue, "inadmissible");
    set(KueueMetric.LOCAL_QUEUE_RESERVING_ACTIVE_WORKLOADS, of.reserving, queue);
    gauges.setCount(
        KueueMetric.LOCAL_QUEUE_ADMITTED_ACTIVE_WORKLOADS,
        of.admitted.size(),
        of.admitted::stream,
        queue.name(),
        queue.namespace());
  }

  private void readState(LocalQueueView queue) {
    LocalQueue spec = queue.spec();
    boolean active = spec.stopPolicy() == StopPolicy.NONE
        && view.clusterQueue(spec.clusterQueue())
            .filter(ClusterQueueView::isActive)
            .isPresent();
    set(KueueMetric.LOCAL_QUEUE_STATUS, active ? 1 : 0, spec, "True");
    set(KueueMetric.LOCAL_QUEUE_STATUS, active ? 0 : 1, spec, "False");
    set(KueueMetric.LOCAL_QUEUE_STATUS, 0, spec, "Unknown");
    queue
        .fairSharingUsage()
        .ifPresent(usage -> set(
            KueueMetric.LOCAL_QUEUE_ADMISSION_FAIR_SHARING_USAGE,
            usage,
            spec,
            spec.clusterQueue()));
  }

  private void readUsage(LocalQueue queue) {
    Figures of = figures(queue);
    view.clusterQueue(queue.clusterQueue()).stream()
        .flatMap(clusterQueue -> clusterQueue.usage().stream())
        .forEach(usage -> addZero(usage, of));
    of.reserved.forEach((key, amount) ->
        setAmount(KueueMetric.LOCAL_QUEUE_RESOURCE_RESERVATION, amount, queue, key));
    of.used.forEach(
        (key, amount) -> setAmount(KueueMetric.LOCAL_QUEUE_RESOURCE_USAGE, amount, queue, key));
  }

  private static void addZero(QuotaUsage usage, Figures of) {
    ResourceInFlavor key = new ResourceInFlavor(usage.flavor(), usage.resource());
    of.reserved.putIfAbsent(key, 0L);
    of.used.putIfAbsent(key, 0L);
  }

  private void set(KueueMetric gauge, double value, LocalQueue queue, String label) {
    gauges.set(gauge, value, queue.name(), queue.namespace(), label);
  }

  private void set(KueueMetric gauge, double value, LocalQueue queue) {
    gauges.set(gauge, value, queue.name(), queue.namespace());
  }

  private void setAmount(KueueMetric gauge, long amount, LocalQueue queue, ResourceInFlavor key) {
    gauges.setAmount(
        gauge,
        amount,
        key.resource(),
        queue.name(),
        queue.namespace(),
        key.flavor(),
        key.resource());
  }
}
