package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code admit} names every flavor that keeps a job waiting. */
class AdmitReasonsTest {
  private static final String FLAVOR = """
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: %s}
      """;

  private static final String QUEUE = """
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: %1$s}
      spec:
        cohortName: both
        namespaceSelector: {}
        preemption: {reclaimWithinCohort: Any}
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - {name: h100, resources: [{name: cpu, nominalQuota: 8}]}
          - {name: spot, resources: [{name: cpu, nominalQuota: 2}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: %1$s, namespace: default}
      spec: {clusterQueue: %1$s}
      """;

  private static final String JOB = """
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: %s}}
      spec:
        suspend: true
        template:
          spec:
            restartPolicy: Never
            containers: [{name: c, resources: {requests: {cpu: %d}}}]
      """;

  @TempDir
  private Path folder;

  @Test
  void aJobThatTriedTheLastFlavorLastNamesBothFlavors() throws IOException {
    Path file = Files.writeString(
        folder.resolve("cluster.yaml"),
        FLAVOR.formatted("h100")
            + FLAVOR.formatted("spot")
            + QUEUE.formatted("a")
            + QUEUE.formatted("b")
            + JOB.formatted("first", "a", 16)
            + JOB.formatted("second", "b", 8));
    String reasons = "cpu in flavor h100: requests 16, 8 available, 8 more needed"
        + " (in use 0, nominal quota 8); pod set main: cpu in flavor spot: requests 16, more than"
        + " the queue could ever get (4)";

    assertThat(CommandLineRun.of("admit", file).out())
        .containsPattern("second +default +b +b +Admitted +h100")
        .contains(reasons);
    assertThat(CommandLineRun.of("admit", "-o", "wide", file).out()).contains(reasons);
  }

  @Test
  void jobsThatWaitForTheSameReasonsStandTogether() throws IOException {
    StringBuilder jobs = new StringBuilder();
    for (int i = 1; i <= 9; i++) {
      jobs.append(JOB.formatted("equal" + i, "a", 8));
    }
    Path file = folder.resolve("all.yaml");
    Files.writeString(
        file, FLAVOR.formatted("h100") + FLAVOR.formatted("spot") + QUEUE.formatted("a") + jobs);

    assertThat(CommandLineRun.of("admit", "-o", "wide", file).out())
        .contains("\nequal2 is pending\n  before it: 0 in ClusterQueue a, 0 in LocalQueue a\n")
        .contains("\nequal3, equal4, equal5, equal6, equal7 and 2 more are pending\n")
        .contains("  before the first: 1 in ClusterQueue a, 1 in LocalQueue a\n")
        .containsOnlyOnce("  because: workload default/job-equal2-");
  }
}
