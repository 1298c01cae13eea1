package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pods of a job that runs, without Workload and note, keep their places on nodes. */
class RunningPodsTest {
  private static final String CLUSTER =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Topology
      metadata: {name: racks}
      spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: placed}
      spec: {nodeLabels: {pool: a}, topologyName: racks}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: placed, resources: [{name: cpu, nominalQuota: 100}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: lq, namespace: team-a}
      spec: {clusterQueue: research}
      """ + node("node-1", "r1") + node("node-2", "r1") + node("node-3", "r2");

  /** A job of three pods with two cores each, in one rack. */
  private static final String JOB = """
      ---
      apiVersion: batch/v1
      kind: Job
      metadata:
        {name: train, namespace: team-a, uid: uid-of-train, labels: {kueue.x-k8s.io/queue-name: lq}}
      spec:
        suspend: false
        parallelism: 3
        completions: 3
        template:
          metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}
          spec:
            nodeSelector: {pool: a}
            restartPolicy: Never
            containers: [{name: main, image: i, resources: {requests: {cpu: 2}}}]
      status: {active: 3, startTime: "2026-01-31T11:40:00Z"}
      """;

  @TempDir
  private Path folder;

  private static String node(String name, String rack) {
    return """
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: %1$s, labels: {pool: a, rack: %2$s, kubernetes.io/hostname: %1$s}}
        status:
          allocatable: {cpu: 4, pods: 10}
          conditions: [{type: Ready, status: "True"}]
        """.formatted(name, rack);
  }

  private static String pod(String name, String owner, String node, String phase) {
    return """
        ---
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: team-a
          annotations: {kueue.x-k8s.io/podset-required-topology: rack}
          labels: {kueue.x-k8s.io/podset: main}
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: train, uid: %s, controller: true}
        spec:
          nodeName: %s
          containers: [{name: main, image: i, resources: {requests: {cpu: 2}}}]
        status: {phase: %s}
        """.formatted(name, owner, node, phase);
  }

  private static final String PODS = pod("train-0", "uid-of-train", "node-1", "Running")
      + pod("train-1", "uid-of-train", "node-1", "Running")
      + pod("train-2", "uid-of-train", "node-2", "Pending");

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("cluster.yaml"), text);
  }

  private static JsonNode places(Admit admit) {
    return admit.job(0, "train").at("/podSets/0/topologyAssignment/domains");
  }

  @Test
  void theNodesOfThePodsAreThePlaces() throws IOException {
    Admit admit = Admit.json(write(CLUSTER + JOB + PODS));
    assertThat(admit.names(0, "Admitted")).containsExactly("train");
    assertThat(places(admit)).isEqualTo(Admit.parse("""
        [{"values": ["node-1"], "count": 2}, {"values": ["node-2"], "count": 1}]"""));
  }

  @Test
  void podsOfAnObjectThatTheJobOwnsCountWithTheJob() throws IOException {
    String between = """
        ---
        apiVersion: example.com/v1
        kind: Helper
        metadata:
          name: h
          namespace: team-a
          uid: uid-of-helper
          ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train, uid: uid-of-train}]
        """;
    Path file = write(CLUSTER
        + JOB
        + between
        + PODS.replace("name: train, uid: uid-of-train, c", "name: h, uid: uid-of-helper, c"));
    assertThat(places(Admit.json(file))).hasSize(2);
  }

  @Test
  void podsThatHaveEndedHaveNoPlace() throws IOException {
    Path file = write(CLUSTER + JOB + PODS.replace("Pending", "Succeeded"));
    assertThat(places(Admit.json(file))).isEqualTo(Admit.parse("""
        [{"values": ["node-1"], "count": 2}]"""));
  }

  @Test
  void anotherJobGetsTheRoomThatIsLeft() throws IOException {
    String next = JOB.replace("train", "next")
        .replace("suspend: false", "suspend: true")
        .replace("status: {active: 3, startTime: \"2026-01-31T11:40:00Z\"}", "");
    // Rack r1 has room for one more pod, r2 for two.
    Admit admit = Admit.json(write(CLUSTER
        + JOB
        + PODS
        + next.replace("parallelism: 3", "parallelism: 2")
            .replace("completions: 3", "completions: 2")));
    assertThat(admit.names(0, "Admitted")).containsExactly("train", "next");
    assertThat(admit.job(0, "next").toString()).contains("node-3").doesNotContain("node-2");
    assertThat(Admit.json(write(CLUSTER + JOB + PODS + next)).names(0, "Pending"))
        .containsExactly("next");
  }

  @Test
  void aSnapshotKeepsThePlaces() throws IOException {
    Path file = write(CLUSTER + JOB + PODS);
    String snapshot = CommandLineRun.of("snapshot", file).out();
    Admit again = Admit.json(Files.writeString(folder.resolve("snapshot.yaml"), snapshot));
    assertThat(places(again)).isEqualTo(places(Admit.json(file))).hasSize(2);
  }
}
