package io.kueue4j.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.cli.RecordedMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard and the alerts ask for metrics that exist, and Prometheus answers their expressions
 * on what a controller has served.
 */
class MonitoringTest {
  private static final Path FOLDER = DeployManifests.ROOT.resolve("monitoring");
  private static final Path DOCUMENT = Path.of("../docs/install.md");
  private static final Path RUNBOOKS = Path.of("../docs/alerts.md");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Metrics of others; docs/install.md names where they come from. */
  private static final ImmutableSet<String> OTHERS =
      ImmutableSet.of("up", "kube_pod_labels", "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED");

  private static final ImmutableSet<String> KEYWORDS =
      ImmutableSet.of("and", "or", "unless", "bool");
  private static final Pattern NOT_METRICS = Pattern.compile(
      "\"[^\"]*\"|\\{[^}]*\\}|\\[[^\\]]*\\]|\\b(?:by|on|ignoring|group_left|group_right|without) *\\([^)]*\\)");
  private static final Pattern METRIC =
      Pattern.compile("[a-zA-Z_][a-zA-Z0-9_:]*(?![a-zA-Z0-9_:]| *\\()");
  private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{(\\w+)\\}\\}");

  private static RecordedMetrics busy;
  private static RecordedMetrics quiet;
  private static RecordedMetrics following;

  /**
   * An expression of the dashboard.
   *
   * @param panel the title of its panel
   */
  private record Shown(String panel, String expression, String legend) {}

  @TempDir
  private Path folder;

  @BeforeAll
  static void record() throws Exception {
    busy = RecordedMetrics.busy();
    quiet = RecordedMetrics.quiet();
    following = RecordedMetrics.following();
  }

  private static Map<String, Object> ruleSpec() throws IOException {
    @SuppressWarnings("unchecked")
    Map<String, Object> spec = (Map<String, Object>)
        Objects.requireNonNull(DeployManifests.map(FOLDER.resolve("rules.yaml")).get("spec"));
    return spec;
  }

  /** {@return the rules that have a field, by its value} */
  private static ImmutableMap<String, JsonNode> rules(String field) throws IOException {
    ImmutableMap.Builder<String, JsonNode> found = ImmutableMap.builder();
    for (JsonNode group : JSON.valueToTree(ruleSpec()).path("groups")) {
      for (JsonNode rule : group.path("rules")) {
        if (rule.has(field)) {
          found.put(rule.path(field).asText(), rule);
        }
      }
    }
    return found.buildOrThrow();
  }

  private static JsonNode dashboard() throws IOException {
    return JSON.readTree(FOLDER.resolve("kueue4j.json").toFile());
  }

  private static ImmutableList<Shown> shown() throws IOException {
    ImmutableList.Builder<Shown> all = ImmutableList.builder();
    for (JsonNode panel : dashboard().path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        all.add(new Shown(
            panel.path("title").asText(),
            target.path("expr").asText(),
            target.path("legendFormat").asText()));
      }
    }
    return all.build();
  }

  /** {@return an expression as Grafana sends it if everything is selected} */
  private static String sent(String expression) {
    return expression
        .replace("$__rate_interval", "5m")
        .replaceAll("\\$(cluster_queue|cohort|resource)\\b", ".*");
  }

  private static Set<String> metrics(String expression) {
    String rest = NOT_METRICS.matcher(expression).replaceAll(" ");
    Set<String> names = new TreeSet<>();
    Matcher name = METRIC.matcher(rest);
    while (name.find()) {
      if (!KEYWORDS.contains(name.group())) {
        names.add(name.group());
      }
    }
    return names;
  }

  private static ImmutableList<String> expressions() throws IOException {
    ImmutableList.Builder<String> all = ImmutableList.builder();
    shown().forEach(each -> all.add(sent(each.expression())));
    rules("record").values().forEach(rule -> all.add(rule.path("expr").asText()));
    rules("alert").values().forEach(rule -> all.add(rule.path("expr").asText()));
    return all.build();
  }

  @Test
  void everyMetricIsServedRecordedOrDocumented() throws IOException {
    Set<String> known = new TreeSet<>(SampleSeries.of(busy).names());
    known.addAll(rules("record").keySet());
    String document = Files.readString(DOCUMENT);
    assertThat(OTHERS).filteredOn(name -> !name.equals("up")).allMatch(document::contains);
    known.addAll(OTHERS);
    for (String expression : expressions()) {
      assertThat(metrics(expression)).as(expression).isNotEmpty().isSubsetOf(known);
    }
  }

  @Test
  void namesOfMetricsAreFoundInExpressions() {
    assertThat(
            metrics("sum by (a, b) (rate(x_total{c=\"d\"}[5m])) / on (a) group_left (b) y:z > 2"))
        .containsExactly("x_total", "y:z");
  }

  @Test
  void everyLabelOfALegendIsInTheExpression() throws IOException {
    for (Shown each : shown()) {
      Matcher label = LEGEND_LABEL.matcher(each.legend());
      while (label.find()) {
        assertThat(each.expression())
            .as(each.panel())
            .containsPattern("\\b" + label.group(1) + "\\b");
      }
    }
  }

  @Test
  void theDashboardIsComplete() throws IOException {
    List<Integer> ids = new ArrayList<>();
    for (JsonNode panel : dashboard().path("panels")) {
      ids.add(panel.path("id").asInt());
      assertThat(panel.path("title").asText()).isNotEmpty();
      JsonNode place = panel.path("gridPos");
      assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(24);
      if (!panel.path("type").asText().equals("row")) {
        assertThat(panel.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
        assertThat(panel.path("targets")).isNotEmpty();
      }
    }
    assertThat(ids).doesNotHaveDuplicates();
    Set<String> variables = new TreeSet<>();
    dashboard().path("templating").path("list").forEach(each -> {
      variables.add(each.path("name").asText());
      String definition = each.path("definition").asText();
      if (!definition.isEmpty()) {
        assertThat(SampleSeries.of(busy).names())
            .contains(definition.substring("label_values(".length(), definition.indexOf(',')));
      }
    });
    assertThat(variables).containsExactly("cluster_queue", "cohort", "datasource", "resource");
  }

  @Test
  void everyAlertHasARunbook() throws IOException {
    String runbooks = Files.readString(RUNBOOKS);
    rules("alert").forEach((name, rule) -> {
      assertThat(runbooks).contains("\n## " + name + "\n");
      assertThat(rule.path("annotations").path("runbook_url").asText())
          .endsWith("/docs/alerts.md#" + Ascii.toLowerCase(name));
      assertThat(rule.path("annotations").path("summary").asText()).isNotEmpty();
      assertThat(rule.path("labels").path("severity").asText()).isIn("critical", "warning", "info");
    });
  }

  /**
   * Ten GPUs of the tutorial's queue: six used, two idle, two in no pod. Eight of another, used.
   */
  private static SampleSeries withGpus(SampleSeries series, boolean honorLabels) {
    for (int i = 0; i < 8; i++) {
      gpu(series, honorLabels, "team-a", "tutorial-" + i, "cluster-queue", i < 6 ? 90 : 0);
      gpu(series, honorLabels, "default", "owner-" + i, "language", 80);
    }
    // A value that stands for "unknown", and a GPU in no pod.
    gpu(series, honorLabels, "team-a", "unknown", "cluster-queue", 9.2e18);
    series.putOther(
        "DCGM_FI_DEV_GPU_UTIL",
        ImmutableMap.of(
            "namespace", "gpu-operator", "pod", "nvidia-dcgm-exporter-x", "UUID", "GPU-free"),
        0);
    return series;
  }

  private static void gpu(
      SampleSeries series,
      boolean honorLabels,
      String namespace,
      String pod,
      String queue,
      double utilization) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(honorLabels ? "namespace" : "exported_namespace", namespace);
    labels.put(honorLabels ? "pod" : "exported_pod", pod);
    if (!honorLabels) {
      labels.put("namespace", "gpu-operator");
      labels.put("pod", "nvidia-dcgm-exporter-x");
    }
    labels.put("UUID", "GPU-" + pod);
    labels.put("gpu", "0");
    labels.put("node", "node5");
    series.putOther("DCGM_FI_DEV_GPU_UTIL", labels, utilization);
    series.putOther("DCGM_FI_DEV_FB_USED", labels, 1000);
    series.putOther(
        "kube_pod_labels",
        ImmutableMap.of(
            "namespace",
            namespace,
            "pod",
            pod,
            "label_kueue_x_k8s_io_cluster_queue_name",
            queue,
            "job",
            "kube-state-metrics"),
        1);
  }

  private static Map<String, Object> value(String expression, double value) {
    return ImmutableMap.of(
        "expr",
        expression,
        "eval_time",
        "9h",
        "exp_samples",
        ImmutableList.of(ImmutableMap.of("labels", "{}", "value", value)));
  }

  private static Map<String, Object> test(
      SampleSeries series, List<? extends Map<String, Object>> values) throws IOException {
    Set<String> used = new TreeSet<>();
    expressions().forEach(expression -> used.addAll(metrics(expression)));
    used.add("kueue_cluster_queue_info");
    return ImmutableMap.of(
        "interval",
        SampleSeries.INTERVAL,
        "input_series",
        series.input(used),
        "promql_expr_test",
        values);
  }

  private void run(List<Map<String, Object>> tests) throws Exception {
    JSON.writeValue(folder.resolve("rules.yaml").toFile(), ruleSpec());
    Path file = folder.resolve("tests.yaml");
    JSON.writeValue(
        file.toFile(),
        ImmutableMap.of(
            "rule_files",
            ImmutableList.of("rules.yaml"),
            "evaluation_interval",
            "4m",
            "tests",
            tests));
    assertThat(Tools.run("promtool", "test", "rules", file)).contains("SUCCESS");
  }

  @Test
  void theRulesAreWellFormed() throws Exception {
    Path file = folder.resolve("rules.yaml");
    JSON.writeValue(file.toFile(), ruleSpec());
    assertThat(Tools.run("promtool", "check", "rules", file)).contains("SUCCESS");
  }

  @Test
  void everyExpressionOfTheDashboardHasAResult() throws Exception {
    List<Map<String, Object>> values = new ArrayList<>();
    for (Shown each : shown()) {
      String expression = sent(each.expression());
      // Not a number differs from itself.
      values.add(value("count((" + expression + ") == (" + expression + ")) > bool 0", 1));
    }
    assertThat(values).hasSizeGreaterThanOrEqualTo(45);
    run(ImmutableList.of(test(withGpus(SampleSeries.of(busy), false), values)));
  }

  private static String panel(String title) throws IOException {
    return shown().stream()
        .filter(each -> each.panel().equals(title))
        .map(each -> sent(each.expression()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theDashboardShowsWhatHasHappened() throws Exception {
    ImmutableList<Map<String, Object>> values = ImmutableList.of(
        value("sum((" + panel("Borrowed by ClusterQueue") + ") > 0)", 4),
        value("sum(" + panel("Lent in the cohort") + ")", 4),
        value("sum((" + panel("Free to be lent in the cohort") + ") == 0) + 1", 1),
        value("sum(" + panel("Jobs that wait") + ")", 2),
        value(panel("Inactive ClusterQueues"), 1),
        value("sum(" + panel("Preemptions by the queue that gained") + ")", 30),
        value(idle("cluster-queue"), 4),
        value(idle("language"), 0),
        value(
            "round(10 * sum(kueue4j:cluster_queue_gpus_used:sum{cluster_queue=\"language\"}))", 64),
        value(panel("GPUs outside of queues"), 2),
        value(
            "count(ALERTS{alertname=\"KueueReservedGpusIdle\",cluster_queue=\"language\"})"
                + " or vector(0)",
            0));
    run(ImmutableList.of(
        test(withGpus(SampleSeries.of(busy), false), values),
        test(withGpus(SampleSeries.of(busy), true), values)));
  }

  private static String idle(String queue) throws IOException {
    return "sum((" + panel("Reserved but idle, by ClusterQueue") + ") and on (cluster_queue) "
        + "kueue_cluster_queue_info{cluster_queue=\"" + queue + "\"})";
  }

  private static boolean isSmallBucket(String series) {
    Matcher bound =
        Pattern.compile("wait_time_seconds_bucket.*\\ble=\"([0-9.]+)\"").matcher(series);
    return bound.find() && Double.parseDouble(bound.group(1)) <= 14_400;
  }

  /** {@return a situation in which each alert fires} */
  private static ImmutableMap<String, SampleSeries> situations() {
    SampleSeries full = SampleSeries.of(busy);
    full.change((series, values) -> series.startsWith("jvm_memory_used_bytes{")
        ? full.get(series.replace("jvm_memory_used_bytes", "jvm_memory_max_bytes"))
        : values);
    return ImmutableMap.<String, SampleSeries>builder()
        .put("KueueControllerDown", SampleSeries.empty())
        .put("KueueNoLeader", SampleSeries.of(following))
        .put("KueueSeveralLeaders", withSecond(SampleSeries.of(busy)))
        .put(
            "KueueApiRequestsFail",
            SampleSeries.of(busy)
                .put(
                    "rest_client_requests_total",
                    "code=\"<error>\",host=\"10.0.0.1:443\",method=\"PUT\"",
                    SampleSeries.growing(0, 60)))
        .put("KueueControllerMemoryLow", full)
        .put("KueueConfigurationProblems", SampleSeries.of(busy))
        .put(
            "KueueEventsDropped",
            SampleSeries.of(busy)
                .put(
                    "kueue4j_controller_events_total",
                    "result=\"dropped_refused\"",
                    SampleSeries.growing(0, 60)))
        .put(
            "KueueNotGuarded",
            SampleSeries.of(busy).put("kueue4j_controller_guarded", "", SampleSeries.constant(0)))
        .put(
            "KueueAdmissionsRefused",
            SampleSeries.of(busy)
                .put("kueue4j_controller_refused_admissions", "", SampleSeries.constant(2)))
        .put("KueueQueueWaitsTooLong", SampleSeries.of(busy))
        .put(
            "KueueAdmissionSlow",
            SampleSeries.of(busy)
                .change(
                    (series, values) -> isSmallBucket(series) ? SampleSeries.constant(0) : values))
        .put("KueueClusterQueueInactive", SampleSeries.of(busy))
        .put("KueueQuotaNearlyFull", SampleSeries.of(busy))
        .put("KueueCohortQuotaNearlyFull", SampleSeries.of(busy))
        .put("KueuePreemptionStorm", SampleSeries.of(busy))
        .put("KueueReservedGpusIdle", withGpus(SampleSeries.of(busy), false))
        .buildOrThrow();
  }

  @Test
  void everyAlertFiresWhenItShould() throws Exception {
    ImmutableMap<String, SampleSeries> situations = situations();
    assertThat(Sets.symmetricDifference(situations.keySet(), rules("alert").keySet()))
        .isEmpty();
    ImmutableList.Builder<Map<String, Object>> tests = ImmutableList.builder();
    for (Map.Entry<String, SampleSeries> each : situations.entrySet()) {
      String firing = "ALERTS{alertname=\"" + each.getKey() + "\",alertstate=\"firing\"}";
      tests.add(
          test(each.getValue(), ImmutableList.of(value("count(" + firing + ") > bool 0", 1))));
    }
    run(tests.build());
  }

  @Test
  void noAlertFiresWhenThereIsNoProblem() throws Exception {
    // Without GPU metrics, and with GPUs of others.
    ImmutableList<Map<String, Object>> none =
        ImmutableList.of(value("count(ALERTS) or vector(0)", 0));
    run(ImmutableList.of(
        test(SampleSeries.of(quiet), none), test(withGpus(SampleSeries.of(quiet), false), none)));
  }

  /** Adds a replica that leads. */
  private static SampleSeries withSecond(SampleSeries series) {
    return series.put(
        "leader_election_master_status",
        "name=\"kueue4j-controller\",pod=\"kueue4j-controller-1\"",
        SampleSeries.constant(1));
  }
}
