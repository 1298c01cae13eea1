package io.kueue4j.examples.cli;

import static io.kueue4j.examples.SampleManifests.GPU_QUEUES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code explain} prints. */
class ExplainCommandTest {
  private static final String QUEUES = GPU_QUEUES + """
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: LocalQueue
      metadata: {name: main, namespace: team-b}
      spec: {clusterQueue: research}
      """;

  @TempDir
  private Path folder;

  private Path state;

  private static String job(String name, String namespace, int gpus, String annotations) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: %s
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
        """.formatted(name, namespace, annotations, gpus);
  }

  @BeforeEach
  void writeState() throws IOException {
    state = folder.resolve("state.yaml");
    Files.writeString(
        state,
        QUEUES
            + job("train", "team-a", 8, "kueue4j.io/expected-duration: PT2H")
            + job("sweep", "team-a", 4, "kueue4j.io/expected-duration: PT30M")
            + job("sweep", "team-b", 2, "")
            + job("huge", "team-b", 16, ""));
  }

  private static String explained(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void aJobThatWaitsComesWithItsReasonsAndItsStart() {
    assertThat(explained("explain", "team-a/sweep", state).lines())
        .first()
        .isEqualTo("sweep is pending: WaitingForQuota, NO_PREEMPTION_CANDIDATES");
    assertThat(explained("explain", "team-a/sweep", state))
        .contains(
            "\n  before it: 0 in ClusterQueue research, 0 in LocalQueue main\n",
            "\n    held by team-a/job-train-e5b0e in research (8)\n",
            "\n  would be admitted if: ClusterQueue research has more nominal quota:"
                + " nvidia.com/gpu in flavor a100 from 8 to 12 (+4)\n",
            "\n  or if: workload team-a/job-train-e5b0e stops\n")
        .endsWith("\n  starts: after 1h59m\n");
  }

  @Test
  void aJobThatNeverStartsSaysSo() {
    assertThat(explained("explain", "huge", state))
        .startsWith("huge is pending: ExceedsMaxQuota, EXCEEDS_MAXIMUM\n")
        .endsWith("\n  starts: not within 30 days, as far as durations are known\n");
  }

  @Test
  void aJobThatRunsSaysWhere() {
    assertThat(explained("explain", "train", state))
        .isEqualTo("train is admitted by ClusterQueue research on a100\n");
    JsonNode json = json("explain", "train", state, "-o", "json");
    assertThat(json.path("status").asText()).isEqualTo("Admitted");
    assertThat(json.path("start").isNull()).isTrue();
  }

  @Test
  void jsonHasTheReasonsAndTheStart() {
    JsonNode json = json("explain", "team-a/sweep", state, "-o", "json");

    assertThat(json.at("/explanation/reasons/0/code").asText())
        .isEqualTo("NO_PREEMPTION_CANDIDATES");
    assertThat(json.at("/explanation/remedies").size()).isEqualTo(2);
    assertThat(json.at("/start/p50").asText()).isEqualTo("2026-01-01T02:00:01Z");
    assertThat(json.at("/start/neverShare").asDouble()).isZero();
  }

  private static JsonNode json(Object... arguments) {
    try {
      return new ObjectMapper().readTree(explained(arguments));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sweep    | several jobs are called sweep: team-a/sweep, team-b/sweep; give the namespace",
        "team-c/x | there is no job team-c/x; there are train, sweep, sweep, huge"
      })
  void anUnknownOrAmbiguousNameIsAnError(String job, String message) {
    CommandLineRun run = CommandLineRun.of("explain", job, state);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void withoutFilesOrClusterThereIsNothingToExplain() {
    CommandLineRun run = CommandLineRun.of("explain", "train");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("Missing required parameter: 'PATH' (or a cluster: --context NAME)");
  }
}
