package io.kueue4j.examples.monitoring;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** An engine with two queues of a cohort, one that borrows, and a stopped one. */
final class MonitoredEngine {
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).throwExceptionOnRegistrationFailure();
  final KueueMetrics metrics = KueueMetrics.builder(new MicrometerSink(registry))
      .buildInfo(new KueueMetrics.BuildInfo("1.0", "", "", "java17", "VM", "linux/amd64"))
      .finished(() -> List.of(new KueueMetrics.FinishedWorkload("team", "vision")))
      .build();
  final List<Throwable> failures = new ArrayList<>();
  final AdmissionEngine engine = AdmissionEngine.builder()
      .clock(() -> NOW)
      .listener(metrics, failures::add)
      .build();

  MonitoredEngine() {
    engine.apply(
        ResourceFlavor.of("spot"),
        queue("vision", 4).cohort("research").build(),
        queue("language", 6).cohort("research").build(),
        queue("paused", 1).stopPolicy(StopPolicy.HOLD).build(),
        LocalQueue.of("team", "vision", "vision"),
        LocalQueue.of("team", "language", "language"),
        LocalQueue.of("team", "paused", "paused"));
  }

  static ClusterQueue.Builder queue(String name, int cpu) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of("spot", ResourceQuota.of("cpu", Integer.toString(cpu)))));
  }

  static Workload job(String name, String queue, int cpu) {
    return Workload.builder()
        .namespace("team")
        .name(name)
        .queueName(queue)
        .creationTime(NOW)
        .addPodSets(PodSet.builder().count(cpu).requestAmount("cpu", 1000).build())
        .build();
  }

  /** {@return one in which something runs, something waits, and something borrows} */
  static MonitoredEngine busy() {
    MonitoredEngine busy = new MonitoredEngine();
    for (Workload job : List.of(
        job("borrower", "vision", 6),
        job("modest", "language", 2),
        job("large", "language", 5),
        job("next", "language", 2),
        job("held", "paused", 1))) {
      busy.engine.submit(job);
      busy.metrics.attempt(busy.engine::runCycle);
    }
    return busy;
  }

  MonitorView view() {
    return MonitorView.of(engine.view(), NOW.plusSeconds(3661));
  }
}
