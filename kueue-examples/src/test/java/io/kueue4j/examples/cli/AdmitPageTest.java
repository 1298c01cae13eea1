package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of {@code admit --page}. */
class AdmitPageTest {
  @Test
  void thePageShowsHowItEnds(@TempDir Path folder) throws Exception {
    Path page = folder.resolve("page.html");
    CommandLineRun run = CommandLineRun.of(
        "admit",
        "--page",
        page,
        Admit.MANIFESTS.resolve("003-kueue-v010-slides/10-settings.yaml"),
        Admit.MANIFESTS.resolve("003-kueue-v010-slides/20-job.yaml"));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("CLUSTERQUEUE");
    assertThat(Files.readString(page))
        .contains("<title>Admission of 10-settings.yaml, 20-job.yaml</title>", "Running workloads")
        .doesNotContain("http-equiv=\"refresh\"");
  }

  @Test
  void whereItCannotBeWrittenIsSaid(@TempDir Path folder) {
    CommandLineRun run = CommandLineRun.of(
        "admit",
        "--page",
        folder.resolve("missing").resolve("page.html"),
        Admit.MANIFESTS.resolve("003-kueue-v010-slides/10-settings.yaml"),
        Admit.MANIFESTS.resolve("003-kueue-v010-slides/20-job.yaml"));
    assertThat(run.exitCode()).isEqualTo(ExitCodes.BAD_INPUT);
    assertThat(run.err()).contains("cannot be written");
  }
}
