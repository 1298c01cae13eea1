package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code admit} goes on from the state of a cluster: what runs holds its quota, what has ended
 * none.
 */
class AdmitStateTest {
  @TempDir
  private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("cluster.yaml"), text);
  }

  private Admit admit(String text) throws IOException {
    return Admit.json(write(text));
  }

  @Test
  void jobsInEveryStateStayInIt() throws IOException {
    Admit admit = admit(ClusterDump.QUEUES + ClusterDump.JOBS + ClusterDump.WORKLOADS);

    assertThat(admit.names(0, "Finished")).containsExactlyInAnyOrder("done", "finished");
    assertThat(admit.names(0, "Admitted"))
        .containsExactlyInAnyOrder("admitted", "running", "waiting");
    assertThat(admit.names(0, "Pending"))
        .containsExactlyInAnyOrder("evicted", "backed-off", "pending", "inactive");
    assertThat(admit.job(0, "running").toString()).contains("fixed").doesNotContain("spot");
    assertThat(admit.events(0).toString()).contains("waiting").doesNotContain("running");
    assertThat(admit.reasons(0, "backed-off")).contains("2026-01-31T13:00:00Z");
  }

  @Test
  void whatHasToStopDoesNotTakeTheTurnOfWhatItStopsFor() throws IOException {
    String stopping = ClusterDump.workload("stopping", "spot", 4, """
                - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: m, lastTransitionTime: "2026-01-31T11:45:00Z"}
                - {type: Admitted, status: "True", reason: Admitted, message: m, lastTransitionTime: "2026-01-31T11:45:00Z"}
                - {type: Evicted, status: "True", reason: Preempted, message: m, lastTransitionTime: "2026-01-31T11:50:00Z"}
                - {type: Preempted, status: "True", reason: InClusterQueue, message: m, lastTransitionTime: "2026-01-31T11:50:00Z"}
            """);
    String urgent = ClusterDump.workload("urgent", "", 8, "")
        .replace("active: true", "active: true\n  priority: 100")
        .replaceFirst("(?s)status:.*", "")
        .replace("2026-01-31T09:30:00Z", "2026-01-31T11:49:00Z");
    Admit admit = admit(ClusterDump.QUEUES
            .replace(
                "{name: fixed, resources: [{name: cpu, nominalQuota: 4}]}",
                "{name: fixed, resources: [{name: cpu, nominalQuota: 0}]}")
            .replace("nominalQuota: 4", "nominalQuota: 8")
        + stopping
        + urgent);

    assertThat(admit.names(0, "Admitted")).containsExactly("urgent");
    assertThat(admit.events(0).toString()).contains("urgent").doesNotContain("stopping");
  }

  @Test
  void anOpenPreemptionGateStaysOpen() throws IOException {
    String admitted = """
                - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: m, lastTransitionTime: "2026-01-31T11:45:00Z"}
                - {type: Admitted, status: "True", reason: Admitted, message: m, lastTransitionTime: "2026-01-31T11:45:00Z"}
        """;
    String gated = ClusterDump.workload("gated", "", 4, """
                - {type: QuotaReserved, status: "False", reason: Pending, message: m, lastTransitionTime: "2026-01-31T11:50:00Z"}
            """)
        .replace(
            "active: true",
            "active: true\n  priority: 100\n  preemptionGates: [{name: kueue.x-k8s.io/multikueue}]")
        .replace("status:\n", """
            status:
              preemptionGates:
              - {name: kueue.x-k8s.io/multikueue, position: POSITION, lastTransitionTime: "2026-01-31T11:55:00Z"}
            """);
    String cluster = ClusterDump.QUEUES
        + ClusterDump.workload("one", "spot", 4, admitted)
        + ClusterDump.workload("two", "fixed", 4, admitted)
        + gated;
    String gate = "--feature-gate=MultiKueueOrchestratedPreemption=true";
    Admit closed = Admit.json(write(cluster.replace("POSITION", "Closed")), gate);
    assertThat(closed.names(0, "Admitted")).containsExactlyInAnyOrder("one", "two");
    Admit open = Admit.json(write(cluster.replace("POSITION", "Open")), gate);
    assertThat(open.names(0, "Admitted")).contains("gated").hasSize(2);

    Path dump = folder.resolve("cluster.yaml");
    CommandLineRun snapshot = CommandLineRun.of("snapshot", dump);
    CommandLineRun hashed = CommandLineRun.of("snapshot", dump, "--hash-names", "--salt=x");
    assertThat(Admit.json(write(snapshot.out()), gate).names(0, "Admitted")).contains("gated");
    assertThat(Admit.json(write(hashed.out()), gate).names(0, "Admitted"))
        .hasSize(2)
        .isNotEqualTo(Admit.json(write(hashed.out().replace("\"Open\"", "\"Closed\"")), gate)
            .names(0, "Admitted"));
  }

  @Test
  void aJobBesideItsWorkloadIsFoundByItsUid() throws IOException {
    String beside = ClusterDump.job("admitted", "suspend: false", "    {active: 1}\n");
    Admit admit = admit(ClusterDump.QUEUES + ClusterDump.WORKLOADS + beside);

    assertThat(admit.names(0, "Admitted")).containsExactly("admitted");
  }

  @Test
  void aRunningJobOnNoFlavorCountsAsCreatedNow() throws IOException {
    String lost = ClusterDump.job("lost", "suspend: false", "    {active: 1}\n");
    CommandLineRun run = CommandLineRun.of("admit", write(ClusterDump.QUEUES + lost));

    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .endsWith(
            "status: the job runs, but on no flavor of its ClusterQueue; it counts as created now");
    assertThat(run.out()).containsPattern("lost .* Admitted +spot");
  }

  @Test
  void brokenWorkloadsAreAllNamed() throws IOException {
    String unknownQueue =
        ClusterDump.WORKLOADS.replace("clusterQueue: research", "clusterQueue: nowhere");
    CommandLineRun run = CommandLineRun.of("admit", write(ClusterDump.QUEUES + unknownQueue));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .hasSize(2)
        .allSatisfy(
            line -> assertThat(line).contains("nowhere").contains("cluster.yaml: document "));

    String halfValid = ClusterDump.WORKLOADS.replace("count: 1, flavors", "count: x, flavors");
    assertThat(
            CommandLineRun.of("admit", write(ClusterDump.QUEUES + halfValid)).errLines("error: "))
        .hasSize(3)
        .allSatisfy(line -> assertThat(line)
            .contains("status.admission.podSetAssignments[0].count: \"x\"; expected a 32-bit"));
  }

  @Test
  void aFlavorThatIsGoneIsNoted() throws IOException {
    String gone = ClusterDump.WORKLOADS.replace("flavors: {cpu: spot}", "flavors: {cpu: gone}");
    CommandLineRun run = CommandLineRun.of("admit", write(ClusterDump.QUEUES + gone));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("admitted .* Admitted +gone");
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .endsWith(
            "status.admission.podSetAssignments: there is no ResourceFlavor gone; what it holds"
                + " of it counts in no quota");
  }

  @Test
  void aLocalQueueThatIsGoneIsNoted() throws IOException {
    String gone = ClusterDump.WORKLOADS.replace("queueName: lq", "queueName: gone");
    CommandLineRun run = CommandLineRun.of("admit", "-o", "json", write(ClusterDump.QUEUES + gone));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.errLines("warning: "))
        .hasSize(4)
        .allSatisfy(line -> assertThat(line)
            .contains("spec.queueName: there is no LocalQueue gone in" + " namespace team-a"));
  }

  @Test
  void ofTwoVersionsOfOneWorkloadTheLastCounts() throws IOException {
    String older = ClusterDump.workload("pending", "", 1, """
              - {type: QuotaReserved, status: "False", reason: Pending, message: x, lastTransitionTime: "2026-01-31T11:50:00Z"}
        """);
    CommandLineRun run =
        CommandLineRun.of("admit", write(ClusterDump.QUEUES + older + ClusterDump.WORKLOADS));
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .contains("metadata.name: passed over: Workload team-a/job-pending-abcde is given again"
            + " with another content in");
    assertThat(run.out()).containsPattern("pending .* Pending");
  }

  @Test
  void listsOfListsAndUnknownKindsAreRead() throws IOException {
    String list = """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: example.com/v1
          kind: Thing
          metadata: {name: x}
        - apiVersion: v1
          kind: List
          items:
          - {apiVersion: v1, kind: Namespace, metadata: {name: inner}}
          - apiVersion: kueue.x-k8s.io/v1beta2
            kind: ResourceFlavorList
            items: [{metadata: {name: extra}}]
        """;
    CommandLineRun run = CommandLineRun.of(
        "admit", "-o", "yaml", write(list + ClusterDump.QUEUES + ClusterDump.WORKLOADS));
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .endsWith("kind: passed over: Thing of example.com/v1 is not known");
    assertThat(run.out()).contains("name: \"inner\"", "name: \"extra\"");
  }

  @Test
  void whatJobsLackOrHaveWrongIsNoDefect() throws IOException {
    Path bare = write("""
        apiVersion: batch/v1
        kind: Job
        spec: {template: {spec: {containers: [{name: c}]}}}
        """);
    for (String command : List.of("admit", "snapshot")) {
      assertThat(CommandLineRun.of(command, bare).err()).contains("names no queue");
    }
  }

  @Test
  void podsOfJobsThatAreThereNeedNoWarning() throws IOException {
    String pods = """
        ---
        {apiVersion: v1, kind: Node, metadata: {name: node-1, labels: {cloud: spot}},
         status: {allocatable: {cpu: 8, pods: 10}, conditions: [{type: Ready, status: "True"}]}}
        ---
        apiVersion: v1
        kind: Pod
        metadata:
          name: gated
          namespace: team-a
          ownerReferences: [{apiVersion: batch/v1, kind: Job, name: running, uid: uid-of-running, controller: true}]
        spec: {schedulingGates: [{name: x}], containers: [{name: c}]}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: alone, namespace: team-a}
        spec: {containers: [{name: c}]}
        """;
    CommandLineRun run =
        CommandLineRun.of("admit", write(ClusterDump.QUEUES + ClusterDump.JOBS + pods));
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .contains("not taken into account: Pod of v1 that neither is bound");
  }
}
