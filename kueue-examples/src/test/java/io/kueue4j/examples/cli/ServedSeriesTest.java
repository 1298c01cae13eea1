package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
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
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.monitoring.MetricsHandler;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Prometheus scrapes from a controller about its queues. */
final class ServedSeriesTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).throwExceptionOnRegistrationFailure();
  private final KueueMetrics metrics =
      KueueMetrics.builder(new ServedSeries(registry)).build();
  private final AdmissionEngine engine = AdmissionEngine.builder()
      .clock(InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")))
      .listener(metrics, failure -> {
        throw new AssertionError(failure);
      })
      .build();
  private final HttpServer server;

  ServedSeriesTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/metrics", new MetricsHandler(registry, () -> metrics.refresh(engine)));
    server.start();
    engine.apply(ResourceFlavor.of("default-flavor"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String scrape() throws IOException, InterruptedException {
    URI metricsOfServer =
        URI.create("http://localhost:" + server.getAddress().getPort() + "/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(metricsOfServer).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static ClusterQueue.Builder queue(String name) {
    return ClusterQueue.builder()
        .name(name)
        .cohort("research")
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("default-flavor", ResourceQuota.of("cpu", "4"))));
  }

  /** Adds a queue with a workload that has finished, one that runs, and one that waits. */
  private void addBusyQueue(String name) {
    engine.apply(queue(name).build(), LocalQueue.of("team-a", name, name));
    submit(name, "finished", 1);
    engine.finish(WorkloadId.of("team-a", name + "-finished"));
    submit(name, "running", 4);
    submit(name, "waiting", 100);
  }

  private void submit(String queue, String name, int cpus) {
    AdmissionResult unused = engine
        .submit(Workload.builder()
            .namespace("team-a")
            .name(queue + "-" + name)
            .queueName(queue)
            .creationTime(Instant.parse("2026-01-01T00:00:00Z"))
            .addPodSets(PodSet.builder().count(cpus).requestAmount("cpu", 1000).build())
            .build())
        .result();
    metrics.attempt(engine::runCycle);
  }

  @Test
  void aQueueTakesLessThanTwoKilobytes() throws Exception {
    addBusyQueue("inference");
    int before = scrape().getBytes(UTF_8).length;
    addBusyQueue("training-a");
    assertThat(scrape().getBytes(UTF_8).length - before).isBetween(1000, 2000);
  }

  @Test
  void seriesSayWhatRunsAndWaits() throws Exception {
    addBusyQueue("inference");
    assertThat(scrape().lines())
        .contains(
            "kueue_admitted_active_workloads{cluster_queue=\"inference\"} 1.0",
            "kueue_pending_workloads{cluster_queue=\"inference\",status=\"inadmissible\"} 1.0",
            "kueue_admitted_workloads_total{cluster_queue=\"inference\",priority_class=\"\"} 2.0",
            "kueue_execution_time_seconds_count{cluster_queue=\"inference\"} 1",
            "kueue_admission_wait_time_seconds_count{cluster_queue=\"inference\"} 2",
            "kueue_admission_wait_time_seconds_bucket{cluster_queue=\"inference\",le=\"40.0\"} 2",
            "kueue_local_queue_admitted_active_workloads{name=\"inference\","
                + "namespace=\"team-a\"} 1.0")
        .noneMatch(line -> line.startsWith("kueue_") && line.contains("_max"));
  }

  @Test
  void onlyTheStatusThatAppliesIsServedBesideActive() throws Exception {
    engine.apply(queue("training").build());
    String active = "kueue_cluster_queue_status{cluster_queue=\"training\",status=\"active\"} ";
    String pending = "kueue_cluster_queue_status{cluster_queue=\"training\",status=\"pending\"} ";
    assertThat(scrape()).contains(active + "1.0").doesNotContain(pending);
    engine.apply(queue("training").stopPolicy(StopPolicy.HOLD).build());
    assertThat(scrape()).contains(active + "0.0", pending + "1.0");
    engine.apply(queue("training").build());
    assertThat(scrape()).contains(active + "1.0").doesNotContain(pending);
  }

  @Test
  void seriesGoWithTheirQueue() throws Exception {
    addBusyQueue("training");
    assertThat(scrape()).contains("\"training\"");
    engine.delete(WorkloadId.of("team-a", "training-running"));
    engine.delete(WorkloadId.of("team-a", "training-waiting"));
    engine.remove(LocalQueue.class, "team-a/training");
    engine.remove(ClusterQueue.class, "training");
    assertThat(scrape()).doesNotContain("\"training\"");
  }
}
