package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.JobState;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Admissions in Workload objects on a real API server with the schema of Kueue, and users of
 * different rights: the controller has the rights of its manifest, the controller of a check may
 * write the status of Workloads, and a tenant everything about jobs and Workloads except that
 * status.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
@SuppressWarnings("try") // A controller works until it is closed.
class WorkloadServerTest {
  private static final String QUEUES = TenantServer.QUEUES;
  private static final String ROLES =
      TenantServer.role("tenant", """
      {apiGroups: [batch], resources: [jobs], verbs: ["*"]},
      {apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: ["*"]}""", "tenant") + TenantServer.role("check", """
      {apiGroups: [kueue.x-k8s.io], resources: [workloads, workloads/status],
       verbs: [get, list, watch, patch]}""", "check");

  private static TenantServer server;
  private static KubernetesClient client;
  private static KubernetesClient tenant;

  @BeforeAll
  static void start() throws IOException {
    server = TenantServer.start(ROLES);
    client = server.admin();
    tenant = server.tenant();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @AfterEach
  void deleteJobs() {
    client.batch().v1().jobs().inNamespace("default").delete();
  }

  // ----- as Kueue

  @Test
  void aJobIsAdmittedPreemptedAndAdmittedAgainByItsWorkload() throws Exception {
    try (RunningController running = server.startController(QUEUES)) {
      server.create("low", 4);
      Await.until("low runs", () -> server.runs("low"));
      assertThat(server
              .workload("low")
              .at("/spec/podSets/0/template/spec/containers/0/image")
              .asText())
          .isEqualTo("busybox");
      assertThat(server
              .workload("low")
              .at("/status/admission/podSetAssignments/0/flavors/cpu")
              .asText())
          .isEqualTo("spot");
      assertThat(server.workload(client, "low").get().getMetadata().getManagedFields())
          .filteredOn(entry -> "status".equals(entry.getSubresource()))
          .extracting(ManagedFieldsEntry::getManager, ManagedFieldsEntry::getOperation)
          .containsExactly(tuple("fabric8-kubernetes-client", "Update"));

      Job high = TenantServer.newJob("default", "high", 4, true);
      high.getMetadata().getLabels().put("kueue.x-k8s.io/priority-class", "high");
      tenant.resource(high).create();
      Await.until("high runs", () -> server.runs("high"));
      assertThat(server.isSuspended("low")).isTrue();
      assertThat(server.condition("low", "Evicted").path("reason").asText()).isEqualTo("Preempted");
      assertThat(server.workload("low").at("/status/admission").isMissingNode()).isTrue();
      Await.until(
          "low says why",
          () -> server
              .condition("low", "QuotaReserved")
              .path("message")
              .asText()
              .contains("0 available"));
      assertThat(server.job("low").getSpec().getTemplate().getSpec().getNodeSelector())
          .isNullOrEmpty();
    }
    try (RunningController another = server.startController(QUEUES)) {
      assertThat(another.state("high")).isEqualTo(JobState.ADMITTED);
      client.batch().v1().jobs().inNamespace("default").withName("high").delete();
      Await.until("low runs again", () -> server.runs("low"));
      assertThat(server
              .workload("low")
              .at("/status/schedulingStats/evictions/0/reason")
              .asText())
          .isEqualTo("Preempted");
    }
  }

  @Test
  void aLargeJobRunsAndATooLargeOneIsRefused() throws Exception {
    try (RunningController running = server.startController(QUEUES)) {
      for (int kilobytes : new int[] {1000, 1200}) {
        Job job = TenantServer.newJob("default", "of-" + kilobytes, 1, true);
        WorkloadRecordsTest.setText(job, kilobytes * 1000);
        tenant.resource(job).create();
      }
      Await.until("the large one runs", () -> server.runs("of-1000"));
      Await.until("the other is refused", () -> running.state("of-1200") == JobState.REFUSED);
      Await.until("an event says so", () -> server.hasEvent("of-1200", "Refused"));
      assertThat(server.isAdmitted("of-1200")).isFalse();
    }
  }

  @Test
  void theControllerOfACheckAnswersInTheWorkloadAndNobodyElse() throws Exception {
    String queues = QUEUES.replace(
            "preemption: {",
            "admissionChecksStrategy: {admissionChecks: [{name: budget}]}\n  preemption: {")
        + TenantServer.CHECK;
    try (RunningController running = server.startController(queues);
        KubernetesClient check = server.clientAs("check")) {
      server.create("checked", 4);
      Await.until("it is reserved", () -> server.isTrue("checked", "QuotaReserved"));
      server.edit("checked", job -> {
        job.getMetadata()
            .setAnnotations(
                new HashMap<>(Map.of("kueue4j.io/admission-checks", "{\"budget\": \"Ready\"}")));
        return job;
      });
      String ready =
          """
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
           "metadata": {"name": "%s", "namespace": "default"},
           "status": {"admissionChecks": [{"name": "budget", "state": "Ready", "message": "granted",
             "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
          """.formatted(server.workload(client, "checked").get().getMetadata().getName());
      PatchContext byCheck = new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager("budget")
          .withForce(true)
          .build();
      assertThatThrownBy(
              () -> server.workload(tenant, "checked").subresource("status").patch(byCheck, ready))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
      assertThat(server.isSuspended("checked")).isTrue();

      server.workload(check, "checked").subresource("status").patch(byCheck, ready);
      Await.until("it runs", () -> server.runs("checked"));
      assertThat(
              server.workload("checked").at("/status/admissionChecks/0/message").asText())
          .isEqualTo("granted");
      assertThat(server.workload(client, "checked").get().getMetadata().getManagedFields())
          .filteredOn(entry -> entry.getManager().equals("budget"))
          .singleElement()
          .satisfies(
              entry -> assertThat(Json.text(entry.getFieldsV1())).contains("budget", "f:state"));
    }
  }

  private static void createNode(String pool, int number) {
    Node node = client
        .resource(Serialization.unmarshal("""
            apiVersion: v1
            kind: Node
            metadata:
              name: %1$s-%2$d
              labels:
                kubernetes.io/hostname: %1$s-%2$d
                cloud.google.com/gke-nodepool: %1$s
                cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
                cloud.google.com/gke-tpu-topology: 2x4
            status:
              capacity: {google.com/tpu: "4", pods: "110"}
              allocatable: {google.com/tpu: "4", pods: "110"}
              conditions: [{type: Ready, status: "True"}]
            """.formatted(pool, number), Node.class))
        .create();
    // The API server taints new nodes until their status says that they are ready.
    client.nodes().withName(node.getMetadata().getName()).edit(stored -> {
      stored.getSpec().setTaints(List.of());
      return stored;
    });
    setReady(node.getMetadata().getName(), true);
  }

  private static void setReady(String node, boolean isReady) {
    client.nodes().withName(node).editStatus(stored -> {
      NodeStatus status =
          Serialization.unmarshal("""
          capacity: {google.com/tpu: "4", pods: "110"}
          allocatable: {google.com/tpu: "4", pods: "110"}
          conditions: [{type: Ready, status: "%s"}]
          """.formatted(isReady ? "True" : "False"), NodeStatus.class);
      stored.setStatus(status);
      return stored;
    });
  }

  /** {@return the pools that the pods of a job select; a suspended job has no selectors} */
  private static String selectedPools(String job) {
    PodSpec pods = server.job(job).getSpec().getTemplate().getSpec();
    if (pods.getAffinity() != null) {
      return Json.text(pods.getAffinity());
    }
    return pods.getNodeSelector() == null
        ? ""
        : pods.getNodeSelector().getOrDefault("cloud.google.com/gke-nodepool", "");
  }

  @Test
  void theTpuSlicesOfJobsAreInTheStatusOfTheirWorkloads() throws Exception {
    String queues = QUEUES
        .replace(
            "{pool: spot}",
            "{cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice,"
                + " cloud.google.com/gke-tpu-topology: 2x4}")
        .replace("[cpu]", "[google.com/tpu]")
        .replace("{name: cpu, nominalQuota: 4}", "{name: google.com/tpu, nominalQuota: 24}");
    ControllerOptions options = ControllerOptions.defaults().withTpuSlices(true);
    for (int pool = 1; pool <= 3; pool++) {
      createNode("pool" + pool, 0);
      createNode("pool" + pool, 1);
    }
    try (RunningController running =
        server.startController(queues, builder -> builder.options(options))) {
      createOnTpus("one", 2);
      Await.until("one runs", () -> server.runs("one"));
      createOnTpus("two", 4);
      Await.until("two runs", () -> server.runs("two"));
      assertThat(selectedPools("one")).isEqualTo("pool1");
      assertThat(selectedPools("two")).contains("pool2", "pool3").doesNotContain("pool1");
      assertThat(server.condition("two", "kueue4j.io/TpuSlices").path("message").asText())
          .contains("pool2-0", "pool3-0");
    }
    String version = server.job("two").getMetadata().getResourceVersion();
    try (RunningController running =
        server.startController(queues, builder -> builder.options(options))) {
      Await.until("two is known", () -> running.state("two") == JobState.ADMITTED);
      assertThat(server.job("two").getMetadata().getResourceVersion()).isEqualTo(version);
      createOnTpus("three", 2);
      Await.until("three waits", () -> running.state("three") == JobState.PENDING);
      client.batch().v1().jobs().inNamespace("default").withName("two").delete();
      Await.until("three runs", () -> server.runs("three"));
      assertThat(selectedPools("three")).isIn("pool2", "pool3");

      setReady("pool1-0", false);
      Await.until("one has moved", () -> List.of("pool2", "pool3").contains(selectedPools("one")));
      Await.until("one runs again", () -> server.runs("one"));
      assertThat(selectedPools("one")).isIn("pool2", "pool3").isNotEqualTo(selectedPools("three"));
    }
  }

  private static void createOnTpus(String name, int pods) {
    Job unused = tenant
        .resource(Serialization.unmarshal("""
            apiVersion: batch/v1
            kind: Job
            metadata:
              {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
            spec:
              suspend: true
              parallelism: %2$d
              completions: %2$d
              template:
                spec:
                  restartPolicy: Never
                  nodeSelector:
                    cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
                    cloud.google.com/gke-tpu-topology: 2x4
                  containers: [{name: main, image: busybox, resources: {limits: {google.com/tpu: "4"}}}]
            """.formatted(name, pods), Job.class))
        .create();
  }

  // ----- attacks

  @Test
  void aTenantWhoMayWriteJobsAndWorkloadsRunsNothingUncounted() throws Exception {
    try (RunningController running = server.startController(QUEUES)) {
      server.create("first", 3);
      Await.until("the first runs", () -> server.runs("first"));
      server.create("second", 3);
      Await.until("the second waits", () -> running.state("second") == JobState.PENDING);

      // Refused by the API server: the status of Workloads is not theirs.
      GenericKubernetesResource admitted = server.workload(client, "second").get();
      admitted.setAdditionalProperty(
          "status", server.workload(client, "first").get().get("status"));
      assertThatThrownBy(() -> tenant.resource(admitted).updateStatus())
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));

      // Undone by the controller: the job is let run, with an annotation of whatever content.
      server.edit("second", job -> {
        job.getMetadata()
            .setAnnotations(new HashMap<>(Map.of(
                "kueue4j.io/admission", "{\"admission\": {\"clusterQueue\": \"nowhere\"}}")));
        job.getSpec().setSuspend(false);
        return job;
      });
      Await.until("the second is suspended", () -> server.isSuspended("second"));
      Await.until("an event says so", () -> server.hasEvent("second", "Suspended"));
      assertThat(server.runs("first")).isTrue();

      // Without effect: a Workload with a status, created or edited by the tenant.
      server.workload(tenant, "second").edit(object -> {
        object.setAdditionalProperty(
            "status", server.workload(client, "first").get().get("status"));
        return object;
      });
      assertThat(server.isTrue("second", "Admitted")).isFalse();
    }
  }

  @Test
  void whatATenantDoesWhileNoControllerRunsIsUndone() throws Exception {
    try (RunningController running = server.startController(QUEUES)) {
      server.create("first", 3);
      Await.until("the first runs", () -> server.runs("first"));
    }
    Job second =
        tenant.resource(TenantServer.newJob("default", "second", 3, false)).create();
    tenant.resource(server.forgedWorkload(second)).create();
    try (RunningController running = server.startController(QUEUES)) {
      Await.until("the second is suspended", () -> server.isSuspended("second"));
      Await.until("the second waits", () -> running.state("second") == JobState.PENDING);
      assertThat(server.isTrue("second", "QuotaReserved")).isFalse();
      assertThat(server.runs("first")).isTrue();
    }
  }

  @Test
  void aDeletedWorkloadStopsItsJob() throws Exception {
    try (RunningController running = server.startController(QUEUES)) {
      server.create("one", 3);
      Await.until("it runs", () -> server.runs("one"));
      String uid = server.workload(client, "one").get().getMetadata().getUid();
      server.workload(tenant, "one").delete();
      Await.until("it was stopped", () -> server.hasEvent("one", "Stopped"));
      Await.until(
          "it runs by another Workload",
          () -> server.runs("one")
              && !server.workload(client, "one").get().getMetadata().getUid().equals(uid));
      assertThat(WorkloadObjects.isAdmitted(server.workload(client, "one").get()))
          .isTrue();
    }
  }
}
