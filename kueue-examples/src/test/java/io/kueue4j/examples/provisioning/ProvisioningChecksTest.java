package io.kueue4j.examples.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.k8s.testkit.KueueCluster;
import io.kueue4j.k8s.testkit.KueueExtension;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The checks with a Kueue that acts on them; the test is the autoscaler. */
@SuppressWarnings("try") // The checks work until they are closed.
class ProvisioningChecksTest {
  private static final WorkloadId TRAIN = WorkloadId.of("default", "job-train");

  private static final String QUEUES = """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: a100}
      spec:
        nodeLabels: {gpu: a100}
        tolerations: [{key: gpu, operator: Exists}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: nodes}
      spec:
        controllerName: kueue.x-k8s.io/provisioning-request
        parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: queued}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: AdmissionCheck
      metadata: {name: other}
      spec: {controllerName: example.com/other}
      status: {conditions: [{type: Active, status: "True", reason: Active, message: ""}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: queue}
      spec:
        namespaceSelector: {}
        admissionChecksStrategy: {admissionChecks: [{name: nodes}, {name: other}]}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: a100, resources: [{name: cpu, nominalQuota: 2}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: queue}
      spec: {clusterQueue: queue}
      """;

  // snippet
  @RegisterExtension
  static final KueueExtension KUEUE =
      KueueExtension.of(kueue -> kueue.timeout(Await.DEADLINE).manifests(QUEUES));
  // end

  private KueueCluster kueue;
  private KubernetesClient client;

  @BeforeEach
  void start(KueueCluster kueue) {
    this.kueue = kueue;
    client = kueue.client();
    kueue
        .server()
        .expectCustomResource(new CustomResourceDefinitionContext.Builder()
            .withGroup("autoscaling.x-k8s.io")
            .withVersion("v1")
            .withKind("ProvisioningRequest")
            .withPlural("provisioningrequests")
            .withName("provisioningrequests.autoscaling.x-k8s.io")
            .withScope("Namespaced")
            .withStatusSubresource(true)
            .build());
  }

  private void createConfig() {
    kueue.apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ProvisioningRequestConfig
        metadata: {name: queued}
        spec:
          provisioningClassName: queued.gke.io
          parameters: {maxRunDurationSeconds: "600"}
          retryStrategy: {backoffLimitCount: 1, backoffBaseSeconds: 2, backoffMaxSeconds: 10}
          podSetUpdates:
            nodeSelector:
            - {key: cloud.google.com/gke-nodepool, valueFromProvisioningClassDetail: NodePoolName}
        """);
  }

  private static GenericKubernetesResource object(
      KubernetesClient client, String version, String kind, String name) {
    return client
        .genericKubernetesResources(version, kind)
        .inNamespace("default")
        .withName(name)
        .get();
  }

  private GenericKubernetesResource request(int attempt) {
    return object(
        client, "autoscaling.x-k8s.io/v1", "ProvisioningRequest", "job-train-nodes-" + attempt);
  }

  /** Writes the status of a request as the autoscaler does. */
  private void answer(int attempt, String condition, String message) {
    String status = """
        conditions:
        - {type: %s, status: "True", reason: Test, message: %s, lastTransitionTime: %s}
        provisioningClassDetails: {NodePoolName: pool-7}
        """.formatted(condition, message, kueue.clock().instant());
    client.resource(request(attempt)).editStatus(stored -> {
      stored.setAdditionalProperty("status", Serialization.unmarshal(status, Map.class));
      return stored;
    });
  }

  private void createWorkload() {
    kueue.apply("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: job-train}
        spec:
          queueName: queue
          podSets:
          - name: main
            count: 2
            template:
              spec:
                restartPolicy: Never
                containers: [{name: main, image: busybox, resources: {limits: {cpu: "1"}}}]
        """);
  }

  private JsonNode check(String name) {
    for (JsonNode check : Json.tree(
            object(client, "kueue.x-k8s.io/v1beta2", "Workload", "job-train"))
        .at("/status/admissionChecks")) {
      if (check.path("name").asText().equals(name)) {
        return check;
      }
    }
    throw new AssertionError("no check " + name);
  }

  private boolean isActive(String status) {
    JsonNode conditions = Json.tree(client
            .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "AdmissionCheck")
            .withName("nodes")
            .get())
        .at("/status/conditions");
    return conditions.size() == 1 && conditions.get(0).path("status").asText().equals(status);
  }

  private void failOnce() {
    Await.until("the first request", () -> request(1) != null);
    answer(1, "Failed", "no stock");
    assertThat(kueue.evicts(TRAIN)).isEqualTo("AdmissionCheck");
    assertThat(check("nodes").path("requeueAfterSeconds").asInt()).isEqualTo(2);
    Await.until("the failed request is removed", () -> request(1) == null);
    kueue.podsStopped(TRAIN);
    assertThat(kueue.isPending(TRAIN)).as("the backoff is not over").isTrue();
    kueue.advance(Duration.ofSeconds(3));
    Await.until("the second request", () -> request(2) != null);
  }

  @Test
  void nodesAreRequestedFailOnceAndArrive() {
    try (ProvisioningChecks started = ProvisioningChecks.start(client, kueue.clock(), () -> true)) {
      Await.until("the check is inactive without its configuration", () -> isActive("False"));
      createConfig();
      Await.until("the check is active", () -> isActive("True"));

      createWorkload();
      Await.until("the first request", () -> request(1) != null);
      JsonNode spec = Json.tree(request(1)).path("spec");
      assertThat(spec.path("provisioningClassName").asText()).isEqualTo("queued.gke.io");
      assertThat(spec.path("parameters").path("maxRunDurationSeconds").asText()).isEqualTo("600");
      assertThat(spec.path("podSets").get(0).path("count").asInt()).isEqualTo(2);
      Await.until(
          "the template belongs to the request",
          () -> template()
              .getMetadata()
              .getOwnerReferences()
              .get(0)
              .getKind()
              .equals("ProvisioningRequest"));
      assertThat(template().getTemplate().getSpec()).satisfies(pod -> {
        assertThat(pod.getNodeSelector()).containsEntry("gpu", "a100");
        assertThat(pod.getTolerations()).hasSize(1);
        assertThat(pod.getContainers().get(0).getResources().getRequests()).containsKey("cpu");
      });

      failOnce();
      answer(2, "Provisioned", "all there");
      Await.until("ready", () -> check("nodes").path("state").asText().equals("Ready"));
      assertThat(check("nodes").path("podSetUpdates").get(0).path("nodeSelector"))
          .hasToString("{\"cloud.google.com/gke-nodepool\":\"pool-7\"}");
      assertThat(check("other").path("state").asText())
          .as("states of other controllers stay")
          .isEqualTo("Pending");

      kueue.setCheck(TRAIN, "other", CheckState.READY);
      kueue.admits(TRAIN);
      kueue.finish(TRAIN);
      Await.until("nothing is left", () -> request(2) == null);
    }
  }

  private PodTemplate template() {
    return client
        .resources(PodTemplate.class)
        .inNamespace("default")
        .withName("ppt-job-train-nodes-1-main")
        .get();
  }

  @Test
  void afterItsLastAttemptTheCheckIsRejected() {
    createConfig();
    createWorkload();
    try (ProvisioningChecks started = ProvisioningChecks.start(client, kueue.clock(), () -> true)) {
      failOnce();
      answer(2, "Failed", "no stock");
      assertThat(kueue.evicts(TRAIN)).isEqualTo("DeactivatedDueToAdmissionCheck");
    }
  }

  @Test
  void whileAnotherMayLeadNothingIsWritten() {
    createConfig();
    AtomicBoolean mayWrite = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    BooleanSupplier lease = () -> {
      asked.incrementAndGet();
      return mayWrite.get();
    };
    try (ProvisioningChecks started = ProvisioningChecks.start(client, kueue.clock(), lease)) {
      Await.until("a second try", () -> asked.get() > 1);
      assertThat(isActive("True")).isFalse();
      mayWrite.set(true);
      Await.until("the check is active", () -> isActive("True"));
    }
  }
}
