package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    assertThat(compare("--what-if", change).out())
        .contains("first difference: at " + json.at("/firstDifference/time").asText());
  }

  @Test
  void theSameConfigurationMakesNoDifference() {
    CommandLineRun run = compare("--what-if", QUEUES);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("The change makes no difference.").doesNotContain("→");
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
}
