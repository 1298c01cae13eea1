package io.kueue4j.examples.cli;

import static io.kueue4j.examples.SampleManifests.GPU_QUEUES;
import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.StartEstimate;
import io.kueue4j.core.simulation.StartEstimator;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.ManifestFiles;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code estimate} prints. */
class EstimateCommandTest {
  @TempDir
  private Path folder;

  private Path state;

  private static String job(String name, int gpus, String annotations) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: team-a
          labels: {kueue.x-k8s.io/queue-name: main}
          annotations: {%s}
        spec:
          suspend: true
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: x
                resources: {limits: {nvidia.com/gpu: %d}}
        """.formatted(name, annotations, gpus);
  }

  @BeforeEach
  void writeState() throws IOException {
    state = folder.resolve("state.yaml");
    Files.writeString(
        state,
        GPU_QUEUES
            + job("train", 8, "kueue4j.io/expected-duration: PT2H")
            + job("sweep", 4, "kueue4j.io/expected-duration: PT30M")
            + job("huge", 16, ""));
  }

  private static JsonNode json(Object... arguments) throws IOException {
    CommandLineRun run = CommandLineRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void thePromiseStandsBesideTheDistribution() throws IOException {
    String state = GPU_QUEUES
        + job("train", 8, "kueue4j.io/expected-duration: PT2H")
        + job("sweep", 4, "kueue4j.io/expected-duration: PT30M");
    Path file = Files.writeString(folder.resolve("promised.yaml"), state);
    assertThat(CommandLineRun.of("estimate", file, "--backfill=1").out())
        .contains("NEVER   AT THE LATEST   RESTS ON             WAITS FOR")
        .containsPattern("sweep .* 0 % +1h59m +expected durations +train 100 %");
    assertThat(CommandLineRun.of("estimate", file, "--backfill=1", "-o", "csv").out())
        .contains(",left_out,promised_start\n")
        .containsPattern("sweep,main,Pending,([^,]+),.*,\\1\n");
    JsonNode promise =
        json("estimate", file, "--backfill=1", "-o", "json").at("/workloads/0/promise");
    assertThat(promise.path("restsOnLimits").asBoolean()).isFalse();
    for (String output : new String[] {"table", "csv"}) {
      assertThat(CommandLineRun.of("estimate", file, "-o", output).out())
          .doesNotContain("AT THE LATEST", "promised_start");
    }
  }

  @Test
  void annotationsGiveExactEstimates() throws IOException {
    JsonNode json = json("estimate", state, "--samples=5", "-o", "json");

    JsonNode sweep = json.at("/workloads/0");
    assertThat(sweep.path("name").asText()).isEqualTo("sweep");
    assertThat(sweep.path("p10").asText()).isEqualTo("2026-01-01T02:00:01Z");
    assertThat(sweep.path("p90").asText()).isEqualTo("2026-01-01T02:00:01Z");
    assertThat(sweep.at("/blockers/0/name").asText()).isEqualTo("train");
    assertThat(sweep.at("/remedies/0/message").asText()).isNotEmpty();
    JsonNode huge = json.at("/workloads/1");
    assertThat(huge.path("p50").isNull()).isTrue();
    assertThat(huge.path("neverShare").asDouble()).isEqualTo(1);
    assertThat(huge.at("/reasons").isEmpty()).isFalse();
  }

  @Test
  void aHistoryGivesDistributions() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      lines.append("""
          {"id": "job-old-%d", "submit": %d, "duration": %d, "queue": "team-a/main", "requests": {"nvidia.com/gpu": 8}}
          """.formatted(i, i * 100, 60 * (i + 1)));
    }
    Path history = folder.resolve("history.jsonl");
    Files.writeString(history, lines);
    Path jobs = folder.resolve("jobs.yaml");
    Files.writeString(jobs, GPU_QUEUES + job("train", 8, "") + job("next", 8, ""));

    JsonNode json = json("estimate", jobs, "--history", history, "--seed=3", "-o", "json");
    JsonNode next = json.at("/workloads/0");
    assertThat(next.path("p10").asText()).isLessThan(next.path("p50").asText());
    assertThat(next.path("p50").asText()).isBetween("2026-01-01T00:10:00Z", "2026-01-01T00:20:00Z");
    assertThat(json("estimate", jobs, "--history", history, "--seed=3", "-o", "json"))
        .isEqualTo(json);
    JsonNode crowded =
        json("estimate", jobs, "--history", history, "--arrivals", "--samples=20", "-o", "json");
    assertThat(crowded.at("/workloads/0/samples").asInt()).isEqualTo(20);
  }

  @Test
  void unknownDurationsLastForEver() {
    CommandLineRun run = CommandLineRun.of("estimate", state, "--workload=huge", "-o", "csv");

    assertThat(run.out().lines())
        .containsExactly(
            "namespace,job,local_queue,status,p10,p50,p90,never_share,samples,left_out",
            "team-a,huge,main,Pending,,,,1.000,200,0");
  }

  @Test
  void jobsFarBehindAreLeftOutAndCounted() throws IOException {
    Object[] command = {"estimate", state, "--workload=sweep", "--samples=5", "--behind=0"};

    assertThat(CommandLineRun.of(command).out()).contains("without 1 jobs that wait far behind");
    assertThat(CommandLineRun.of(with(command, "-o", "csv")).out()).endsWith(",0.000,5,1\n");
    assertThat(json(with(command, "-o", "json")).at("/workloads/0/leftOut").asInt())
        .isEqualTo(1);
    assertThat(json("estimate", state, "--workload=sweep", "--samples=5", "-o", "json")
            .at("/workloads/0/leftOut")
            .asInt())
        .isZero();
  }

  /** The slices of the first JobSets take all pools of the tutorial. */
  @Test
  void tpuSlicesAreGivenAsByAdmit() throws IOException {
    Object[] tutorial = with(
        new Object[] {"estimate"},
        files(
            "001-tpu-multislice-jobset",
            "00-nodes.derived.yaml",
            "10-kueue.yaml",
            "21-jobsets-standard.yaml"));
    Object[] options = {"--samples=5", "--default-duration=PT1H", "-o", "json"};

    JsonNode waiting = json(with(with(tutorial, options), "--tpu-slices")).at("/workloads/0");

    assertThat(waiting.path("p50").asText()).isEqualTo("2026-01-01T01:00:02Z");
    assertThat(waiting.toString()).contains("slices of pool set vlp-24");
    assertThat(json(with(tutorial, options)).toString()).doesNotContain("slices of pool set");
  }

  /** As Ctrl-C ends it: the estimates come from the samples so far, and the output says so. */
  @Test
  void samplesThatWereNotTakenAreReported() {
    ManifestPlayer simulation = ManifestPlayer.of(
        ManifestFiles.read(ImmutableList.of(InputFile.of(state))).manifests(),
        Settings.defaults(),
        false);
    ImmutableList<SimulatedJob> jobs = simulation.jobs();
    jobs.forEach(simulation::create);
    SimulatedJob huge = jobs.get(2);
    Map<WorkloadId, StartEstimate> estimates = StartEstimator.from(
            simulation.engine().view(), simulation.now())
        .estimate(ImmutableList.of(huge.workload().id()), done -> done < 7);

    StringWriter out = new StringWriter();
    new EstimateReport(
            simulation.now(),
            200,
            0,
            ImmutableMap.of(huge, estimates.values().iterator().next()),
            ImmutableMap.of())
        .print(Screen.plain(new PrintWriter(out, true)), false);

    assertThat(out.toString())
        .contains("by 7 samples of seed 0\nended early, after 7 of 200 samples\n");
  }

  @Test
  void aJobThatRunsIsReportedAsAdmitted() {
    CommandLineRun run = CommandLineRun.of("estimate", state, "--workload=team-a/train");

    assertThat(run.out()).contains("train", "Admitted").doesNotContain("sweep");
  }

  @Test
  void wrongOptionsAreErrors() throws IOException {
    assertThat(CommandLineRun.of("estimate", state, "--workload=nothing").err())
        .contains("--workload: there is no job nothing that waits or runs; there are train, sweep");
    Path queues = folder.resolve("queues.yaml");
    Files.writeString(queues, GPU_QUEUES);
    assertThat(CommandLineRun.of("estimate", queues, "--workload=nothing").err())
        .contains("there is no job nothing that waits or runs; there is none");
    assertThat(CommandLineRun.of("estimate", state, "--arrivals").err())
        .contains("--arrivals needs --history");
    assertThat(CommandLineRun.of("estimate", state, "--samples=0").err())
        .contains("--samples is 0, expected 1 or more");
    assertThat(
            CommandLineRun.of("estimate", state, "--now=2020-01-01T00:00:00Z").err())
        .contains("--now is 2020-01-01T00:00:00Z, before the last change at");
    Path bad = folder.resolve("bad.yaml");
    Files.writeString(bad, GPU_QUEUES + job("train", 8, "kueue4j.io/expected-duration: 2h"));
    assertThat(CommandLineRun.of("estimate", bad).err())
        .containsPattern("bad.yaml: document [0-9]+, line [0-9]+, column [0-9]+: "
            + "metadata.annotations\\[kueue4j.io/expected-duration]: \"2h\"; expected a duration"
            + " above 0 as P1D or PT1H30M");
  }

  @Test
  void jobsOfUnknownDurationThatRunAreNamed() throws IOException {
    Files.writeString(state, GPU_QUEUES + job("train", 8, "") + job("sweep", 4, ""));
    assertThat(CommandLineRun.of("estimate", state).err())
        .isEqualToNormalizingNewlines("note: 1 job runs for ever as far as is known, such as"
            + " team-a/train; give --history, --default-duration, or the annotation"
            + " kueue4j.io/expected-duration\n");
    assertThat(CommandLineRun.of("estimate", state, "--default-duration=PT1H").err())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
          --default-duration=-PT1H | --default-duration is PT-1H, expected 0 or more
          --map=x                  | --map needs --history
          --format=swf             | --format needs --history
          --now=yesterday          | 'yesterday' is no time, or of no year from 0 to 9999; expected one as 2026-01-31T12:00:00Z
          --now=+999999999-12-31T23:59:59Z | of no year from 0 to 9999
          --horizon=PT9223372036854775807S | longer than P365000D
          --horizon=-PT1S          | --horizon is PT-1S, expected 0 or more
          --behind=-1              | --behind is -1, expected 0 or more
          --samples=0              | --samples is 0, expected 1 or more
          --threads=0              | --threads is 0, expected 1 or more
          """)
  void aWrongOptionIsNamed(String option, String message) {
    CommandLineRun run = CommandLineRun.of("estimate", state, option);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("Exception");
  }

  @Test
  void theOutputDoesNotDependOnThreads() {
    CommandLineRun one = CommandLineRun.of("estimate", state, "-o=json", "--threads=1");
    CommandLineRun three = CommandLineRun.of("estimate", state, "-o=json", "--threads=3");
    assertThat(three.out()).isEqualTo(one.out()).contains("p50");
  }

  @Test
  void badLinesOfTheHistoryAreReported() throws IOException {
    Path history = Files.writeString(folder.resolve("history.jsonl"), """
        {"id": "a", "submit": 0, "duration": 60, "queue": "team-a/main", "requests": {"cpu": 1}}
        {"id": "b", "submit": 0, "duration": 60, "queue": "team-a/main", "requests": {"cpu": -1}}
        """);
    CommandLineRun run = CommandLineRun.of("estimate", state, "--history", history);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err())
        .contains("history.jsonl: line 2: requests.cpu is -1; expected 0 or more; left out");
    assertThat(CommandLineRun.of("estimate", state, "--history", history, "--strict")
            .exitCode())
        .isEqualTo(2);
  }

  @Test
  void whereNothingWaitsItSaysSo() throws IOException {
    Path jobs = Files.writeString(folder.resolve("jobs.yaml"), GPU_QUEUES + job("train", 8, ""));
    CommandLineRun run = CommandLineRun.of("estimate", jobs);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("no job waits at 2026-01-01T00:00:01Z\n");
  }
}
