package io.kueue4j.examples.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Commands that log nothing do not pay for logging when they start. */
class StartTest {
  @Test
  void admitLoadsNoClassOfALoggingLibrary() throws IOException, InterruptedException {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xlog:class+load",
            "-cp",
            System.getProperty("java.class.path"),
            "io.kueue4j.examples.Main",
            "admit",
            "src/main/resources/manifests/000-gke-batch-jobs")
        .redirectErrorStream(true)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(output).contains("io.kueue4j.examples.cli.AdmitCommand", "Admitted");
    assertThat(
            output.lines().filter(line -> line.contains("ch.qos.") || line.contains("org.slf4j")))
        .isEmpty();
  }
}
