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

/** What {@code compare} prints. */
class CompareCommandTest {
  private static final Path LABORATORY =
      Path.of("src", "main", "resources", "simulation").toAbsolutePath();
  private static final Path LOG = LABORATORY.resolve("lab.swf");
  private static final Path QUEUES = LABORATORY.resolve("queues.yaml");

  @TempDir
  private Path folder;

  private static CommandLineRun compare(Object... change) {
    Object[] arguments = new Object[change.length + 4];
    arguments[0] = "compare";
    arguments[1] = LOG;
    arguments[2] = "--resource=nvidia.com/gpu";
    arguments[3] = "--config=" + QUEUES;
    System.arraycopy(change, 0, arguments, 4, change.length);
    return CommandLineRun.of(arguments);
  }

  @Test
  void oneGpuMoreIsTheFirstDifference() throws IOException {
    Path change = Files.writeString(
        folder.resolve("change.yaml"),
        Files.readString(QUEUES).replace("nominalQuota: 10", "nominalQuota: 11"));
    CommandLineRun run = compare("--what-if", change, "-o", "json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.at("/changedJobs").asInt()).isPositive();
    assertThat(json.at("/firstDifference/job").asText()).startsWith("default/job-");
    assertThat(json.at("/firstDifference/reasons/0").asText()).contains("nvidia.com/gpu");
    assertThat(json.at("/before/clusterQueues/training/utilisation/nvidia.com~1gpu/meanNominal")
            .asDouble())
        .isEqualTo(10);
    assertThat(json.at("/after/clusterQueues/training/utilisation/nvidia.com~1gpu/meanNominal")
            .asDouble())
        .isEqualTo(11);
    String cluster = "/total/utilisation/nvidia.com~1gpu/meanNominal";
    assertThat(json.at("/after" + cluster).asDouble())
        .isEqualTo(json.at("/before" + cluster).asDouble() + 1);
    assertThat(compare("--what-if", change).out())
        .contains("first difference: at " + json.at("/firstDifference/time").asText());
  }

  @Test
  void theSameConfigurationMakesNoDifference() {
    CommandLineRun run = compare("--what-if", QUEUES);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("The change makes no difference.").doesNotContain("→");
    // Users who wait as long as before stand in the order of their mean waits.
    assertThat(run.out().lines().skip(11).map(line -> line.split(" ", 2)[0]))
        .containsExactly("1", "2", "3", "6", "4", "5");
  }

  @Test
  void fairSharingIsAChange() throws IOException {
    CommandLineRun run = CommandLineRun.of("compare", LOG, "--what-if-fair-sharing");
    assertThat(run.out()).contains("first difference: at ", " the change; otherwise it waited: ");
    assertThat(CommandLineRun.of("compare", LOG, "--fair-sharing", "--what-if-fair-sharing")
            .out())
        .contains("The change makes no difference.");
  }

  @Test
  void withoutAChangeThereIsNothingToCompare() throws IOException {
    CommandLineRun run = compare();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("there is no change; expected --what-if");
    Path broken = Files.writeString(
        folder.resolve("change.yaml"),
        Files.readString(QUEUES)
            .replace("name: a100\n      resources", "name: b100\n      resources")
            .replace("nominalQuota: 10", "nominalQuota: -1"));
    assertThat(compare("--what-if", broken).exitCode()).isEqualTo(2);
  }

  @Test
  void theConfigurationOfKueueIsAChange() throws IOException {
    Path fair = Files.writeString(folder.resolve("fair.yaml"), """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        waitForPodsReady: {timeout: 5m}
        fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
        """);
    CommandLineRun run = CommandLineRun.of("compare", LOG, "--what-if", fair);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("first difference: at ")
        .isEqualTo(CommandLineRun.of("compare", LOG, "--what-if-fair-sharing").out());
    assertThat(CommandLineRun.of("compare", LOG, "--what-if", fair, "--no-fair-sharing")
            .out())
        .contains("The change makes no difference.");
  }

  @Test
  void theConfigurationOfTheChangeReplacesTheOneBefore() throws IOException {
    Path fair = Files.writeString(folder.resolve("fair.yaml"), """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
        """);
    Path without = Files.writeString(
        folder.resolve("without.yaml"),
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n");
    CommandLineRun run =
        CommandLineRun.of("compare", LOG, "--config", fair, "--what-if", without, "-o", "json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    CommandLineRun alone = CommandLineRun.of("simulate", LOG, "-o", "json");
    assertThat(json.at("/after/digest"))
        .isEqualTo(new ObjectMapper().readTree(alone.out()).at("/digest"));
    assertThat(json.at("/before/digest")).isNotEqualTo(json.at("/after/digest"));
  }

  @Test
  void csvHasBothResultsOfEachJob() throws IOException {
    CommandLineRun run =
        compare("--what-if", LABORATORY.resolve("more-training.yaml"), "-o", "csv");
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    List<String> header = List.of(lines.get(0).split(",", -1));
    assertThat(header)
        .startsWith(
            "job", "user", "group", "local_queue", "duration_seconds", "before_cluster_queue")
        .endsWith("after_bounded_slowdown");
    assertThat(lines).hasSize(121).allMatch(line -> line.split(",", -1).length == header.size());
    int before = header.indexOf("before_start_seconds");
    int after = header.indexOf("after_start_seconds");
    assertThat(lines.subList(1, 121))
        .filteredOn(line -> !line.split(",", -1)[before].equals(line.split(",", -1)[after]))
        .isNotEmpty();
    assertThat(lines.get(1)).startsWith("job-1,");
  }
}
