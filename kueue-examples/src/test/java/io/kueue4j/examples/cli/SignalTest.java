package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGTERM ends processes of commands that run long. A JVM treats SIGINT in the same way. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class SignalTest {
  /** Longer than commands may take, since machines may be busy; shorter than the commands run. */
  private static final long MOST_SECONDS = 20;

  private static final String ESTIMATED = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: default}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: q}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - {name: default, resources: [{name: cpu, nominalQuota: 1}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: q, namespace: default}
      spec: {clusterQueue: q}
      """;

  @TempDir
  private Path folder;

  private Process start(String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(ImmutableList.<String>builder()
        .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        .add("-cp", System.getProperty("java.class.path"), Main.class.getName())
        .add(arguments)
        .build());
    return builder
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("out").toFile())
        .start();
  }

  private void endsWithSignal(Process process) throws Exception {
    try {
      assertThat(process.waitFor(3, TimeUnit.SECONDS))
          .as(() -> "the command ended early: " + output())
          .isFalse();
      process.destroy();
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS))
          .as("the command ended after SIGTERM")
          .isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  private String output() {
    try {
      return Files.readString(folder.resolve("out"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "harness --steps 1000000000 --seed 1",
        "simulate large",
        "measure",
        "tpu study",
        "admit -"
      })
  void aLongCommandEnds(String command) throws Exception {
    endsWithSignal(start(command.split(" ", -1)));
  }

  @Test
  void anEstimateOfManySamplesEnds() throws Exception {
    StringBuilder state = new StringBuilder(ESTIMATED);
    for (int i = 0; i < 200; i++) {
      state.append("""
          ---
          apiVersion: batch/v1
          kind: Job
          metadata: {name: j%d, namespace: default, labels: {kueue.x-k8s.io/queue-name: q}}
          spec:
            suspend: true
            template:
              spec:
                restartPolicy: Never
                containers: [{name: c, resources: {requests: {cpu: "1"}}}]
          """.formatted(i));
    }
    Path file = Files.writeString(folder.resolve("state.yaml"), state.toString());

    endsWithSignal(
        start("estimate", file.toString(), "--default-duration", "PT1H", "--samples", "100000000"));
  }
}
