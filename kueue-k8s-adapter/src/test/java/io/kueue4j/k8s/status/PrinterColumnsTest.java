package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.KueueObjects.object;
import static io.kueue4j.k8s.status.TestEngine.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns as kubectl shows them. */
class PrinterColumnsTest {
  private static PrinterColumns columns(String kind, boolean isWide) {
    return PrinterColumns.ofKind(kind, isWide).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cohortName", "cohort"})
  void ofAClusterQueue(String cohort) {
    var queue = object("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec: {%s: team, queueingStrategy: StrictFIFO}
        status: {pendingWorkloads: 3, admittedWorkloads: 0}
        """.formatted(cohort));
    assertThat(columns("ClusterQueue", false).header())
        .containsExactly("NAME", "COHORT", "PENDING WORKLOADS");
    assertThat(columns("ClusterQueue", false).row(queue, START)).containsExactly("cq", "team", "3");
    assertThat(columns("ClusterQueue", true).header())
        .containsExactly("NAME", "COHORT", "STRATEGY", "PENDING WORKLOADS", "ADMITTED WORKLOADS");
    assertThat(columns("ClusterQueue", true).row(queue, START))
        .containsExactly("cq", "team", "StrictFIFO", "3", "0");
  }

  @Test
  void ofALocalQueue() {
    var queue = object("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: q, namespace: ns}
        spec: {clusterQueue: cq}
        """);
    assertThat(columns("LocalQueue", false).header())
        .containsExactly("NAME", "CLUSTERQUEUE", "PENDING WORKLOADS", "ADMITTED WORKLOADS");
    assertThat(columns("LocalQueue", false).row(queue, START)).containsExactly("q", "cq", "", "");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "-5, 0s",
    "119, 119s",
    "120, 2m",
    "150, 2m30s",
    "600, 10m",
    "10799, 179m",
    "10800, 3h",
    "11400, 3h10m",
    "28800, 8h",
    "172799, 47h",
    "172800, 2d",
    "180000, 2d2h",
    "691200, 8d",
    "63071999, 729d",
    "63072000, 2y",
    "63244800, 2y2d",
    "252288000, 8y"
  })
  void ofAWorkload(long ageSeconds, String age) {
    var workload = object("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: w, namespace: ns, creationTimestamp: "2026-01-31T12:00:00Z"}
        spec: {queueName: q}
        status:
          admission: {clusterQueue: cq}
          conditions: [{type: Admitted, status: "True"}]
        """);
    assertThat(columns("Workload", false).header())
        .containsExactly("NAME", "QUEUE", "RESERVED IN", "ADMITTED", "FINISHED", "AGE");
    assertThat(columns("Workload", false).row(workload, START.plus(Duration.ofSeconds(ageSeconds))))
        .containsExactly("w", "q", "cq", "True", "", age);
  }

  @Test
  void ofOthers() {
    assertThat(columns("WorkloadPriorityClass", false)
            .row(
                object("{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,"
                    + " metadata: {name: high}, value: 100}"),
                START))
        .containsExactly("high", "100");
    assertThat(PrinterColumns.ofKind("ResourceFlavor", true)).isEmpty();
    assertThat(columns("Workload", false)
            .row(
                object("{apiVersion: v1, kind: Workload, metadata: {creationTimestamp: x}}"),
                START))
        .containsExactly("", "", "", "", "", "<invalid>");
  }
}
