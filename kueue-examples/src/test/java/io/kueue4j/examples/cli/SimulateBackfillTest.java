package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code simulate}, {@code compare} and {@code sweep} say of promised starts. */
class SimulateBackfillTest {
  /**
   * Four processors: a job of 100 s on three, a large one of 50 s on four, one of 200 s on one, one
   * of 60 s on one that ends before the large one can start, and one that ends at once.
   */
  private static final String LOG = """
      ; MaxProcs: 4
      1 0 0 100 3 -1 -1 3 100 -1 1 1 1 -1 1 -1 -1 -1
      2 10 0 50 4 -1 -1 4 50 -1 1 2 1 -1 1 -1 -1 -1
      3 20 0 200 1 -1 -1 1 200 -1 1 3 1 -1 1 -1 -1 -1
      4 30 0 60 1 -1 -1 1 60 -1 1 3 1 -1 1 -1 -1 -1
      5 400 0 0 1 -1 -1 1 60 -1 1 3 1 -1 1 -1 -1 -1
      6 410 0 7 1 -1 -1 1 60 -1 1 3 1 -1 1 -1 5 10
      """;

  @TempDir
  private Path folder;

  private Path log;

  @BeforeEach
  void setUp() throws IOException {
    log = Files.writeString(folder.resolve("log.swf"), LOG);
  }

  private static String out(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  private static JsonNode json(Object... arguments) throws IOException {
    return new ObjectMapper().readTree(out(arguments));
  }

  @Test
  void tablesSayHowLargeJobsWaitAndPromisesAreKept() {
    assertThat(out("simulate", log, "--limit=4").lines().skip(1).limit(2))
        .containsExactly(
            "large jobs (50 % of a quota or more): 2 of 4, mean wait 1m45s, longest 3m30s, slowdown"
                + " 3.10",
            "");
    assertThat(out("simulate", log, "--limit=4", "--backfill=1").lines().skip(1).limit(2))
        .containsExactly(
            "large jobs (50 % of a quota or more): 2 of 4, mean wait 45s, longest 1m30s, slowdown"
                + " 1.90",
            "promised starts: 2 jobs, 2 kept, none started later; 0 moved to a later time, 0"
                + " withdrawn");
  }

  @Test
  void jsonAndCsvHavePromisesOnlyWithBackfill() throws IOException {
    JsonNode without = json("simulate", log, "-o", "json");
    assertThat(without.at("/largeJobs/jobs").asInt()).isEqualTo(2);
    assertThat(without.at("/total").has("promises")).isFalse();
    JsonNode with = json("simulate", log, "-o", "json", "--backfill=all");
    assertThat(with.at("/total/promises/kept").asInt()).isEqualTo(2);
    assertThat(with.at("/users/2/promises/made").asInt()).isEqualTo(1);
    assertThat(with.at("/largeJobs/waitSeconds/max").asInt()).isEqualTo(90);

    assertThat(out("simulate", log, "-o", "csv")).doesNotContain("promise");
    List<String> csv = out("simulate", log, "-o", "csv", "--backfill=1").lines().toList();
    assertThat(csv.get(0)).endsWith(",promised_start_seconds,promise_moves,promise_withdrawals");
    assertThat(csv.get(1)).endsWith(",,0,0");
    assertThat(csv.get(2)).endsWith(",100,0,0");
  }

  @Test
  void theReportNamesThePromises() {
    assertThat(out("simulate", log, "--backfill=1", "-o", "html"))
        .contains("promised starts: 2 jobs, 2 kept")
        .contains("large jobs (50 % of a quota or more): 2 of 6");
  }

  @Test
  void theLongestWaitsAreListed() throws IOException {
    JsonNode longest = json("simulate", log, "-o", "json", "--backfill=1").path("longestWaits");
    assertThat(longest).hasSize(2);
    assertThat(longest.path(0).path("waitSeconds").asDouble()).isEqualTo(130);
    JsonNode large = longest.path(1);
    assertThat(large.path("name").asText()).isEqualTo("job-2");
    assertThat(large.path("waitSeconds").asDouble()).isEqualTo(90);
    assertThat(large.path("requests").path("cpu").asInt()).isEqualTo(4000);
    assertThat(large.path("firstPromisedStart")).isEqualTo(large.path("started"));

    assertThat(out("simulate", log, "--backfill=1", "-o", "html"))
        .contains("First promised after")
        .containsPattern("job-2</bdi></th>.*>1m30s<.*>1m30s<.*5 of 5 times: .*requests 4");
    assertThat(out("simulate", log, "-o", "html"))
        .doesNotContain("First promised after")
        .containsPattern("job-2</bdi></th>.*>3m30s<.*requests 4");
  }

  @Test
  void largeIsWhatNeedsHalfOfTheOwnQuota() throws IOException {
    Path queues = Files.writeString(folder.resolve("queues.yaml"), """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: q}
        spec:
          cohort: all
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: f, resources: [{name: cpu, nominalQuota: 7}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Cohort
        metadata: {name: all}
        spec:
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: f, resources: [{name: cpu, nominalQuota: 6}]}]
        """);
    String own = Files.readString(queues);
    assertThat(json("simulate", log, "--config", queues, "-o", "json")
            .at("/largeJobs/jobs")
            .asInt())
        .isEqualTo(1);
    assertThat(out("simulate", log, "--config", queues, "--large=40"))
        .contains("large jobs (40 % of a quota or more): 2 of 6");
    Files.writeString(queues, own.replace("nominalQuota: 7", "nominalQuota: 0"));
    assertThat(json("simulate", log, "--config", queues, "-o", "json")
            .at("/largeJobs/jobs")
            .asInt())
        .isEqualTo(2);
  }

  @Test
  void compareShowsWhatPromisesChange() throws IOException {
    assertThat(out("compare", log, "--what-if-backfill=1"))
        .contains("mean wait 1m45s → 45s, longest 3m30s → 1m30s", "promised starts after:  2 jobs")
        .doesNotContain("promised starts before");
    assertThat(out("compare", log, "--backfill=1", "--what-if-filler-order=shortest"))
        .contains("promised starts before: 2 jobs", "The change makes no difference.");
    assertThat(json("compare", log, "--what-if-backfill=1", "-o", "json").at("/after/digest"))
        .isEqualTo(json("simulate", log, "--backfill=1", "-o", "json").path("digest"));
    CommandLineRun run = CommandLineRun.of("compare", log, "--what-if-filler-order=shortest");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--what-if-filler-order needs --backfill or --what-if-backfill");
  }

  @Test
  void sweepComparesPolicies() throws IOException {
    Path grid = Files.writeString(folder.resolve("grid.yaml"), """
        histories: [{file: log.swf, minDuration: PT1S}]
        policies:
        - name: none
        - {name: easy, backfill: 1}
        - {name: shortest, backfill: all, fillerOrder: shortest, promiseAfter: P2D}
        """);
    JsonNode points = json("sweep", grid, "-o", "json").path("points");
    assertThat(points.at("/0/total/jobs").asInt()).isEqualTo(5);
    assertThat(points.at("/0/total").has("promises")).isFalse();
    for (int point = 0; point < 2; point++) {
      JsonNode simulated = json(
          "simulate",
          log,
          "--min-duration=PT1S",
          point == 0 ? "--resource=cpu" : "--backfill=1",
          "-o",
          "json");
      assertThat(points.path(point).path("digest")).isEqualTo(simulated.path("digest"));
      ObjectNode total = simulated.withObject("/total");
      total.remove("utilisation");
      assertThat(points.path(point).path("total")).isEqualTo(total);
      assertThat(points.path(point).path("largeJobs")).isEqualTo(simulated.path("largeJobs"));
    }
    assertThat(points.at("/2/digest"))
        .isEqualTo(json(
                "simulate",
                log,
                "--min-duration=PT1S",
                "--backfill=all",
                "--filler-order=shortest",
                "--promise-after=P2D",
                "-o",
                "json")
            .path("digest"));

    List<String> table = out("sweep", grid).lines().toList();
    assertThat(table.get(0)).contains("LARGE MEAN   LARGE MAX   PROMISES KEPT   LATE BY");
    assertThat(table.get(1)).contains("1m45s", "3m30s", "0/0");
    assertThat(table.get(2)).contains("45s", "1m30s", "2/2");
    List<String> csv = out("sweep", grid, "-o", "csv").lines().toList();
    assertThat(csv.get(0))
        .contains(",lost_work_seconds,promised,promises_kept,promises_late,promises_moved,"
            + "promises_withdrawn,max_promise_delay_seconds,large_jobs,large_mean_wait_seconds,"
            + "large_max_wait_seconds,utilisation_cpu");
    assertThat(csv.get(2)).contains(",2,2,0,0,0,0.000,2,45.000,90.000,");
  }

  @Test
  void resultsOfPartsKeepPromises() throws IOException {
    Path grid = Files.writeString(folder.resolve("grid.yaml"), """
        histories: [{file: log.swf}]
        policies: [{name: none}, {name: easy, backfill: 1}]
        """);
    Path whole = Files.writeString(folder.resolve("whole.json"), out("sweep", grid, "-o", "json"));
    assertThat(json("sweep", "--merge", whole, "-o", "json"))
        .isEqualTo(new ObjectMapper().readTree(whole.toFile()));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      backfill: some                  | backfill: 'some'; expected 0, 1, 2 and so on, or all
      backfill: [1, 2]                | backfill: 2 values; expected one, in each policy
      backfill: -1                    | backfill: '-1'; expected 0, 1, 2 and so on, or all
      fillerOrder: shortest           | backfill: missing; expected the depth for 'fillerOrder'
      backfill: 1, fillerOrder: long  | fillerOrder
      backfill: 1, promiseAfter: PT0S | promiseAfter: 'PT0S'; expected a duration
      """)
  void aWrongPolicyIsNamed(String policy, String message) throws IOException {
    Path grid = Files.writeString(
        folder.resolve("grid.yaml"),
        "histories: [{file: log.swf}]\npolicies: [{name: p, " + policy + "}]\n");
    CommandLineRun run = CommandLineRun.of("sweep", grid);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --backfill=some                      | '--backfill': 'some'; expected 0, 1, 2 and so on, or all
      --filler-order=shortest              | --filler-order and --promise-after need --backfill
      --promise-after=PT0S --backfill=1    | --promise-after is PT0S, expected more than 0
      --min-duration=-PT1S                 | --min-duration is PT-1S, expected PT0S or more
      --large=0                            | --large is 0, expected 1 or more
      --min-duration=PT1H                  | no usable job; 6 jobs ran for less than PT1H
      """)
  void aWrongOptionIsNamed(String options, String message) {
    List<Object> arguments = new ArrayList<>(List.of("simulate", log));
    arguments.addAll(List.of(options.split(" ")));
    CommandLineRun run = CommandLineRun.of(arguments.toArray());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void estimatesAreExactIfAskedFor() throws IOException {
    // The first job runs for 40 s of 100, so the large one may start then.
    Files.writeString(log, LOG.replace("1 0 0 100 3", "1 0 0 40 3"));
    String promised = ",promised_start_seconds";
    assertThat(out("simulate", log, "--backfill=1", "-o", "csv").lines().toList())
        .satisfies(lines -> assertThat(lines.get(0)).contains(promised))
        .satisfies(lines -> assertThat(lines.get(2)).endsWith(",100,0,0"));
    assertThat(out("simulate", log, "--backfill=1", "--exact-estimates", "-o", "csv")
            .lines()
            .toList()
            .get(2))
        .endsWith(",40,0,0");
    assertThat(out("simulate", log, "--backfill=1", "--exact-estimates"))
        .startsWith("6 of 6 jobs finished");
    Path grid = Files.writeString(folder.resolve("grid.yaml"), """
        histories: [{file: log.swf, exactEstimates: true}]
        policies: [{name: easy, backfill: 1}]
        """);
    assertThat(json("sweep", grid, "-o", "json").at("/points/0/digest"))
        .isEqualTo(json("simulate", log, "--backfill=1", "--exact-estimates", "-o", "json")
            .path("digest"));
  }

  @Test
  void shortJobsAreLeftOutWithANote() throws IOException {
    CommandLineRun run = CommandLineRun.of("simulate", log, "--min-duration=PT1S", "-o", "csv");
    assertThat(run.err()).contains("log.swf: 1 job ran for less than PT1S; left out");
    // Job 6 followed the job that is left out.
    assertThat(run.out().lines().skip(5)).singleElement().asString().startsWith("job-6,");
    assertThat(CommandLineRun.of("simulate", log, "--min-duration=PT0S").err()).isEmpty();
  }
}
