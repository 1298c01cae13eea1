package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.workload.WorkloadObjects;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.WorkloadNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Admissions in Workload objects on a real API server with the schema of Kueue, and users of
 * different rights: the controller has those of its manifest, the controller of a check may write
 * the status of Workloads, and a tenant everything about jobs and Workloads except that status.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
@SuppressWarnings("try") // A controller works until it is closed.
class WorkloadServerTest {
  private static final String CONTROLLER =
      "system:serviceaccount:kueue4j-system:kueue4j-controller";
  private static final String TENANT = "tenant";
  private static final String CHECK = "check";
  private static final ResourceDefinitionContext WORKLOADS = new ResourceDefinitionContext.Builder()
      .withGroup("kueue.x-k8s.io")
      .withVersion("v1beta2")
      .withKind("Workload")
      .withPlural("workloads")
      .withNamespaced(true)
      .build();
  private static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: spot},
       spec: {nodeLabels: {pool: spot}}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: high}, value: 100}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: queue, namespace: default},
       spec: {clusterQueue: research}}
      """;
  private static final String CHECKS = """
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: budget}
      spec: {controllerName: example.com/budget}
      status: {conditions: [{type: Active, status: "True", reason: Ok, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}
      """;
  private static final String ROLES = """
      apiVersion: v1
      kind: List
      items:
      - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: tenant},
         rules: [{apiGroups: [batch], resources: [jobs], verbs: ["*"]},
                 {apiGroups: [kueue.x-k8s.io], resources: [workloads], verbs: ["*"]}]}
      - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: check},
         rules: [{apiGroups: [kueue.x-k8s.io], resources: [workloads, workloads/status], verbs: [get, list, watch, patch]}]}
      - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: tenant},
         roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tenant},
         subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: tenant}]}
      - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: check},
         roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: check},
         subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: check}]}
      """;

  private static ApiServer server;
  private static KubernetesClient client;
  private static KubernetesClient tenant;

  @BeforeAll
  static void start() throws IOException {
    server = ApiServer.ofItsOwn();
    client = server.client();
    tenant = server.clientAs(TENANT);
    ApiServer.serveWorkloads(client);
    DeployManifests.base().stream()
        .filter(object -> object instanceof Namespace
            || object instanceof ServiceAccount
            || object.getApiVersion().startsWith("rbac."))
        .forEach(object -> client.resource(object).create());
    Serialization.unmarshal(ROLES, KubernetesList.class)
        .getItems()
        .forEach(object -> client.resource(object).create());
    assertThat(DeployManifests.find(ClusterRole.class)).isNotNull();
  }

  @AfterAll
  static void stop() throws IOException {
    tenant.close();
    client.close();
    server.close();
  }

  @AfterEach
  void deleteJobs() {
    client.batch().v1().jobs().inNamespace("default").delete();
  }

  /** Starts a controller with the permissions of the manifest and no Secret. */
  private static RunningController startController(String queues) throws IOException {
    return startController(queues, ControllerOptions.defaults());
  }

  private static RunningController startController(String queues, ControllerOptions options)
      throws IOException {
    List<WatchedKind> kinds = new ArrayList<>(ServedKinds.BUILT_IN);
    ServedKinds.of(client, JobKinds.standard(), false).stream()
        .filter(kind -> kind.kind().equals("Workload"))
        .forEach(kinds::add);
    assertThat(ServedKinds.hasWorkloads(ImmutableList.copyOf(kinds))).isTrue();
    return RunningController.start(
            server.clientAs(CONTROLLER),
            builder -> builder
                .options(options)
                .kinds(kinds)
                .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", queues))))
        .awaitView();
  }

  private static Job create(String name, int cpus, String labels, boolean suspended) {
    return tenant
        .resource(Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue%s}
        spec:
          suspend: %s
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: busybox, resources: {requests: {cpu: "%d"}}}]
        """.formatted(name, labels, suspended, cpus), Job.class))
        .create();
  }

  private static Job job(String name) {
    return client.batch().v1().jobs().inNamespace("default").withName(name).get();
  }

  private static boolean isSuspended(String name) {
    return job(name).getSpec().getSuspend();
  }

  private static Resource<GenericKubernetesResource> workload(KubernetesClient by, String name) {
    return by.genericKubernetesResources(WORKLOADS)
        .inNamespace("default")
        .withName(WorkloadNames.of("batch", "Job", name, job(name).getMetadata().getUid()));
  }

  private static JsonNode workload(String job) {
    GenericKubernetesResource found = workload(client, job).get();
    return found == null ? Json.object() : Json.tree(found);
  }

  private static JsonNode condition(String job, String type) {
    for (JsonNode condition : workload(job).at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return Json.object();
  }

  private static boolean isTrue(String job, String type) {
    return condition(job, type).path("status").asText().equals("True");
  }

  private static boolean runs(String job) {
    return !isSuspended(job) && isTrue(job, "Admitted");
  }

  private static void edit(String job, UnaryOperator<Job> change) {
    tenant.batch().v1().jobs().inNamespace("default").withName(job).edit(change);
  }

  private static Job unsuspended(Job job) {
    job.getSpec().setSuspend(false);
    return job;
  }

  private static boolean hasEvent(String job, String reason) {
    return client.v1().events().inNamespace("default").list().getItems().stream()
        .anyMatch(event -> event.getReason().equals(reason)
            && event.getInvolvedObject().getName().equals(job)
            && event.getInvolvedObject().getUid().equals(job(job).getMetadata().getUid()));
  }

  // ----- as Kueue

  @Test
  void aJobIsAdmittedPreemptedAndAdmittedAgainByItsWorkload() throws Exception {
    try (RunningController running = startController(QUEUES)) {
      create("low", 4, "", true);
      Await.until("low runs", () -> runs("low"));
      assertThat(workload("low")
              .at("/spec/podSets/0/template/spec/containers/0/image")
              .asText())
          .isEqualTo("busybox");
      assertThat(workload("low")
              .at("/status/admission/podSetAssignments/0/flavors/cpu")
              .asText())
          .isEqualTo("spot");
      assertThat(workload(client, "low").get().getMetadata().getManagedFields())
          .filteredOn(entry -> "status".equals(entry.getSubresource()))
          .extracting(ManagedFieldsEntry::getManager, ManagedFieldsEntry::getOperation)
          .containsExactly(tuple("kueue4j-admission", "Apply"));

      create("high", 4, ", kueue.x-k8s.io/priority-class: high", true);
      Await.until("high runs", () -> runs("high"));
      assertThat(isSuspended("low")).isTrue();
      assertThat(condition("low", "Evicted").path("reason").asText()).isEqualTo("Preempted");
      assertThat(workload("low").at("/status/admission").isMissingNode()).isTrue();
      Await.until(
          "low says why",
          () -> condition("low", "QuotaReserved").path("message").asText().contains("0 available"));
      assertThat(job("low").getSpec().getTemplate().getSpec().getNodeSelector()).isNullOrEmpty();
    }
    try (RunningController another = startController(QUEUES)) {
      assertThat(another.state("high")).isEqualTo(JobState.ADMITTED);
      client.batch().v1().jobs().inNamespace("default").withName("high").delete();
      Await.until("low runs again", () -> runs("low"));
      assertThat(
              workload("low").at("/status/schedulingStats/evictions/0/reason").asText())
          .isEqualTo("Preempted");
    }
  }

  @Test
  void theControllerOfACheckAnswersInTheWorkloadAndNobodyElse() throws Exception {
    String queues = QUEUES.replace(
            "preemption: {",
            "admissionChecksStrategy: {admissionChecks: [{name: budget}]}\n  preemption: {")
        + CHECKS;
    try (RunningController running = startController(queues);
        KubernetesClient check = server.clientAs(CHECK)) {
      create("checked", 4, "", true);
      Await.until("it is reserved", () -> isTrue("checked", "QuotaReserved"));
      edit("checked", job -> {
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
          """.formatted(workload(client, "checked").get().getMetadata().getName());
      PatchContext byCheck = new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager("budget")
          .withForce(true)
          .build();
      assertThatThrownBy(
              () -> workload(tenant, "checked").subresource("status").patch(byCheck, ready))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
      assertThat(isSuspended("checked")).isTrue();

      workload(check, "checked").subresource("status").patch(byCheck, ready);
      Await.until("it runs", () -> runs("checked"));
      assertThat(workload("checked").at("/status/admissionChecks/0/message").asText())
          .isEqualTo("granted");
      assertThat(workload(client, "checked").get().getMetadata().getManagedFields())
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
    PodSpec pods = job(job).getSpec().getTemplate().getSpec();
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
    try (RunningController running = startController(queues, options)) {
      createOnTpus("one", 2);
      Await.until("one runs", () -> runs("one"));
      createOnTpus("two", 4);
      Await.until("two runs", () -> runs("two"));
      assertThat(selectedPools("one")).isEqualTo("pool1");
      assertThat(selectedPools("two")).contains("pool2", "pool3").doesNotContain("pool1");
      assertThat(condition("two", "kueue4j.io/TpuSlices").path("message").asText())
          .contains("pool2-0", "pool3-0");
    }
    String version = job("two").getMetadata().getResourceVersion();
    try (RunningController running = startController(queues, options)) {
      Await.until("two is known", () -> running.state("two") == JobState.ADMITTED);
      assertThat(job("two").getMetadata().getResourceVersion()).isEqualTo(version);
      createOnTpus("three", 2);
      Await.until("three waits", () -> running.state("three") == JobState.PENDING);
      client.batch().v1().jobs().inNamespace("default").withName("two").delete();
      Await.until("three runs", () -> runs("three"));
      assertThat(selectedPools("three")).isIn("pool2", "pool3");

      setReady("pool1-0", false);
      Await.until("one has moved", () -> List.of("pool2", "pool3").contains(selectedPools("one")));
      Await.until("one runs again", () -> runs("one"));
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
    try (RunningController running = startController(QUEUES)) {
      create("first", 3, "", true);
      Await.until("the first runs", () -> runs("first"));
      create("second", 3, "", true);
      Await.until("the second waits", () -> running.state("second") == JobState.PENDING);

      // Refused by the API server: the status of Workloads is not theirs.
      GenericKubernetesResource admitted = workload(client, "second").get();
      admitted.setAdditionalProperty("status", workload(client, "first").get().get("status"));
      assertThatThrownBy(() -> tenant.resource(admitted).updateStatus())
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));

      // Undone by the controller: the job is let run, with a note of whatever content.
      edit("second", job -> {
        job.getMetadata()
            .setAnnotations(new HashMap<>(Map.of(
                JobAnnotations.ADMISSION, "{\"admission\": {\"clusterQueue\": \"nowhere\"}}")));
        return unsuspended(job);
      });
      Await.until("the second is suspended", () -> isSuspended("second"));
      Await.until("an event says so", () -> hasEvent("second", "Suspended"));
      assertThat(runs("first")).isTrue();

      // Without effect: a Workload with a status, created or edited by the tenant.
      workload(tenant, "second").edit(object -> {
        object.setAdditionalProperty("status", workload(client, "first").get().get("status"));
        return object;
      });
      assertThat(isTrue("second", "Admitted")).isFalse();
    }
  }

  @Test
  void whatATenantDoesWhileNoControllerRunsIsUndone() throws Exception {
    try (RunningController running = startController(QUEUES)) {
      create("first", 3, "", true);
      Await.until("the first runs", () -> runs("first"));
    }
    Job second = create("second", 3, "", false);
    GenericKubernetesResource forged = workload(client, "first").get();
    forged
        .getMetadata()
        .setName(WorkloadNames.of("batch", "Job", "second", second.getMetadata().getUid()));
    forged.getMetadata().setUid(null);
    forged.getMetadata().setResourceVersion(null);
    forged.getMetadata().setManagedFields(null);
    forged.getMetadata().getOwnerReferences().get(0).setName("second");
    forged.getMetadata().getOwnerReferences().get(0).setUid(second.getMetadata().getUid());
    tenant.resource(forged).create();
    try (RunningController running = startController(QUEUES)) {
      Await.until("the second is suspended", () -> isSuspended("second"));
      Await.until("the second waits", () -> running.state("second") == JobState.PENDING);
      assertThat(isTrue("second", "QuotaReserved")).isFalse();
      assertThat(runs("first")).isTrue();
    }
  }

  @Test
  void aDeletedWorkloadStopsItsJob() throws Exception {
    try (RunningController running = startController(QUEUES)) {
      create("one", 3, "", true);
      Await.until("it runs", () -> runs("one"));
      String uid = workload(client, "one").get().getMetadata().getUid();
      workload(tenant, "one").delete();
      Await.until("it was stopped", () -> hasEvent("one", "Stopped"));
      Await.until(
          "it runs by another Workload",
          () -> runs("one")
              && !workload(client, "one").get().getMetadata().getUid().equals(uid));
      assertThat(WorkloadObjects.isAdmitted(workload(client, "one").get())).isTrue();
    }
  }
}
