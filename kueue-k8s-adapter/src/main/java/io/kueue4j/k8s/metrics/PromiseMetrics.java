package io.kueue4j.k8s.metrics;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts promised starts, and whether they are kept. */
final class PromiseMetrics {
  private final Series series;

  /** The first start that waiting workloads were promised. */
  private final Map<WorkloadId, Instant> first = new ConcurrentHashMap<>();

  PromiseMetrics(Series series) {
    this.series = series;
  }

  void count(Decisions decisions) {
    for (Decision decision : decisions.all()) {
      if (decision instanceof PromiseChange change) {
        changed(change);
      } else if (decision instanceof AdmissionResult.Admitted admitted) {
        started(admitted.admission());
      } else if (decision instanceof AdmissionResult.Reserved reserved) {
        started(reserved.admission());
      }
    }
  }

  void restored(Promise promise) {
    first.put(promise.workload(), promise.start());
  }

  private void changed(PromiseChange change) {
    Promise subject = change.promise().or(change::before).orElseThrow();
    first.putIfAbsent(change.workload(), change.before().orElse(subject).start());
    series.increment(KueueMetric.PROMISE_CHANGES_TOTAL, subject.clusterQueue(), kind(change));
    if (change.isDelay() && change.promise().isPresent()) {
      series.record(
          KueueMetric.PROMISE_DELAY_SECONDS,
          LifeMetrics.seconds(change.before().orElseThrow().start(), subject.start()),
          subject.clusterQueue());
    }
  }

  private static String kind(PromiseChange change) {
    if (change.before().isEmpty()) {
      return "made";
    }
    if (change.promise().isEmpty()) {
      return "withdrawn";
    }
    return change.isDelay() ? "later" : "earlier";
  }

  private void started(Admission admission) {
    Instant promised = first.remove(admission.workload());
    if (promised != null) {
      series.increment(
          KueueMetric.PROMISED_STARTS_TOTAL,
          admission.clusterQueue(),
          admission.quotaReservedTime().isAfter(promised) ? "late" : "kept");
    }
  }

  void forget(WorkloadRemoved departure) {
    first.remove(departure.workload().id());
  }

  static void read(AdmissionEngine engine, EngineView view, Gauges gauges) {
    if (engine.settings().backfill().isEmpty()) {
      return;
    }
    Multiset<String> promises = HashMultiset.create();
    engine.promises().forEach(promise -> promises.add(promise.clusterQueue()));
    view.clusterQueues()
        .forEach(queue ->
            gauges.set(KueueMetric.PROMISED_WORKLOADS, promises.count(queue.name()), queue.name()));
  }
}
