package io.kueue4j.examples.monitoring;

import static io.kueue4j.examples.monitoring.MonitoredEngine.job;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.metrics.CustomLabel;
import io.kueue4j.k8s.metrics.KueueMetric;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_35_0.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scrapes over HTTP, as Prometheus does, and reads what comes. */
class ServedMetricsTest {
  private static final String PROTOBUF =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

  private final MonitoredEngine monitored = MonitoredEngine.busy();
  private final HttpClient client = HttpClient.newHttpClient();

  private final HttpServer server;

  ServedMetricsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        new MetricsHandler(monitored.registry, () -> monitored.metrics.refresh(monitored.engine)));
    server.createContext("/", new PageHandler("Batch <queues>", monitored::view));
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private HttpResponse<byte[]> send(String method, String path, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://localhost:" + server.getAddress().getPort() + path))
        .method(method, HttpRequest.BodyPublishers.noBody());
    headers.forEach(request::header);
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    return send("GET", path, ImmutableMap.of());
  }

  private TextFormat scrape() throws IOException, InterruptedException {
    return new TextFormat(new String(get("/metrics").body(), UTF_8));
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void textIsWellFormedAndSaysWhatTheEngineDoes() throws Exception {
    HttpResponse<byte[]> response = get("/metrics");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type"))
        .isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    TextFormat text = new TextFormat(new String(response.body(), UTF_8));
    assertThat(text.samples)
        .containsEntry(
            "kueue_admitted_workloads_total{cluster_queue=\"vision\",priority_class=\"\","
                + "replica_role=\"standalone\"}",
            1.0)
        .containsEntry(
            "kueue_cluster_queue_info{cluster_queue=\"vision\",parent_cohort=\"research\","
                + "replica_role=\"standalone\",root_cohort=\"research\"}",
            1.0)
        .containsEntry(
            "kueue_cluster_queue_borrowing_limit{cluster_queue=\"vision\",cohort=\"research\","
                + "flavor=\"spot\",replica_role=\"standalone\",resource=\"cpu\"}",
            Double.POSITIVE_INFINITY)
        .containsEntry(
            "kueue_quota_reserved_wait_time_seconds_bucket{cluster_queue=\"language\","
                + "priority_class=\"\",replica_role=\"standalone\",le=\"1.0\"}",
            2.0);
    assertThat(monitored.failures).isEmpty();
  }

  @Test
  void timesOfLessThanASecondAreDistinguished() throws Exception {
    new MicrometerSink(monitored.registry)
        .record(
            KueueMetric.ADMISSION_ATTEMPT_DURATION_SECONDS,
            ImmutableMap.of("result", "success", "replica_role", "follower"),
            0.02);

    String bucket = "kueue_admission_attempt_duration_seconds_bucket{replica_role=\"follower\","
        + "result=\"success\",le=\"%s\"}";
    assertThat(scrape().samples)
        .containsEntry(bucket.formatted("0.01"), 0.0)
        .containsEntry(bucket.formatted("0.025"), 1.0)
        .containsEntry(
            "kueue_admission_attempt_duration_seconds_sum{replica_role=\"follower\","
                + "result=\"success\"}",
            0.02);
  }

  @Test
  void whatDoesNotRunIsReportedToo() throws Exception {
    assertThat(scrape().samples)
        .containsEntry(
            "kueue_build_info{build_date=\"\",compiler=\"VM\",git_commit=\"\","
                + "git_version=\"1.0\",go_version=\"java17\",platform=\"linux/amd64\"}",
            1.0)
        .containsEntry(
            "kueue_finished_workloads{cluster_queue=\"vision\",replica_role=\"standalone\"}", 1.0)
        .containsEntry(
            "kueue_unadmitted_workloads{cluster_queue=\"paused\",reason=\"NoReservation\","
                + "replica_role=\"standalone\",underlying_cause=\"Suspended\"}",
            1.0);
  }

  @Test
  void customLabelsAreOnAllSeriesOfAMetric() throws Exception {
    PrometheusMeterRegistry registry =
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).throwExceptionOnRegistrationFailure();
    KueueMetrics labelled = KueueMetrics.builder(new MicrometerSink(registry))
        .customLabels(
            List.of(CustomLabel.ofLabel("team", CustomLabel.Source.CLUSTER_QUEUE, "team")),
            (source, namespace, name) -> name.equals("vision")
                ? Optional.of(
                    new ObjectMetaBuilder().addToLabels("team", "eyes").build())
                : Optional.empty())
        .build();
    labelled.refresh(monitored.engine);
    assertThat(new TextFormat(registry.scrape()).samples)
        .containsEntry(
            "kueue_admitted_active_workloads{cluster_queue=\"vision\",custom_team=\"eyes\","
                + "replica_role=\"standalone\"}",
            1.0)
        .containsKey("kueue_admitted_active_workloads{cluster_queue=\"paused\",custom_team=\"\","
            + "replica_role=\"standalone\"}");
  }

  @Test
  void namesAndTypesAreThoseOfTheTable() throws Exception {
    monitored.engine.lifecycle().setPodsReady(WorkloadId.of("team", "modest"), true);
    monitored.engine.finish(WorkloadId.of("team", "modest"));
    TextFormat text = scrape();
    Map<String, KueueMetric> known = new TreeMap<>();
    for (KueueMetric metric : KueueMetric.values()) {
      known.put(metric.metricName(), metric);
    }
    assertThat(text.types).hasSizeGreaterThan(40);
    text.types.forEach((name, type) -> {
      // Micrometer's own addition to each histogram.
      String kueue = name.endsWith("_max") ? name.substring(0, name.length() - 4) : name;
      assertThat(known).containsKey(kueue);
      if (name.equals(kueue)) {
        assertThat(type)
            .isEqualToIgnoringCase(
                Objects.requireNonNull(known.get(kueue)).type().name());
      }
    });
  }

  @Test
  void protocolBuffersAreReadByTheClientLibrary() throws Exception {
    HttpResponse<byte[]> response = send("GET", "/metrics", ImmutableMap.of("Accept", PROTOBUF));
    assertThat(header(response, "Content-Type")).startsWith("application/vnd.google.protobuf");
    Map<String, Metrics.MetricFamily> families = new TreeMap<>();
    InputStream in = new ByteArrayInputStream(response.body());
    for (Metrics.MetricFamily family = Metrics.MetricFamily.parseDelimitedFrom(in);
        family != null;
        family = Metrics.MetricFamily.parseDelimitedFrom(in)) {
      assertThat(families.put(family.getName(), family)).isNull();
    }
    assertThat(families.keySet()).containsAll(scrape().types.keySet());
    Metrics.MetricFamily pending = Objects.requireNonNull(families.get("kueue_pending_workloads"));
    assertThat(pending.getType()).isEqualTo(Metrics.MetricType.GAUGE);
    assertThat(pending.getMetricList()).hasSize(6);
    assertThat(pending.getMetricList().stream()
            .mapToDouble(metric -> metric.getGauge().getValue())
            .sum())
        .isEqualTo(2);
    Metrics.Histogram waits = Objects.requireNonNull(
            families.get("kueue_admission_wait_time_seconds"))
        .getMetricList()
        .get(0)
        .getHistogram();
    assertThat(waits.getBucketList())
        .extracting(Metrics.Bucket::getUpperBound)
        .startsWith(1.0, 2.5, 5.0)
        .endsWith(40960.0, Double.POSITIVE_INFINITY);
  }

  @Test
  void openMetricsEndAsTheyHaveTo() throws Exception {
    HttpResponse<byte[]> response = send(
        "GET", "/metrics", ImmutableMap.of("Accept", "application/openmetrics-text;version=1.0.0"));
    assertThat(header(response, "Content-Type")).startsWith("application/openmetrics-text");
    assertThat(new String(response.body(), UTF_8)).endsWith("# EOF\n");
  }

  @Test
  void whatIsGoneIsNotServed() throws Exception {
    assertThat(scrape().samples.keySet()).anyMatch(series -> series.contains("\"paused\""));
    monitored.engine.remove(ClusterQueue.class, "paused");
    monitored.engine.remove(LocalQueue.class, "team/paused");
    assertThat(scrape().samples.keySet()).noneMatch(series -> series.contains("\"paused\""));
  }

  @Test
  void aQueueThatComesBackCountsFromTheBeginning() throws Exception {
    String series = "kueue_admitted_workloads_total{cluster_queue=\"solo\",priority_class=\"\","
        + "replica_role=\"standalone\"}";
    for (int i = 0; i < 2; i++) {
      monitored.engine.apply(
          MonitoredEngine.queue("solo", 4).build(), LocalQueue.of("team", "solo", "solo"));
      AdmissionResult unused = monitored.engine.tryAdmit(job("solo", "solo", 1)).result();
      assertThat(scrape().samples).containsEntry(series, 1.0);
      monitored.engine.finish(WorkloadId.of("team", "solo"));
      monitored.engine.remove(ClusterQueue.class, "solo");
      assertThat(scrape().samples).doesNotContainKey(series);
    }
  }

  @Test
  void thePageIsServedAtTheRootOnly() throws Exception {
    HttpResponse<byte[]> page = get("/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "style-src 'sha256-", "form-action 'self'")
        .doesNotContain("unsafe");
    assertThat(new String(page.body(), UTF_8))
        .contains("<title>Batch &lt;queues&gt;</title>")
        .contains("http-equiv=\"refresh\"");
    assertThat(new String(get("/?queue=vision&q=none").body(), UTF_8))
        .contains("No pending job matches.");
    assertThat(get("/favicon.ico").statusCode()).isEqualTo(404);
  }

  @Test
  void nothingCanBeChanged() throws Exception {
    for (String path : new String[] {"/", "/metrics"}) {
      HttpResponse<byte[]> refused = send("POST", path, ImmutableMap.of());
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(header(refused, "Allow")).isEqualTo("GET, HEAD");
      HttpResponse<byte[]> head = send("HEAD", path, ImmutableMap.of());
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
    }
  }
}
