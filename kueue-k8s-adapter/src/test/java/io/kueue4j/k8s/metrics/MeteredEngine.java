package io.kueue4j.k8s.metrics;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An engine with recorded metrics. */
abstract class MeteredEngine {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  final RecordingSink sink = new RecordingSink();
  final List<Throwable> failures = new ArrayList<>();
  Instant now = START;
  long nanos;
  KueueMetrics.ReplicaRole role = KueueMetrics.ReplicaRole.STANDALONE;
  KueueMetrics metrics =
      KueueMetrics.builder(sink).role(() -> role).nanoTime(() -> nanos).build();
  AdmissionEngine engine = engine();

  AdmissionEngine engine() {
    AdmissionEngine made = AdmissionEngine.builder()
        .clock(() -> now)
        .listener(metrics, failures::add)
        .build();
    made.apply(ResourceFlavor.of("spot"), new WorkloadPriorityClass("high", 100));
    return made;
  }

  void queue(String name, int cpu, UnaryOperator<ClusterQueue.Builder> change) {
    engine.apply(
        change
            .apply(ClusterQueue.builder()
                .name(name)
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
                    "spot",
                    ResourceQuota.of("cpu", Integer.toString(cpu)),
                    ResourceQuota.of("memory", "1Gi")))))
            .build(),
        LocalQueue.of("ns", "lq-" + name, name));
  }

  void queue(String name, int cpu) {
    queue(name, cpu, queue -> queue);
  }

  Workload job(String name, String queue, int cpu) {
    return job(name, queue, cpu, job -> job);
  }

  Workload job(String name, String queue, int cpu, UnaryOperator<Workload.Builder> change) {
    return change
        .apply(Workload.builder()
            .namespace("ns")
            .name(name)
            .queueName("lq-" + queue)
            .creationTime(now)
            .addPodSets(PodSet.builder().count(cpu).requestAmount("cpu", 1000).build()))
        .build();
  }

  static WorkloadId id(String name) {
    return WorkloadId.of("ns", name);
  }

  void pass(double seconds) {
    now = now.plusMillis((long) (seconds * 1000));
  }

  void cycle() {
    metrics.attempt(engine::runCycle);
  }

  @Nullable
  Double value(String series) {
    metrics.refresh(engine);
    return sink.value("kueue_" + series);
  }

  List<Double> observed(String series) {
    return sink.observed("kueue_" + series);
  }
}
