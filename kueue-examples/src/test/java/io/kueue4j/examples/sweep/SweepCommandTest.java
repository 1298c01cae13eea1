package io.kueue4j.examples.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code sweep} simulates and prints. */
class SweepCommandTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir
  private Path folder;

  private SweepScene scene;

  @BeforeEach
  void setUp() throws IOException {
    scene = SweepScene.in(folder);
  }

  private JsonNode json(Object... arguments) throws IOException {
    return MAPPER.readTree(scene.sweep(arguments));
  }

  @Test
  void pointsAreAllCombinationsInOrder() throws IOException {
    JsonNode points = json(scene.grid(SweepScene.GRID), "-o", "json").path("points");
    assertThat(points).hasSize(12);
    List<String> names = new ArrayList<>();
    points.forEach(point -> names.add(point.path("point").asInt() + " "
        + point.at("/values/policy").asText() + " " + point.at("/values/GPUs").asText() + " "
        + point.at("/values/seed").asText()));
    assertThat(names)
        .startsWith("0 as configured 10 1", "1 as configured 10 2", "2 as configured 10 3")
        .contains("3 as configured 18 1", "6 fair 10 1")
        .endsWith("11 fair 18 3");
  }

  @Test
  void theNumberOfThreadsDoesNotMatter() throws IOException {
    Path grid = scene.grid(SweepScene.GRID);
    String one = scene.sweep(grid, "-o", "json", "--threads", 1);
    for (int threads : new int[] {2, 3, 16}) {
      assertThat(scene.sweep(grid, "-o", "json", "--threads", threads)).isEqualTo(one);
    }
  }

  @Test
  void aPointIsWhatSimulateComputes() throws IOException {
    Path grid = scene.grid("""
        histories: [{file: lab.swf, resource: nvidia.com/gpu}]
        configurations: [{name: today, files: [queues]}]
        policies: [{name: fair, fairSharing: true}]
        """);
    CommandLineRun simulated = CommandLineRun.of(
        "simulate",
        folder.resolve("lab.swf"),
        "--resource=nvidia.com/gpu",
        "--fair-sharing",
        "--config",
        folder.resolve("queues"),
        "-o",
        "json");
    JsonNode expected = MAPPER.readTree(simulated.out());
    JsonNode point = json(grid, "-o", "json").at("/points/0");
    assertThat(point.path("digest")).isEqualTo(expected.path("digest"));
    assertThat(point.at("/total/waitSeconds")).isEqualTo(expected.at("/total/waitSeconds"));
    assertThat(point.at("/clusterQueues/training/waitSeconds/p95"))
        .isEqualTo(expected.at("/clusterQueues/training/waitSeconds/p95"));
  }

  @Test
  void withoutConfigurationsTheQueuesAreThoseOfTheHistory() throws IOException {
    JsonNode point =
        json(scene.grid("histories: [{file: lab.swf}]"), "-o", "json").at("/points/0");
    CommandLineRun simulated =
        CommandLineRun.of("simulate", folder.resolve("lab.swf"), "-o", "json");
    assertThat(point.path("digest").asText())
        .isEqualTo(MAPPER.readTree(simulated.out()).path("digest").asText());
    assertThat(point.at("/utilisation/cpu/meanNominal").asDouble()).isEqualTo(16_000);
  }

  @Test
  void jobsThatRequestWhatNoQueueHasAreNamed() throws IOException {
    Path grid = scene.grid("""
        histories: [{file: lab.swf}, {file: lab.swf, name: gpus, resource: nvidia.com/gpu}]
        configurations: [{name: today, files: [queues]}]
        policies: [{name: as configured}, {name: fair, fairSharing: true}]
        """);
    CommandLineRun run = SweepScene.run(grid);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .contains(
            "lab.swf in the configuration 'today': no ClusterQueue has quota for cpu, which 120 jobs"
                + " request, so that they never start",
            "by 'resource' of the history");
  }

  @Test
  void loopsOfPreemptionsAreNamedAndMerged() throws IOException {
    Files.writeString(folder.resolve("loop.yaml"), """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: p}
        spec:
          cohortName: pool
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: q}
        spec:
          cohortName: pool
          namespaceSelector: {}
          preemption:
            withinClusterQueue: LowerPriority
            reclaimWithinCohort: Any
            borrowWithinCohort: {policy: LowerPriority}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2}]}]
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: p}, spec: {clusterQueue: p}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q}, spec: {clusterQueue: q}}
        """);
    Files.writeString(folder.resolve("jobs.jsonl"), """
        {"id": "l2", "submit": 0, "duration": 60, "queue": "default/p", "requests": {"cpu": 4}, "priority": 10}
        {"id": "h1", "submit": 1, "duration": 60, "queue": "default/q", "requests": {"cpu": 2}, "priority": 1}
        {"id": "h2", "submit": 2, "duration": 60, "queue": "default/q", "requests": {"cpu": 4}, "priority": 10}
        """);
    Path grid = scene.grid("""
        histories: [{file: jobs.jsonl}]
        configurations: [{name: today, files: [loop.yaml]}]
        policies: [{name: as configured}, {name: fair, fairSharing: true}]
        """);

    CommandLineRun run = SweepScene.run(grid, "-o", "json");

    assertThat(run.errLines("warning: "))
        .containsExactly("warning: workloads stop again and again, and would in Kueue:"
            + " default/h1 preempts default/l2 (InCohortReclamation),"
            + " default/h2 preempts default/h1 (InClusterQueue)");
    Path part = Files.writeString(folder.resolve("part.json"), run.out());
    CommandLineRun merged = SweepScene.run("-o", "json", "--merge", part);
    assertThat(merged.out()).isEqualTo(run.out());
    assertThat(merged.errLines("warning: ")).isEqualTo(run.errLines("warning: "));
  }

  @Test
  void policiesChangeDecisions() throws IOException {
    Path grid = scene.grid("""
        histories: [{file: lab.swf, resource: nvidia.com/gpu}]
        configurations: [{name: today, files: [queues]}]
        policies:
        - name: as configured
        - {name: no preemption, preemption: false}
        - {name: others, files: [smaller.yaml]}
        """);
    Files.writeString(
        folder.resolve("smaller.yaml"),
        Files.readString(folder.resolve("queues/queues.yaml"))
            .replace("nominalQuota: 6", "nominalQuota: 5"));
    JsonNode points = json(grid, "-o", "json").path("points");
    Set<String> digests = new HashSet<>();
    points.forEach(point -> digests.add(point.path("digest").asText()));
    assertThat(digests).hasSize(3);
    assertThat(points.at("/0/total/preemptions").asInt()).isPositive();
    assertThat(points.at("/1/total/preemptions").asInt()).isZero();
    assertThat(points.at("/2/utilisation/nvidia.com~1gpu/meanNominal").asDouble())
        .isEqualTo(15);
  }

  @Test
  void fairSharingChangesDecisions() throws IOException {
    Path grid = scene.grid("""
        histories: [{file: lab.swf}]
        policies: [{name: as configured}, {name: fair, fairSharing: true}]
        """);
    JsonNode points = json(grid, "-o", "json").path("points");
    assertThat(points.at("/1/digest")).isNotEqualTo(points.at("/0/digest"));
  }

  @Test
  void loadsScaleTimesAndDurations() throws IOException {
    Path grid = scene.grid("""
        histories: [{file: lab.swf, resource: nvidia.com/gpu}]
        configurations: [{name: today, files: [queues]}]
        load: {submissions: [0.001, 1, 2], durations: [1, 2]}
        """);
    JsonNode points = json(grid, "-o", "json").path("points");
    assertThat(points).hasSize(6);
    assertThat(points.at("/0/total/waitSeconds/max").asDouble()).isZero();
    double wait = points.at("/2/total/waitSeconds/mean").asDouble();
    assertThat(points.at("/3/total/waitSeconds/mean").asDouble()).isGreaterThan(wait * 1.5);
    assertThat(points.at("/4/total/waitSeconds/mean").asDouble()).isGreaterThan(wait * 1.2);
    // Twice as many jobs per time that run twice as long are the same jobs in slow motion, halved.
    double both = points.at("/3/total/waitSeconds/mean").asDouble();
    assertThat(points.at("/5/total/waitSeconds/mean").asDouble()).isGreaterThan(both);
  }

  @Test
  void nodesGrowWithTheirQuota() throws IOException {
    Files.writeString(folder.resolve("cluster.yaml"), """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: hosts},
         spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: a100},
         spec: {nodeLabels: {gpu: a100}, topologyName: hosts}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: all}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [nvidia.com/gpu]
            flavors: [{name: a100, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: node, labels: {gpu: a100, kubernetes.io/hostname: node}}
        status: {allocatable: {nvidia.com/gpu: 8, pods: 110},
                 conditions: [{type: Ready, status: "True"}]}
        """);
    Path grid = scene.grid("""
        histories: [{file: lab.swf, resource: nvidia.com/gpu}]
        configurations: [{name: today, files: [cluster.yaml]}]
        nodes:
        - {labels: {gpu: a100}, from: 0, to: 4, step: 2, clusterQueue: all, flavor: a100}
        """);
    JsonNode points = json(grid, "-o", "json").path("points");
    assertThat(points.at("/0/total/unfinished").asInt()).isEqualTo(120);
    assertThat(points.at("/1/total/unfinished").asInt()).isZero();
    assertThat(points.at("/1/utilisation/nvidia.com~1gpu/meanNominal").asDouble())
        .isEqualTo(16);
    assertThat(points.at("/2/utilisation/nvidia.com~1gpu/meanNominal").asDouble())
        .isEqualTo(32);
    assertThat(points.at("/2/total/waitSeconds/mean").asDouble())
        .isLessThan(points.at("/1/total/waitSeconds/mean").asDouble());
  }

  @Test
  void everyFormatHasALinePerPoint() throws IOException {
    Path grid = scene.grid(SweepScene.GRID);
    String table = scene.sweep(grid);
    assertThat(table.lines()).hasSize(13);
    assertThat(table).startsWith("POLICY          GPUS   SEED   JOBS   UNFINISHED   WAIT MEAN");
    assertThat(scene.sweep(grid, "--by-queue").lines()).hasSize(1 + 12 * 3);
    String csv = scene.sweep(grid, "-o", "csv");
    assertThat(csv.lines()).hasSize(13);
    long columns = csv.lines().findFirst().orElseThrow().split(",", -1).length;
    assertThat(csv.lines()).allMatch(line -> line.split(",", -1).length == columns);
    assertThat(scene.sweep(grid, "-o", "csv", "--by-queue").lines()).hasSize(1 + 12 * 3);
  }

  @Test
  void theGoalIsMetFromTheSmallestAmountOn() throws IOException {
    Path grid =
        scene.grid(SweepScene.GRID.replace("values: [10, 18]", "from: 10\n  to: 45\n  step: 5"));
    JsonNode all = json(grid, "-o", "json", "--goal", "p95=PT6H");
    JsonNode some = json(grid, "-o", "json", "--goal", "p95=PT6H", "--bisect");
    assertThat(all.path("points")).hasSize(48);
    assertThat(some.path("points").size()).isLessThan(30);
    assertThat(all.at("/goal/answers")).hasSize(2);
    for (int i = 0; i < 2; i++) {
      int smallest = all.at("/goal/answers/" + i + "/smallest").asInt();
      assertThat(smallest).isBetween(15, 40);
      assertThat(all.at("/goal/answers/" + i + "/monotone").asBoolean()).isTrue();
      assertThat(some.at("/goal/answers/" + i + "/smallest").asInt()).isEqualTo(smallest);
      String policy = all.at("/goal/answers/" + i + "/values/policy").asText();
      for (JsonNode point : all.path("points")) {
        if (point.at("/values/policy").asText().equals(policy)
            && point.at("/values/GPUs").asInt() == smallest) {
          assertThat(point.at("/total/waitSeconds/p95").asDouble()).isLessThanOrEqualTo(6 * 3600);
        }
      }
    }
    assertThat(scene.sweep(grid, "--goal", "p95=PT6H", "--bisect"))
        .contains("policy fair: p95 <= PT6H from GPUs ", "Found by bisection");
    assertThat(scene.sweep(grid, "--goal", "max=PT0S", "--bisect"))
        .contains("max <= PT0S with no value of GPUs");
  }

  @Test
  void wrongOptionsAreNamed() throws IOException {
    Path grid = scene.grid(SweepScene.GRID);
    assertThat(scene.refused()).contains("Missing required parameter: 'GRID'");
    assertThat(scene.refused(grid, "--merge", grid)).contains("either GRID or --merge");
    assertThat(scene.refused(grid, "--goal", "p95=PT9223372036854775807S"))
        .contains("at most P365000D");
    assertThat(scene.refused(grid, "--goal", "p94=PT1H")).contains("--goal: 'p94=PT1H'", "p95");
    assertThat(scene.refused(grid, "--goal", "p95=1h")).contains("'1h'; expected a duration");
    assertThat(scene.refused(grid, "--goal", "p95=PT1H", "--along", "x"))
        .contains("the name 'x'", "GPUs");
    assertThat(scene.refused(grid, "--bisect")).contains("--bisect needs --goal");
    assertThat(scene.refused(grid, "--goal=p95=PT1H", "--bisect", "--of=2", "--index=0"))
        .contains("cannot be divided");
    assertThat(scene.refused(grid, "--of", 2, "--index", 2))
        .contains("--index is 2, expected 0 to 1");
    assertThat(scene.refused(grid, "--of", 2)).contains("JOB_COMPLETION_INDEX");
    assertThat(scene.refused(grid, "--threads", 0)).contains("--threads is 0");
    assertThat(scene.refused(grid, "--manifest")).contains("--manifest needs --of");
  }
}
