package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGTERM and SIGINT (Ctrl-C) end processes of commands that run long. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class SignalTest {
  /** Longer than commands may take, since machines may be busy. */
  private static final long MOST_SECONDS = 60;

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

  /** A signal that ends processes. */
  private enum Signal {
    TERM(143),
    INT(130);

    private final int exitCode;

    Signal(int exitCode) {
      this.exitCode = exitCode;
    }

    /**
     * {@return whether processes ignore it, as SIGINT in a build that a script runs with {@code &}}
     */
    private boolean isIgnored() throws Exception {
      return new ProcessBuilder("sh", "-c", "kill -" + this + " $$").start().waitFor() == 0;
    }

    private void sendTo(Process process) throws Exception {
      Process kill = new ProcessBuilder("kill", "-" + this, String.valueOf(process.pid())).start();
      assertThat(kill.waitFor()).as("exit code of kill").isZero();
    }
  }

  private Path output(Signal signal) {
    return folder.resolve("out." + signal);
  }

  private Process start(Signal signal, String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(ImmutableList.<String>builder()
        .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        .add("-cp", System.getProperty("java.class.path"), Main.class.getName())
        .add(arguments)
        .build());
    return builder
        .redirectErrorStream(true)
        .redirectOutput(output(signal).toFile())
        .start();
  }

  /** Runs a command once for each signal, all at the same time. */
  private void endsWithEachSignal(String... arguments) throws Exception {
    Map<Signal, Process> processes = new EnumMap<>(Signal.class);
    try {
      for (Signal signal : Signal.values()) {
        if (!signal.isIgnored()) {
          processes.put(signal, start(signal, arguments));
        }
      }
      TimeUnit.SECONDS.sleep(3);
      for (Map.Entry<Signal, Process> running : processes.entrySet()) {
        assertThat(running.getValue().isAlive())
            .as(() -> "the command runs: " + content(output(running.getKey())))
            .isTrue();
        running.getKey().sendTo(running.getValue());
      }
      for (Map.Entry<Signal, Process> signalled : processes.entrySet()) {
        assertThat(signalled.getValue().waitFor(MOST_SECONDS, TimeUnit.SECONDS))
            .as("the command ended after SIG" + signalled.getKey())
            .isTrue();
        assertThat(signalled.getValue().exitValue()).isEqualTo(signalled.getKey().exitCode);
      }
    } finally {
      processes.values().forEach(Process::destroyForcibly);
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
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
    endsWithEachSignal(command.split(" ", -1));
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

    endsWithEachSignal(
        "estimate", file.toString(), "--default-duration", "PT1H", "--samples", "100000000");
  }
}
