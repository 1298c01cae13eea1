package io.kueue4j.examples.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.RunningController;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.record.WorkloadObjects;
import io.kueue4j.k8s.job.JobKinds;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * A Job that waits for nodes, on a real API server: the controller admits it and asks for the
 * nodes, the test is the autoscaler.
 */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
@SuppressWarnings("try") // A controller works until it is closed.
class ProvisionedJobTest {
  private static final ImmutableList<WatchedKind> QUEUE_KINDS = ImmutableList.of(
      kueue("ResourceFlavor", "resourceflavors", false),
      kueue("AdmissionCheck", "admissionchecks", false),
      kueue("ClusterQueue", "clusterqueues", false),
      kueue("LocalQueue", "localqueues", true));
  private static final WatchedKind WORKLOADS = kueue("Workload", "workloads", true);
  private static final WatchedKind CONFIGS =
      kueue("ProvisioningRequestConfig", "provisioningrequestconfigs", false);
  private static final WatchedKind REQUESTS = new WatchedKind(
      "autoscaling.x-k8s.io",
      "v1",
      "ProvisioningRequest",
      "provisioningrequests",
      true,
      GenericKubernetesResource.class);
  private static final String OBJECTS = """
      apiVersion: v1
      kind: List
      items:
      - {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: a100},
         spec: {nodeLabels: {gpu: a100}, tolerations: [{key: gpu, operator: Exists}]}}
      - apiVersion: kueue.x-k8s.io/v1beta2
        kind: ProvisioningRequestConfig
        metadata: {name: queued}
        spec:
          provisioningClassName: queued.gke.io
          podSetUpdates:
            nodeSelector:
            - {key: cloud.google.com/gke-nodepool, valueFromProvisioningClassDetail: NodePoolName}
      - apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: nodes}
        spec:
          controllerName: kueue.x-k8s.io/provisioning-request
          parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: queued}
      - apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: research}
        spec:
          namespaceSelector: {}
          admissionChecksStrategy: {admissionChecks: [{name: nodes}]}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: a100, resources: [{name: cpu, nominalQuota: 4}]}]
      - {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: queue, namespace: default},
         spec: {clusterQueue: research}}
      """;

  private ApiServer server;
  private KubernetesClient client;

  private static WatchedKind kueue(String kind, String plural, boolean namespaced) {
    return new WatchedKind(
        "kueue.x-k8s.io", "v1beta2", kind, plural, namespaced, GenericKubernetesResource.class);
  }

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.ofItsOwn();
    client = server.client();
    ApiServer.serveWorkloads(client);
    QUEUE_KINDS.forEach(server::serve);
    server.serve(CONFIGS);
    server.serve(REQUESTS);
    for (JsonNode object :
        Json.tree(Serialization.unmarshal(OBJECTS, Map.class)).path("items")) {
      GenericKubernetesResource unused =
          client.resource(Json.as(object, GenericKubernetesResource.class)).create();
    }
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private RunningController startController() throws IOException {
    ImmutableList<WatchedKind> kinds = ImmutableList.<WatchedKind>builder()
        .addAll(RunningController.KINDS)
        .addAll(QUEUE_KINDS)
        .build();
    return RunningController.start(
        server.client(),
        builder -> builder.kinds(kinds).companion(ProvisioningChecks::startIfServed));
  }

  private Job job() {
    return client.batch().v1().jobs().inNamespace("default").withName("train").get();
  }

  private Resource<GenericKubernetesResource> workload() {
    return client
        .genericKubernetesResources(WORKLOADS.context())
        .inNamespace("default")
        .withName(name());
  }

  private String name() {
    return JobKinds.standard()
        .find(job())
        .orElseThrow()
        .workloadName(job(), "train", job().getMetadata().getUid());
  }

  private Resource<GenericKubernetesResource> request(int attempt) {
    return client
        .genericKubernetesResources(REQUESTS.context())
        .inNamespace("default")
        .withName(name() + "-nodes-" + attempt);
  }

  private boolean runs() {
    return !job().getSpec().getSuspend();
  }

  private static boolean isAdmitted(GenericKubernetesResource workload) {
    return workload != null && WorkloadObjects.isAdmitted(workload);
  }

  @Test
  void aJobRunsOnTheNodesThatItsCheckHasProvided() throws IOException {
    Job given = client.resource(Serialization.unmarshal("""
            apiVersion: batch/v1
            kind: Job
            metadata:
              {name: train, namespace: default, labels: {kueue.x-k8s.io/queue-name: queue}}
            spec:
              suspend: true
              parallelism: 2
              completions: 2
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: busybox, resources: {requests: {cpu: "1"}}}]
            """, Job.class)).create();
    String name;
    try (RunningController running = startController()) {
      Await.until("a request for nodes", () -> request(1).get() != null);
      assertThat(isAdmitted(workload().get())).isTrue();
      assertThat(runs()).isFalse();
      name = request(1).get().getMetadata().getName();
    }
    // The nodes arrive while no controller runs.
    request(1).editStatus(stored -> {
      stored.setAdditionalProperty("status", Serialization.unmarshal("""
              conditions:
              - {type: Provisioned, status: "True", reason: Test, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
              provisioningClassDetails: {NodePoolName: pool-7}
              """, Map.class));
      return stored;
    });
    try (RunningController running = startController()) {
      Await.until("it runs", this::runs);
      PodTemplateSpec pods = job().getSpec().getTemplate();
      assertThat(pods.getSpec().getNodeSelector())
          .containsOnly(
              Map.entry("gpu", "a100"), Map.entry("cloud.google.com/gke-nodepool", "pool-7"));
      assertThat(pods.getMetadata().getAnnotations())
          .containsEntry("autoscaling.x-k8s.io/consume-provisioning-request", name)
          .containsEntry("autoscaling.x-k8s.io/provisioning-class-name", "queued.gke.io");

      workload().edit(stored -> WorkloadObjects.withActive(stored, false));
      Await.until("it has stopped", () -> !runs() && !isAdmitted(workload().get()));
      assertThat(job().getSpec()).isEqualTo(given.getSpec());
    }
  }
}
