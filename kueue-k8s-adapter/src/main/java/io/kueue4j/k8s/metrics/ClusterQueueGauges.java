package io.kueue4j.k8s.metrics;

import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Reads the gauges of ClusterQueues. */
final class ClusterQueueGauges {
  private final EngineView view;
  private final Gauges gauges;

  ClusterQueueGauges(EngineView view, Gauges gauges) {
    this.view = view;
    this.gauges = gauges;
  }

  void read() {
    for (ClusterQueueView queue : view.clusterQueues()) {
      readCounts(queue);
      readState(queue);
      readQuotas(queue.spec());
      readUsage(queue);
      readPending(queue);
    }
  }

  private void readCounts(ClusterQueueView queue) {
    String name = queue.name();
    // Workloads of an inactive queue are not tried; rule Y-1.
    boolean active = queue.isActive();
    gauges.setCount(
        KueueMetric.PENDING_WORKLOADS,
        active ? queue.pendingCount() : 0,
        () -> waiting(queue, waiting -> active && waiting.isActive()),
        name,
        "active");
    gauges.setCount(
        KueueMetric.PENDING_WORKLOADS,
        active ? queue.inadmissibleCount() : queue.waitingCount(),
        () -> waiting(queue, waiting -> !active || !waiting.isActive()),
        name,
        "inadmissible");
    setBoth(
        KueueMetric.PENDING_SCHEDULING_HASHES,
        active ? queue.shapes().pending() : 0,
        active ? queue.shapes().inadmissible() : queue.shapes().waiting(),
        name);
    gauges.set(KueueMetric.RESERVING_ACTIVE_WORKLOADS, queue.holders().size(), name);
    gauges.setCount(
        KueueMetric.ADMITTED_ACTIVE_WORKLOADS,
        admittedCount(queue),
        () -> queue.holders().stream()
            .filter(HoldingWorkload::isAdmitted)
            .map(holding -> holding.workload().id()),
        name);
  }

  private static Stream<WorkloadId> waiting(
      ClusterQueueView queue, Predicate<WaitingWorkload> isMeant) {
    return queue.waiting().stream()
        .filter(isMeant)
        .map(waiting -> waiting.workload().id());
  }

  private void setBoth(KueueMetric gauge, int active, int inadmissible, String name) {
    gauges.set(gauge, active, name, "active");
    gauges.set(gauge, inadmissible, name, "inadmissible");
  }

  /** {@return the number of admitted workloads} */
  static int admittedCount(ClusterQueueView queue) {
    return Math.toIntExact(
        queue.holders().stream().filter(HoldingWorkload::isAdmitted).count());
  }

  private void readState(ClusterQueueView queue) {
    String name = queue.name();
    String cohort = cohort(queue.spec());
    gauges.set(KueueMetric.CLUSTER_QUEUE_STATUS, queue.isActive() ? 0 : 1, name, "pending");
    gauges.set(KueueMetric.CLUSTER_QUEUE_STATUS, queue.isActive() ? 1 : 0, name, "active");
    gauges.set(KueueMetric.CLUSTER_QUEUE_STATUS, 0, name, "terminating");
    gauges.set(
        KueueMetric.CLUSTER_QUEUE_INFO,
        1,
        name,
        cohort,
        view.cohort(cohort).map(CohortView::root).orElse(""));
    gauges.set(
        KueueMetric.CLUSTER_QUEUE_WEIGHTED_SHARE,
        Gauges.share(queue.weightedShare()),
        name,
        cohort);
  }

  private static String cohort(ClusterQueue queue) {
    return queue.cohort().orElse("");
  }

  private void readQuotas(ClusterQueue queue) {
    for (ResourceGroup group : queue.resourceGroups()) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota quota : flavor.resources()) {
          setQuota(
              KueueMetric.CLUSTER_QUEUE_NOMINAL_QUOTA,
              OptionalLong.of(quota.nominalQuota()),
              queue,
              flavor,
              quota);
          setQuota(
              KueueMetric.CLUSTER_QUEUE_BORROWING_LIMIT,
              quota.borrowingLimit(),
              queue,
              flavor,
              quota);
          setQuota(
              KueueMetric.CLUSTER_QUEUE_LENDING_LIMIT, quota.lendingLimit(), queue, flavor, quota);
        }
      }
    }
  }

  private void setQuota(
      KueueMetric gauge,
      OptionalLong amount,
      ClusterQueue queue,
      FlavorQuotas flavor,
      ResourceQuota quota) {
    gauges.setAmount(
        gauge,
        amount.orElse(Amount.UNLIMITED),
        quota.resource(),
        cohort(queue),
        queue.name(),
        flavor.flavor(),
        quota.resource());
  }

  private void readUsage(ClusterQueueView queue) {
    Map<ResourceInFlavor, Long> notAdmitted = new TreeMap<>();
    for (HoldingWorkload holding : queue.holders()) {
      if (!holding.isAdmitted()) {
        for (HeldQuota held : holding.held()) {
          notAdmitted.merge(
              new ResourceInFlavor(held.flavor(), held.resource()), held.amount(), Amount::add);
        }
      }
    }
    for (QuotaUsage usage : queue.usage()) {
      long reserved =
          notAdmitted.getOrDefault(new ResourceInFlavor(usage.flavor(), usage.resource()), 0L);
      setUsage(KueueMetric.CLUSTER_QUEUE_RESOURCE_RESERVATION, usage.used(), usage, queue.spec());
      setUsage(
          KueueMetric.CLUSTER_QUEUE_RESOURCE_USAGE, usage.used() - reserved, usage, queue.spec());
    }
  }

  private void setUsage(KueueMetric gauge, long amount, QuotaUsage usage, ClusterQueue queue) {
    gauges.setAmount(
        gauge,
        amount,
        usage.resource(),
        cohort(queue),
        queue.name(),
        usage.flavor(),
        usage.resource());
  }

  private void readPending(ClusterQueueView queue) {
    Map<String, Long> requests = new TreeMap<>();
    queue.usage().forEach(usage -> requests.put(usage.resource(), 0L));
    for (WaitingWorkload waiting : queue.waiting()) {
      waiting
          .workload()
          .totalRequests()
          .forEach((resource, amount) -> requests.merge(resource, amount, Amount::add));
    }
    requests.forEach((resource, amount) -> gauges.setAmount(
        KueueMetric.CLUSTER_QUEUE_RESOURCE_PENDING, amount, resource, queue.name(), resource));
  }
}
