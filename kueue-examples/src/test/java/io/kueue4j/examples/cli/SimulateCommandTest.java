package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code simulate} prints. */
class SimulateCommandTest {
  private static final Path LABORATORY =
      Path.of("src", "main", "resources", "simulation").toAbsolutePath();
  private static final Path LOG = LABORATORY.resolve("lab.swf");
  private static final Path QUEUES = LABORATORY.resolve("queues.yaml");

  @TempDir
  private Path folder;

  private static JsonNode json(Object... arguments) throws IOException {
    CommandLineRun run = CommandLineRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void withoutAConfigurationQueuesShareTheMachine() throws IOException {
    JsonNode json = json("simulate", LOG, "-o", "json");
    assertThat(json.path("end").asText()).isEqualTo("COMPLETE");
    assertThat(json.path("clusterQueues").fieldNames())
        .toIterable()
        .containsExactly("evaluation", "training");
    assertThat(json.at("/total/finished").asInt()).isEqualTo(120);
    double used = 0;
    for (JsonNode queue : json.path("clusterQueues")) {
      used += queue.at("/utilisation/cpu/meanUsed").asDouble();
    }
    assertThat(used).isGreaterThan(8_000).isLessThan(16_000);
  }

  @Test
  void withAConfigurationJobsGoIntoTheQueuesOfTheirNames() throws IOException {
    JsonNode json =
        json("simulate", LOG, "--resource=nvidia.com/gpu", "--config", QUEUES, "-o", "json");
    assertThat(json.at("/clusterQueues/training/jobs").asInt()).isEqualTo(46);
    assertThat(json.at("/flavors/a100/finished").asInt()).isEqualTo(120);
    assertThat(json.at("/total/preemptions").asInt()).isPositive();
    assertThat(json.at("/total/lostWorkSeconds").asDouble()).isPositive();
    JsonNode again =
        json("simulate", LOG, "--resource=nvidia.com/gpu", "--config", QUEUES, "-o", "json");
    assertThat(again).isEqualTo(json);
  }

  @Test
  void memoryCountsIfAQueueHasQuotaForIt() throws IOException {
    // Two jobs of two processors with 1 GiB each, at the same time.
    Path log = Files.writeString(folder.resolve("log.swf"), """
        1 0 0 100 2 -1 -1 2 100 1048576 1 3 2 -1 1 -1 -1 -1
        2 0 0 100 2 -1 -1 2 100 1048576 1 3 2 -1 1 -1 -1 -1
        """);
    String queues = """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: q}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu, memory]
            flavors: [{name: f, resources: [{name: cpu, nominalQuota: 8}, {name: memory, nominalQuota: 3Gi}]}]
        """;
    Path both = Files.writeString(folder.resolve("both.yaml"), queues);
    assertThat(json("simulate", log, "--config", both, "-o", "json")
            .at("/total/waitSeconds/p99")
            .asInt())
        .isEqualTo(100);
    Path cores = Files.writeString(
        folder.resolve("cores.yaml"),
        queues.replace(", memory]", "]").replace(", {name: memory, nominalQuota: 3Gi}", ""));
    assertThat(json("simulate", log, "--config", cores, "-o", "json")
            .at("/total/waitSeconds/p99")
            .asInt())
        .isZero();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
          --limit=0             | --limit is 0, expected 1 or more
          --cycle-interval=PT0S | --cycle-interval is PT0S, expected PT0.001S or more
          --resource=no good    | --resource is 'no good', expected the name of a resource, such as cpu
          --resource=           | --resource is '', expected the name of a resource, such as cpu
          """)
  void aWrongOptionIsNamed(String option, String message) {
    CommandLineRun run = CommandLineRun.of("simulate", LOG, option);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void jobsThatRequestWhatNoQueueHasAreNamed() {
    CommandLineRun run = CommandLineRun.of("simulate", LOG, "--config", QUEUES);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("0 of 120 jobs finished");
    assertThat(run.err())
        .contains("warning: no ClusterQueue has quota for cpu, which 120 jobs request, so that they"
            + " never start; add quota, or name")
        .contains("--resource");
    assertThat(CommandLineRun.of("simulate", LOG, "--config", QUEUES, "--resource=nvidia.com/gpu")
            .err())
        .isEmpty();
  }

  @Test
  void theConfigurationNeedsAClusterQueue() throws IOException {
    Path flavor = Files.writeString(
        folder.resolve("flavor.yaml"),
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}");
    CommandLineRun run = CommandLineRun.of("simulate", LOG, "--config", flavor);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .singleElement()
        .asString()
        .contains("the configuration has no ClusterQueue");
  }

  @Test
  void whatIsWrongWithTheConfigurationHasAPlace() throws IOException {
    Path wrong = Files.writeString(
        folder.resolve("wrong.yaml"),
        Files.readString(QUEUES).replace("nominalQuota: 10", "nominalQuota: -10"));
    Path grid = Files.writeString(
        folder.resolve("grid.yaml"),
        "histories: [{file: " + LOG + "}]\nconfigurations: [{name: a, files: [wrong.yaml]}]\n");
    for (CommandLineRun run : List.of(
        CommandLineRun.of("simulate", LOG, "--config", wrong),
        CommandLineRun.of("compare", LOG, "--config", QUEUES, "--what-if", wrong),
        CommandLineRun.of("sweep", grid))) {
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err())
          .containsPattern("wrong.yaml: document [0-9]+, line [0-9]+, column [0-9]+: "
              + "spec.resourceGroups.*nominalQuota: -10 is negative; expected 0 or more");
    }
  }

  @Test
  void fairSharingChangesDecisions() throws IOException {
    String digest = json("simulate", LOG, "-o", "json").path("digest").asText();
    assertThat(
            json("simulate", LOG, "-o", "json", "--fair-sharing").path("digest").asText())
        .isNotEqualTo(digest);
  }

  @Test
  void theFileMapsJobsByUser() throws IOException {
    Path map = Files.writeString(folder.resolve("map.yaml"), """
        rules:
        - users: ["1", "2"]
          clusterQueue: evaluation
          priority: 7
        - clusterQueue: training
        """);
    CommandLineRun run = CommandLineRun.of(
        "simulate",
        LOG,
        "--resource=nvidia.com/gpu",
        "--config",
        QUEUES,
        "--map",
        map,
        "-o",
        "csv");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().skip(1))
        .hasSize(120)
        .allMatch(
            line -> line.matches("job-\\d+,[12],.*,evaluation,.*|job-\\d+,[3-6],.*,training,.*"));
  }

  @Test
  void jobsWithoutAQueueAreAnError() throws IOException {
    Path map = Files.writeString(folder.resolve("map.yaml"), """
        rules:
        - users: ["1"]
          clusterQueue: evaluation
        """);
    String onlyOthers = Files.readString(QUEUES).replace("name: training", "name: others");
    Path queues = Files.writeString(folder.resolve("queues.yaml"), onlyOthers);
    CommandLineRun run = CommandLineRun.of(
        "simulate", LOG, "--resource=nvidia.com/gpu", "--config", queues, "--map", map);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("no queue for", "of user '2', group '1', queue '1'", "add a rule to the file");
  }

  @Test
  void misspelledMappingsAreErrors() throws IOException {
    Path map = Files.writeString(folder.resolve("map.yaml"), "rules:\n- user: [a]\n");
    CommandLineRun run = CommandLineRun.of("simulate", LOG, "--map", map);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("rules[0].localQueue", "either localQueue or clusterQueue");
    Files.writeString(map, "rules:\n- clusterQueue: a\n  user: [a]\n");
    assertThat(CommandLineRun.of("simulate", LOG, "--map", map).err()).contains("rules[0].user");
    Files.writeString(map, "rules:\n- localQueue: a/b\n");
    assertThat(CommandLineRun.of("simulate", LOG, "--map", map).err())
        .contains("LocalQueue a/b, which does not exist");
  }

  @Test
  void badLinesAreFatalOnlyIfStrict() throws IOException {
    Path log =
        Files.writeString(folder.resolve("log.swf"), "1 0 -1 10 1\nnonsense\n2 0 -1 10 1\n3 0\n");
    CommandLineRun run = CommandLineRun.of("simulate", log);
    assertThat(run.exitCode()).isZero();
    assertThat(run.errLines("warning: ")).hasSize(3);
    assertThat(run.err())
        .contains("line 2: expected numbers", "line 4: no run time", "fewer than 18 fields");
    assertThat(run.out()).contains("2 of 2 jobs finished in 10s");
    CommandLineRun strict = CommandLineRun.of("simulate", log, "--strict");
    assertThat(strict.exitCode()).isEqualTo(2);
    assertThat(strict.errLines("error: ")).hasSize(2);
  }

  @Test
  void onlySoManyJobsAreTaken() throws IOException {
    assertThat(
            json("simulate", LOG, "--limit", 10, "-o", "json").at("/total/jobs").asInt())
        .isEqualTo(10);
    assertThat(CommandLineRun.of("simulate", LOG, "--limit", 0).exitCode()).isEqualTo(2);
  }

  @Test
  void jsonLinesAndStandardInputHaveTheSameResult() throws IOException {
    String swf = "1 0 -1 100 2 -1 -1 2 -1 -1 1 1\n2 10 -1 50 1 -1 -1 1 -1 -1 1 2\n";
    String lines = """
        {"id":"job-1","submit":0,"duration":100,"pods":2,"requests":{"cpu":1},"user":"1"}
        {"id":"job-2","submit":10,"duration":50,"requests":{"cpu":1},"user":"2"}
        """;
    CommandLineRun one = CommandLineRun.reading(swf, "simulate", "-");
    CommandLineRun other = CommandLineRun.reading(lines, "simulate", "-");
    assertThat(one.exitCode()).as(one.err()).isZero();
    assertThat(other.out()).isEqualTo(one.out());
  }

  @Test
  void jobsOfJsonLinesAreCancelledAfterTheirTime() throws IOException {
    // Job 1 is cancelled while it runs, job 2 while it waits, job 3 ends before. By these waits the
    // machine has one processor.
    String lines = """
        {"id":"job-1","submit":0,"wait":0,"duration":100,"cancelAfter":60,"requests":{"cpu":1}}
        {"id":"job-2","submit":10,"wait":20,"duration":10,"cancelAfter":20,"requests":{"cpu":1}}
        {"id":"job-3","submit":20,"wait":40,"duration":50,"cancelAfter":90,"requests":{"cpu":1}}
        """;
    CommandLineRun run = CommandLineRun.reading(lines, "simulate", "-", "-o", "csv");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().skip(1))
        .satisfiesExactly(
            job -> assertThat(job).contains(",CANCELLED,0,0,60,0,100,"),
            job -> assertThat(job).contains(",CANCELLED,10,,30,20,10,"),
            job -> assertThat(job).contains(",FINISHED,20,60,110,40,50,"));
  }

  @Test
  void jobsOfOneSecondStartInTheOrderOfTheirSubmission() throws IOException {
    // By these waits the machine has one processor; the later jobs wait for the first.
    String lines = """
        {"id":"first","submit":0,"wait":0,"duration":100,"requests":{"cpu":1}}
        {"id":"job-2","submit":10.5,"wait":100,"duration":10,"requests":{"cpu":1}}
        {"id":"job-10","submit":10.5,"wait":110,"duration":10,"requests":{"cpu":1}}
        {"id":"job-9","submit":10.25,"wait":90,"duration":10,"requests":{"cpu":1}}
        """;
    CommandLineRun run = CommandLineRun.reading(lines, "simulate", "-", "-o", "csv");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines().skip(1))
        .satisfiesExactly(
            job -> assertThat(job).startsWith("first,").contains(",FINISHED,0,0,"),
            job -> assertThat(job).startsWith("job-2,").contains(",110,120,"),
            job -> assertThat(job).startsWith("job-10,").contains(",120,130,"),
            job -> assertThat(job).startsWith("job-9,").contains(",100,110,"));
  }

  @Test
  void misspelledFieldsOfTheConfigurationAreNamed() throws IOException {
    Path change = Files.writeString(
        folder.resolve("kueue.yaml"),
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfairSharing: {prio: 1}\n");
    CommandLineRun run = CommandLineRun.of("compare", LOG, "--what-if", change);
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .contains("fairSharing.prio: unknown field");
    assertThat(
            CommandLineRun.of("compare", LOG, "--what-if", change, "--strict").exitCode())
        .isEqualTo(2);
  }

  @Test
  void theOtherJobsEndBesideOneThatNeverFits() throws IOException {
    Path log =
        Files.writeString(folder.resolve("log.swf"), "; MaxProcs: 4\n1 0 -1 10 1\n2 0 -1 10 8\n");
    CommandLineRun run = CommandLineRun.of("simulate", log);
    assertThat(run.out()).contains("1 of 2 jobs finished", "the others would never end");
  }
}
