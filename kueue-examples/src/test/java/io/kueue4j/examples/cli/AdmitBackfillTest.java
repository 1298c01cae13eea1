package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promised starts by annotations of jobs and ClusterQueues. */
class AdmitBackfillTest {
  private static final String QUEUE = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: q, annotations: {kueue4j.io/backfill-depth: "1"}}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q},
       spec: {clusterQueue: q}}
      """;
  private static final String JOBS =
      job("first", 3, "PT2H") + job("large", 4, "PT1H") + job("long", 1, "PT3H");

  @TempDir
  private Path folder;

  private static String job(String name, int cpu, String duration) {
    return """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          labels: {kueue.x-k8s.io/queue-name: q}
          annotations: {kueue4j.io/expected-duration: %s}
        spec:
          template:
            spec: {containers: [{name: main, resources: {requests: {cpu: %d}}}]}
        """.formatted(name, duration, cpu);
  }

  private Path write(String yaml) throws IOException {
    return Files.writeString(folder.resolve("all.yaml"), yaml);
  }

  private static String out(Object... arguments) {
    CommandLineRun run = CommandLineRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void aFillerMayNotDelayThePromisedStart() throws IOException {
    String plain = QUEUE.replace(", annotations: {kueue4j.io/backfill-depth: \"1\"}", "");
    assertThat(out("admit", write(plain + JOBS)))
        .containsPattern("long +default +q +q +Admitted")
        .doesNotContain("would delay");
    assertThat(out("admit", write(QUEUE + JOBS), "--backfill=0"))
        .containsPattern("first +default +q +q +Admitted")
        .containsPattern("large +default +q +q +Pending")
        .containsPattern("long +default +q +q +Pending")
        .contains("would delay default/job-large");
    assertThat(out("admit", write(QUEUE + JOBS), "--backfill=0", "-o", "wide"))
        .containsPattern(
            "large is pending[^@]*  starts at the latest: 20.*Z, if durations are as expected");
    assertThat(out("admit", write(QUEUE + JOBS), "--backfill=0", "-o", "json"))
        .containsPattern("\"promise\" *: *\\{\\s*\"start\" *: *\"20");
    assertThat(out("admit", write(QUEUE + JOBS.replace("PT3H", "PT1H")), "--backfill=0"))
        .containsPattern("long +default +q +q +Admitted");
  }

  @Test
  void theDepthOfAQueueNeedsBackfill() throws IOException {
    CommandLineRun run = CommandLineRun.of("admit", write(QUEUE));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("all.yaml: document 2, line 5")
        .contains("metadata.annotations[kueue4j.io/backfill-depth]: 1 without backfill in the"
            + " settings; expected none, or set Settings.backfill (--backfill)");
  }

  @Test
  void aWrongDurationHasAPlace() throws IOException {
    CommandLineRun run = CommandLineRun.of("admit", write(QUEUE + job("first", 1, "2h")));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "metadata.annotations[kueue4j.io/expected-duration]: \"2h\"; expected a duration");
  }

  @Test
  void annotationsStayInStatesAndSnapshots() throws IOException {
    Path all = write(QUEUE + JOBS);
    for (String state :
        new String[] {out("admit", all, "--backfill=0", "-o", "yaml"), out("snapshot", all)}) {
      assertThat(state)
          .containsPattern("kueue4j.io/backfill-depth\"?: \"1\"")
          .containsPattern("kueue4j.io/expected-duration\"?: \"?PT3H");
    }
  }
}
