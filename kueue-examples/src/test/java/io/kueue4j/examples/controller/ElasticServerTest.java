package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.elastic.ElasticPods;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.job.JobKinds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Elastic jobs on a real API server with the guard. The controller has the rights of its manifests,
 * a tenant may do everything with jobs and pods, and the test is the Job controller.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
@SuppressWarnings("try") // A controller works until it is closed.
class ElasticServerTest {
  private static final String CONTROLLER =
      "system:serviceaccount:kueue4j-system:kueue4j-controller";
  private static final String JOB_CONTROLLER = "system:serviceaccount:kube-system:job-controller";
  private static final ResourceDefinitionContext WORKLOADS = new ResourceDefinitionContext.Builder()
      .withGroup("kueue.x-k8s.io")
      .withVersion("v1beta2")
      .withKind("Workload")
      .withPlural("workloads")
      .withNamespaced(true)
      .build();
  private static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: spot}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 3}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: queue, namespace: default},
       spec: {clusterQueue: research}}
      """;
  private static final String ROLES = """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: tenant}
      rules:
      - {apiGroups: [batch], resources: [jobs], verbs: ["*"]}
      - {apiGroups: [""], resources: [pods], verbs: ["*"]}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: tenant}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tenant}
      subjects:
      - {apiGroup: rbac.authorization.k8s.io, kind: User, name: tenant}
      - {apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}
      """.formatted(JOB_CONTROLLER);

  private static ApiServer server;
  private static KubernetesClient admin;
  private static KubernetesClient tenant;
  private static KubernetesClient jobController;

  @BeforeAll
  static void start() throws IOException {
    server = ApiServer.ofItsOwn();
    admin = server.client();
    tenant = server.clientAs("tenant");
    jobController = server.clientAs(JOB_CONTROLLER);
    ApiServer.serveWorkloads(admin);
    List<HasMetadata> manifests = new ArrayList<>(DeployManifests.base());
    manifests.addAll(DeployManifests.option("pods"));
    manifests.addAll(DeployManifests.of(DeployManifests.ROOT.resolve("guard")));
    manifests.stream()
        .filter(object -> object instanceof Namespace
            || object instanceof ServiceAccount
            || object.getApiVersion().startsWith("rbac.")
            || object.getApiVersion().startsWith("admissionregistration."))
        .forEach(object -> admin.resource(object).create());
    DeployManifests.objects(ROLES).forEach(object -> admin.resource(object).create());
    Await.until("the guard", () -> {
      try {
        tenant.resource(job("unguarded", false)).dryRun().create();
        return false;
      } catch (KubernetesClientException e) {
        return String.valueOf(e.getMessage()).contains("must be created suspended");
      }
    });
  }

  @AfterAll
  static void stop() throws IOException {
    jobController.close();
    tenant.close();
    admin.close();
    server.close();
  }

  @AfterEach
  void deleteJobs() {
    admin.batch().v1().jobs().inNamespace("default").delete();
    admin.pods().inNamespace("default").withGracePeriod(0).delete();
  }

  private static Job job(String name, boolean suspended) {
    return Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
          annotations: {kueue.x-k8s.io/elastic-job: "true"}
        spec:
          suspend: %s
          parallelism: 1
          template:
            spec:
              restartPolicy: Never
              schedulingGates: [{name: kueue.x-k8s.io/elastic-job}]
              containers: [{name: main, image: busybox, resources: {requests: {cpu: "1"}}}]
        """.formatted(name, suspended), Job.class);
  }

  /** Starts a controller that records admissions in Workloads, or in notes that are not sealed. */
  private static RunningController startController(boolean inWorkloads) throws IOException {
    List<WatchedKind> kinds = new ArrayList<>(ServedKinds.BUILT_IN);
    ServedKinds.of(admin, JobKinds.standard(), false).stream()
        .filter(kind -> inWorkloads && kind.kind().equals("Workload"))
        .forEach(kinds::add);
    assertThat(ServedKinds.hasWorkloads(ImmutableList.copyOf(kinds))).isEqualTo(inWorkloads);
    return RunningController.start(
            server.clientAs(CONTROLLER),
            builder -> builder
                .kinds(kinds)
                .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", QUEUES))))
        .awaitView();
  }

  private static Job stored() {
    return admin.batch().v1().jobs().inNamespace("default").withName("elastic").get();
  }

  private static void resize(int parallelism) {
    tenant.batch().v1().jobs().inNamespace("default").withName("elastic").edit(job -> {
      job.getSpec().setParallelism(parallelism);
      return job;
    });
  }

  /** What the Job controller does: as many pods as the job is to have, from its template. */
  private static void syncPods() {
    Job job = stored();
    for (int i = pods().size(); i < job.getSpec().getParallelism(); i++) {
      jobController
          .resource(new PodBuilder()
              .withMetadata(new ObjectMetaBuilder(job.getSpec().getTemplate().getMetadata())
                  .withGenerateName("elastic-")
                  .withNamespace("default")
                  .withOwnerReferences(new OwnerReferenceBuilder()
                      .withApiVersion("batch/v1")
                      .withKind("Job")
                      .withName("elastic")
                      .withUid(job.getMetadata().getUid())
                      .withController(true)
                      .build())
                  .build())
              .withSpec(job.getSpec().getTemplate().getSpec())
              .build())
          .create();
    }
    pods().stream()
        .skip(job.getSpec().getParallelism())
        .forEach(pod -> jobController.resource(pod).withGracePeriod(0).delete());
  }

  private static List<Pod> pods() {
    return admin.pods().inNamespace("default").list().getItems();
  }

  private static void awaitRunning(int count) {
    Await.until(count + " pods run", () -> ElasticPods.running(pods()) == count);
  }

  private static boolean hasEvent(String reason) {
    return admin.v1().events().inNamespace("default").list().getItems().stream()
        .anyMatch(event -> event.getReason().equals(reason)
            && stored().getMetadata().getUid().equals(event.getInvolvedObject().getUid()));
  }

  private static List<GenericKubernetesResource> workloads() {
    String uid = stored().getMetadata().getUid();
    return admin
        .genericKubernetesResources(WORKLOADS)
        .inNamespace("default")
        .list()
        .getItems()
        .stream()
        .filter(
            object -> object.getMetadata().getOwnerReferences().get(0).getUid().equals(uid))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJobIsScaledWhileItRuns(boolean inWorkloads) throws Exception {
    try (RunningController first = startController(inWorkloads)) {
      tenant.resource(job("elastic", true)).create();
      Await.until("it runs", () -> !stored().getSpec().getSuspend());
      syncPods();
      awaitRunning(1);

      resize(2);
      syncPods();
      awaitRunning(2);
      Await.until("an event says so", () -> hasEvent("Grown"));

      resize(5);
      syncPods();
      Await.until("an event says why it waits", () -> hasEvent("WaitingForQuota"));
      Pod waiting = pods().stream()
          .filter(pod -> !pod.getSpec().getSchedulingGates().isEmpty())
          .findFirst()
          .orElseThrow();
      assertThatThrownBy(() -> tenant
              .pods()
              .inNamespace("default")
              .withName(waiting.getMetadata().getName())
              .edit(pod -> new PodBuilder(pod)
                  .editSpec()
                  .withSchedulingGates(List.of())
                  .endSpec()
                  .build()))
          .hasMessageContaining("only the controller of its queue removes the scheduling gate");
    }
    resize(3);
    try (RunningController second = startController(inWorkloads)) {
      syncPods();
      awaitRunning(3);
      resize(1);
      syncPods();
      awaitRunning(1);
      Await.until(
          "the quota of the others is free",
          () -> second
                  .controller()
                  .engine()
                  .orElseThrow()
                  .view()
                  .clusterQueue("research")
                  .orElseThrow()
                  .usage()
                  .get(0)
                  .used()
              == 1000);
      assertThat(stored().getSpec().getSuspend()).isFalse();
      assertThat(hasEvent("Stopped")).isFalse();
      if (inWorkloads) {
        assertThat(workloads()).hasSize(3);
        assertThat(workloads().stream()
                .filter(object -> Json.text(Json.tree(object.get("status", "conditions")))
                    .contains("WorkloadSliceReplaced")))
            .hasSize(2);
      }
    }
  }
}
