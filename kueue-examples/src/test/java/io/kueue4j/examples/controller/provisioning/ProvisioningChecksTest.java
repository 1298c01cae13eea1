package io.kueue4j.examples.controller.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.WatchedKind;
import io.kueue4j.examples.controller.cluster.ApiServer;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The checks on a real API server; the test is the autoscaler and the admission controller. */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
@SuppressWarnings("try") // The checks work until they are closed.
class ProvisioningChecksTest {
  private static final String CONDITION_TIME = "2026-01-01T00:00:00Z";

  private ApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.ofItsOwn();
    client = server.client();
    ApiServer.define(client, Serialization.unmarshal("""
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata:
          name: workloads.kueue.x-k8s.io
          annotations: {api-approved.kubernetes.io: "unapproved, for a test"}
        spec:
          group: kueue.x-k8s.io
          scope: Namespaced
          names: {kind: Workload, plural: workloads}
          versions:
          - name: v1beta2
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                x-kubernetes-preserve-unknown-fields: true
                properties:
                  status:
                    type: object
                    x-kubernetes-preserve-unknown-fields: true
                    properties:
                      admissionChecks:
                        type: array
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [name]
                        items:
                          type: object
                          x-kubernetes-preserve-unknown-fields: true
                          required: [name]
                          properties: {name: {type: string}}
        """, CustomResourceDefinition.class));
    serve("kueue.x-k8s.io", "v1beta2", "AdmissionCheck", "admissionchecks", false);
    serve(
        "kueue.x-k8s.io",
        "v1beta2",
        "ProvisioningRequestConfig",
        "provisioningrequestconfigs",
        false);
    serve("kueue.x-k8s.io", "v1beta2", "ResourceFlavor", "resourceflavors", false);
    serve("autoscaling.x-k8s.io", "v1", "ProvisioningRequest", "provisioningrequests", true);
    create("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: a100}
        spec:
          nodeLabels: {gpu: a100}
          tolerations: [{key: gpu, operator: Exists}]
        """);
    create("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: nodes}
        spec:
          controllerName: kueue.x-k8s.io/provisioning-request
          parameters: {apiGroup: kueue.x-k8s.io, kind: ProvisioningRequestConfig, name: queued}
        """);
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    server.close();
  }

  private void serve(String group, String version, String kind, String plural, boolean namespaced) {
    server.serve(
        new WatchedKind(group, version, kind, plural, namespaced, GenericKubernetesResource.class));
  }

  private GenericKubernetesResource create(String yaml) {
    return client
        .resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
        .create();
  }

  private void createConfig() {
    create("""
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

  private void setStatus(GenericKubernetesResource object, String status) {
    client
        .genericKubernetesResources(object.getApiVersion(), object.getKind())
        .inNamespace("default")
        .withName(object.getMetadata().getName())
        .editStatus(stored -> {
          stored.setAdditionalProperty("status", Serialization.unmarshal(status, Map.class));
          return stored;
        });
  }

  private void answer(int attempt, String condition, String message) {
    setStatus(request(attempt), """
        conditions:
        - {type: %s, status: "True", reason: Test, message: %s, lastTransitionTime: %s}
        provisioningClassDetails: {NodePoolName: pool-7}
        """.formatted(condition, message, CONDITION_TIME));
  }

  /** Writes the status as the admission controller does. */
  private void admit(GenericKubernetesResource workload, String conditions, String check) {
    StringBuilder text = new StringBuilder("conditions:\n");
    for (String type : conditions.split(" ", -1)) {
      text.append(
          "- {type: %s, status: \"True\", reason: Test, message: '', lastTransitionTime: %s}\n"
              .formatted(type, CONDITION_TIME));
    }
    if (conditions.contains("QuotaReserved")) {
      text.append("""
          admission:
            clusterQueue: queue
            podSetAssignments:
            - {name: main, count: 2, flavors: {cpu: a100}, resourceUsage: {cpu: "2"}}
          """);
    }
    setStatus(workload, text + """
        admissionChecks:
        - {name: other, state: Pending, message: '', lastTransitionTime: %s}
        - {name: nodes, message: '', lastTransitionTime: %s, %s}
        """.formatted(CONDITION_TIME, CONDITION_TIME, check));
  }

  private GenericKubernetesResource createWorkload() {
    return create("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: job-train, namespace: default}
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
    for (JsonNode check : Tree.of(
            object(client, "kueue.x-k8s.io/v1beta2", "Workload", "job-train"), "status")
        .path("admissionChecks")) {
      if (check.path("name").asText().equals(name)) {
        return check;
      }
    }
    throw new AssertionError("no check " + name);
  }

  private boolean isActive(String status) {
    JsonNode conditions = Tree.of(
            client
                .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "AdmissionCheck")
                .withName("nodes")
                .get(),
            "status")
        .path("conditions");
    return conditions.size() == 1 && conditions.get(0).path("status").asText().equals(status);
  }

  @Test
  void nodesAreRequestedFailOnceAndArrive() {
    assertThat(ProvisioningChecks.areServed(client)).isTrue();
    try (ProvisioningChecks started = ProvisioningChecks.start(client, InstantSource.system())) {
      Await.until("the check is inactive without its configuration", () -> isActive("False"));
      createConfig();
      Await.until("the check is active", () -> isActive("True"));

      GenericKubernetesResource workload = createWorkload();
      admit(workload, "QuotaReserved", "state: Pending");
      Await.until("the first request", () -> request(1) != null);
      JsonNode spec = Tree.of(request(1), "spec");
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

      answer(1, "Failed", "no stock");
      Await.until("a retry", () -> check("nodes").path("state").asText().equals("Retry"));
      assertThat(check("nodes").path("message").asText())
          .isEqualTo("Retrying after failure: no stock");
      assertThat(check("nodes").path("requeueAfterSeconds").asInt()).isEqualTo(2);

      admit(workload, "Evicted", "state: Pending, retryCount: 1");
      Await.until("the failed request is removed", () -> request(1) == null);
      admit(workload, "QuotaReserved", "state: Pending, retryCount: 1");
      Await.until("the second request", () -> request(2) != null);

      answer(2, "Provisioned", "all there");
      Await.until("ready", () -> check("nodes").path("state").asText().equals("Ready"));
      assertThat(check("nodes").path("podSetUpdates").get(0).path("nodeSelector"))
          .hasToString("{\"cloud.google.com/gke-nodepool\":\"pool-7\"}");
      assertThat(check("other").path("state").asText())
          .as("states of other controllers stay")
          .isEqualTo("Pending");

      admit(workload, "QuotaReserved Finished", "state: Ready");
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
    GenericKubernetesResource workload = createWorkload();
    admit(workload, "QuotaReserved", "state: Pending, retryCount: 1");
    try (ProvisioningChecks started = ProvisioningChecks.start(client, InstantSource.system())) {
      Await.until("the request", () -> request(2) != null);
      answer(2, "Failed", "no stock");
      Await.until("rejected", () -> check("nodes").path("state").asText().equals("Rejected"));
      assertThat(check("nodes").path("message").asText()).isEqualTo("no stock");
    }
  }
}
