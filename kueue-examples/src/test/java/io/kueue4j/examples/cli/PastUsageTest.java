package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With admissionFairSharing, the past usage in the status of LocalQueues decides who is next. */
class PastUsageTest {
  private static final String CONFIGURATION = """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      admissionFairSharing: {usageHalfLifeTime: 168h, usageSamplingInterval: 5m}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 1}]}]
      """;

  @TempDir
  private Path folder;

  private static String queue(String version, String name, String status) {
    return """
        ---
        apiVersion: kueue.x-k8s.io/%s
        kind: LocalQueue
        metadata: {name: %s, namespace: team-a}
        spec: {clusterQueue: research}
        status: %s
        """.formatted(version, name, status);
  }

  private static String used(String cores) {
    return """
        {pendingWorkloads: 1, fairSharing: {weightedShare: 0, admissionFairSharingStatus: {
          consumedResources: {cpu: "%s"}, lastUpdate: "2026-01-31T12:00:00Z"}}}""".formatted(cores);
  }

  /** {@return the Workload of a job that waits in the LocalQueue of its name} */
  private static String waiting(String name, String created) {
    return ClusterDump.workload(name, "", 1, """
                - {type: QuotaReserved, status: "False", reason: Pending, message: no room, lastTransitionTime: "2026-01-31T11:50:00Z"}
            """)
        .replace("queueName: lq", "queueName: " + name)
        .replace("2026-01-31T09:30:00Z", created);
  }

  /** The job of the queue that has used much was created first. */
  private String cluster(String version, String much, String little) {
    return CONFIGURATION
        + queue(version, "much", much)
        + queue(version, "little", little)
        + waiting("much", "2026-01-31T09:30:00Z")
        + waiting("little", "2026-01-31T09:40:00Z");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("cluster.yaml"), text);
  }

  @Test
  void theQueueThatHasUsedLessIsServedFirst() throws IOException {
    for (String version : new String[] {"v1beta1", "v1beta2"}) {
      Path cluster = write(cluster(version, used("7.5"), used("250m")));
      assertThat(Admit.json(cluster).names(0, "Admitted")).containsExactly("little");
    }
    Path even = write(cluster("v1beta2", "{}", "{}"));
    assertThat(Admit.json(even).names(0, "Admitted")).containsExactly("much");
  }

  @Test
  void itIsIgnoredWithoutAdmissionFairSharing() throws IOException {
    Path cluster = write(cluster("v1beta2", used("-7"), used("1"))
        .replace("admissionFairSharing: {usageHalfLifeTime: 168h, usageSamplingInterval: 5m}", ""));
    assertThat(Admit.json(cluster).names(0, "Admitted")).containsExactly("much");
  }

  @Test
  void aSnapshotKeepsIt() throws IOException {
    Path cluster = write(cluster("v1beta2", used("7.5"), used("250m")));
    for (String option : new String[] {"--salt=x", "--hash-names"}) {
      CommandLineRun snapshot = CommandLineRun.of("snapshot", cluster, option);
      assertThat(snapshot.exitCode()).as(snapshot.err()).isZero();
      assertThat(snapshot.out()).contains("7.5", "250m").doesNotContain("pendingWorkloads");
      Path file = Files.writeString(folder.resolve("snapshot.yaml"), snapshot.out());
      JsonNode jobs = Admit.parse(CommandLineRun.of("admit", "-o", "json", file).out())
          .at("/phases/0/workloads");
      assertThat(jobs.findValuesAsText("status")).containsExactly("Pending", "Admitted");
    }
  }

  @Test
  void whatAdmitPrintsKeepsIt() throws IOException {
    Path cluster = write(cluster("v1beta2", used("7.5"), used("250m")));
    CommandLineRun printed = CommandLineRun.of("admit", cluster, "-o", "yaml");
    // The job that was admitted counts for the moment between its admission and the end.
    assertThat(printed.out()).contains("cpu: \"7.5\"", "cpu: \"0.25034");
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    Path cluster = write(cluster(
        "v1beta2",
        used("-7"),
        "{fairSharing: {admissionFairSharingStatus: {consumedResources: {cpu: 1}}}}"));
    CommandLineRun run = CommandLineRun.of("admit", cluster);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "document 4, line 24",
            "status.fairSharing.admissionFairSharingStatus.consumedResources: -7 of cpu; expected 0"
                + " or more",
            "document 5, line 30",
            "status.fairSharing.admissionFairSharingStatus.lastUpdate: missing");
  }
}
