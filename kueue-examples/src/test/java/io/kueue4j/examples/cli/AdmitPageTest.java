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
        .contains("<title>Admission of 10-settings.yaml, 20-job.yaml</title>", "Running jobs")
        .doesNotContain("http-equiv=\"refresh\"");
  }

  @Test
  void jobsAreCalledAsInTheManifestsAndCountedAsInTheTable(@TempDir Path folder) throws Exception {
    Path page = folder.resolve("page.html");
    Path lost = Files.writeString(folder.resolve("lost.yaml"), """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: lost, labels: {kueue.x-k8s.io/queue-name: nowhere}}
        spec:
          template:
            spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}
        """);
    Path tutorial = Admit.MANIFESTS.resolve("003-kueue-v010-slides");
    CommandLineRun run = CommandLineRun.of(
        "admit",
        "--page",
        page,
        tutorial.resolve("10-settings.yaml"),
        tutorial.resolve("20-job.yaml"),
        lost);
    assertThat(run.exitCode()).as(run.err()).isZero();
    long pending = run.out().lines().filter(line -> line.contains(" Pending ")).count();
    assertThat(pending).isPositive();
    assertThat(Files.readString(page))
        .contains("<bdi>lost</bdi>", "<bdi>Job</bdi> in <bdi>default</bdi>", "1 in no queue")
        .contains("<dt>Pending</dt><dd class=\"count\">" + pending + "</dd>")
        .doesNotContain("job-lost-");
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
