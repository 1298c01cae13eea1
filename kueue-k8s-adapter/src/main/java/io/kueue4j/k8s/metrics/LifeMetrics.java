package io.kueue4j.k8s.metrics;

import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.EngineListener.StatusChange;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Counts changes of workloads. */
final class LifeMetrics {
  /** The reason of the condition {@code PodsReady} when it becomes true for the first time. */
  private static final String STARTED = "Started";

  private final Series series;

  LifeMetrics(Series series) {
    this.series = series;
  }

  void count(StatusChange change) {
    change
        .becameTrue(ConditionType.QUOTA_RESERVED)
        .ifPresent(reserved -> quotaReserved(change, reserved));
    change.becameTrue(ConditionType.ADMITTED).ifPresent(admitted -> admitted(change, admitted));
    change
        .becameTrue(ConditionType.PODS_READY)
        .filter(ready -> ready.reason().equals(STARTED))
        .ifPresent(ready -> ready(change, ready));
    if (change.before().isTrue(ConditionType.QUOTA_RESERVED)) {
      change.eviction().ifPresent(eviction -> evicted(change, eviction));
      if (!change.after().isTrue(ConditionType.QUOTA_RESERVED)) {
        stopped(change);
      }
    }
    change.preemptedBy().ifPresent(by -> preempted(change, by));
  }

  private void quotaReserved(StatusChange change, WorkloadCondition reserved) {
    double waited = seconds(queuedSince(change), reserved.lastTransitionTime());
    Labels labels = Labels.of(change);
    series.increment(
        KueueMetric.QUOTA_RESERVED_WORKLOADS_TOTAL, labels.clusterQueue, labels.priorityClass);
    series.increment(
        KueueMetric.LOCAL_QUEUE_QUOTA_RESERVED_WORKLOADS_TOTAL,
        labels.name,
        labels.namespace,
        labels.priorityClass);
    record(
        KueueMetric.QUOTA_RESERVED_WAIT_TIME_SECONDS,
        KueueMetric.LOCAL_QUEUE_QUOTA_RESERVED_WAIT_TIME_SECONDS,
        waited,
        labels);
  }

  private void admitted(StatusChange change, WorkloadCondition admitted) {
    Labels labels = Labels.of(change);
    series.increment(
        KueueMetric.ADMITTED_WORKLOADS_TOTAL, labels.clusterQueue, labels.priorityClass);
    series.increment(
        KueueMetric.LOCAL_QUEUE_ADMITTED_WORKLOADS_TOTAL,
        change.workload().id(),
        labels.name,
        labels.namespace,
        labels.priorityClass);
    change
        .cohorts()
        .forEach(cohort -> series.increment(
            KueueMetric.COHORT_SUBTREE_ADMITTED_WORKLOADS_TOTAL, cohort, labels.priorityClass));
    double waited = seconds(queuedSince(change), admitted.lastTransitionTime());
    series.record(
        KueueMetric.ADMISSION_WAIT_TIME_SECONDS, waited, labels.clusterQueue, labels.priorityClass);
    series.record(
        KueueMetric.LOCAL_QUEUE_ADMISSION_WAIT_TIME_SECONDS,
        change.workload().id(),
        waited,
        labels.name,
        labels.namespace,
        labels.priorityClass);
    if (!change.after().admissionChecks().isEmpty()) {
      record(
          KueueMetric.ADMISSION_CHECKS_WAIT_TIME_SECONDS,
          KueueMetric.LOCAL_QUEUE_ADMISSION_CHECKS_WAIT_TIME_SECONDS,
          seconds(
              since(change.after(), ConditionType.QUOTA_RESERVED, admitted),
              admitted.lastTransitionTime()),
          labels);
    }
  }

  private void ready(StatusChange change, WorkloadCondition ready) {
    Labels labels = Labels.of(change);
    record(
        KueueMetric.READY_WAIT_TIME_SECONDS,
        KueueMetric.LOCAL_QUEUE_READY_WAIT_TIME_SECONDS,
        seconds(queuedSince(change), ready.lastTransitionTime()),
        labels);
    record(
        KueueMetric.ADMITTED_UNTIL_READY_WAIT_TIME_SECONDS,
        KueueMetric.LOCAL_QUEUE_ADMITTED_UNTIL_READY_WAIT_TIME_SECONDS,
        seconds(since(change.after(), ConditionType.ADMITTED, ready), ready.lastTransitionTime()),
        labels);
  }

  private void evicted(StatusChange change, EvictionCount eviction) {
    Labels labels = Labels.of(change);
    String reason = eviction.reason().toString();
    String cause = eviction.cause().map(EvictionCause::toString).orElse("");
    series.increment(
        KueueMetric.EVICTED_WORKLOADS_TOTAL,
        labels.clusterQueue,
        reason,
        cause,
        labels.priorityClass);
    series.increment(
        KueueMetric.LOCAL_QUEUE_EVICTED_WORKLOADS_TOTAL,
        labels.name,
        labels.namespace,
        reason,
        cause,
        labels.priorityClass);
    if (eviction.count() == 1) {
      series.increment(
          KueueMetric.EVICTED_WORKLOADS_ONCE_TOTAL,
          labels.clusterQueue,
          reason,
          cause,
          labels.priorityClass);
    }
    Optional<WorkloadCondition> ready =
        change.before().condition(ConditionType.PODS_READY).filter(WorkloadCondition::isTrue);
    Optional<WorkloadCondition> evicted = change.after().condition(ConditionType.EVICTED);
    if (ready.isPresent() && evicted.isPresent()) {
      series.record(
          KueueMetric.PODS_READY_TO_EVICTED_TIME_SECONDS,
          seconds(ready.get().lastTransitionTime(), evicted.get().lastTransitionTime()),
          labels.clusterQueue,
          reason,
          cause);
    }
  }

  private void preempted(StatusChange change, PreemptedBy by) {
    String reason = change
        .after()
        .condition(ConditionType.PREEMPTED)
        .map(WorkloadCondition::reason)
        .orElse("");
    series.increment(KueueMetric.PREEMPTED_WORKLOADS_TOTAL, by.clusterQueue(), reason);
  }

  private void stopped(StatusChange change) {
    Optional<WorkloadCondition> evicted =
        change.after().condition(ConditionType.EVICTED).filter(WorkloadCondition::isTrue);
    Optional<WorkloadCondition> stopped = change.after().condition(ConditionType.QUOTA_RESERVED);
    if (evicted.isPresent() && stopped.isPresent()) {
      series.record(
          KueueMetric.WORKLOAD_EVICTION_LATENCY_SECONDS,
          seconds(evicted.get().lastTransitionTime(), stopped.get().lastTransitionTime()),
          change.clusterQueue().orElse(""),
          evicted.get().reason());
    }
  }

  void count(WorkloadRemoved departure) {
    boolean finished = departure.reason() != WorkloadRemoved.Reason.RELEASED
        && departure.reason() != WorkloadRemoved.Reason.DELETED;
    if (!finished) {
      return;
    }
    Labels labels = Labels.of(
        departure.workload(),
        departure
            .clusterQueue()
            .filter(unused -> departure.status().isTrue(ConditionType.QUOTA_RESERVED)));
    series.increment(
        KueueMetric.FINISHED_WORKLOADS_TOTAL, labels.clusterQueue, labels.priorityClass);
    series.increment(
        KueueMetric.LOCAL_QUEUE_FINISHED_WORKLOADS_TOTAL,
        labels.name,
        labels.namespace,
        labels.priorityClass);
    departure
        .status()
        .condition(ConditionType.ADMITTED)
        .filter(WorkloadCondition::isTrue)
        .ifPresent(admitted -> record(
            KueueMetric.EXECUTION_TIME_SECONDS,
            KueueMetric.LOCAL_QUEUE_EXECUTION_TIME_SECONDS,
            seconds(departure.status().accumulatedPastExecutionTime())
                + seconds(admitted.lastTransitionTime(), departure.time()),
            labels));
    if (departure.reason() == WorkloadRemoved.Reason.SLICE_REPLACED) {
      series.increment(KueueMetric.REPLACED_WORKLOAD_SLICES_TOTAL, labels.clusterQueue);
    }
  }

  private void record(KueueMetric ofQueue, KueueMetric ofLocalQueue, double value, Labels labels) {
    series.record(ofQueue, value, labels.clusterQueue, labels.priorityClass);
    series.record(ofLocalQueue, value, labels.name, labels.namespace, labels.priorityClass);
  }

  /**
   * {@return the time since when the workload has been waiting: its creation or its last
   * requeueing}
   */
  private static Instant queuedSince(StatusChange change) {
    return change
        .after()
        .condition(ConditionType.REQUEUED)
        .map(WorkloadCondition::lastTransitionTime)
        .or(() -> change.workload().creationTime())
        .orElse(change.submitted());
  }

  private static Instant since(
      WorkloadStatus status, ConditionType type, WorkloadCondition otherwise) {
    return status
        .condition(type)
        .map(WorkloadCondition::lastTransitionTime)
        .orElse(otherwise.lastTransitionTime());
  }

  /** {@return the time between the two, 0 if clocks disagree so that it would be negative} */
  static double seconds(Instant from, Instant to) {
    return Math.max(0, seconds(Duration.between(from, to)));
  }

  static double seconds(Duration duration) {
    return duration.toSeconds() + duration.toNanosPart() / 1e9;
  }

  /** The labels of the series of a workload. */
  private record Labels(String clusterQueue, String name, String namespace, String priorityClass) {
    static Labels of(StatusChange change) {
      return of(change.workload(), change.clusterQueue());
    }

    static Labels of(Workload workload, Optional<String> clusterQueue) {
      return new Labels(
          clusterQueue.orElse(""),
          workload.queueName(),
          workload.namespace(),
          workload.priorityClass().orElse(""));
    }
  }
}
