package io.kueue4j.examples.controller.configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.RunningController;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.object.WatchedKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Definitions of Kueue's kinds without the conversion webhook. */
final class LossyKindsTest {
  private static final WatchedKind KIND = new WatchedKind(
      "kueue.x-k8s.io",
      "v1beta2",
      "ClusterQueue",
      "clusterqueues",
      false,
      GenericKubernetesResource.class);
  private static final String CRD = """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: clusterqueues.kueue.x-k8s.io
        annotations: {api-approved.kubernetes.io: "unapproved, for a test"}
      spec:
        group: kueue.x-k8s.io
        names: {kind: ClusterQueue, listKind: ClusterQueueList, plural: clusterqueues, singular: clusterqueue}
        scope: Cluster
        versions:
        - name: v1beta1
          served: true
          storage: false
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    cohort: {type: string}
                    stopPolicy: {type: string}
                    admissionChecks: {type: array, items: {type: string}}
        - name: v1beta2
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  properties:
                    cohortName: {type: string}
                    stopPolicy: {type: string}
      """;

  private static CustomResourceDefinition definition() {
    return Serialization.unmarshal(CRD, CustomResourceDefinition.class);
  }

  @Test
  void theFieldsThatAreLostAreNamed() {
    assertThat(LossyKinds.problem(definition(), "v1beta2"))
        .hasValueSatisfying(problem -> assertThat(problem)
            .contains(
                "clusterqueues.kueue.x-k8s.io",
                "written as v1beta1 lose spec.admissionChecks, spec.cohort when they are read as"
                    + " v1beta2",
                "conversion webhook"));
  }

  private static Optional<String> problem(String former, String later) {
    return LossyKinds.problem(
        Serialization.unmarshal("""
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: queues}
        spec:
          versions:
          - {name: v1, served: true, schema: {openAPIV3Schema: {properties: {%s}}}}
          - {name: v2, served: true, schema: {openAPIV3Schema: {properties: {%s}}}}
        """.formatted(former, later), CustomResourceDefinition.class),
        "v2");
  }

  @Test
  void fieldsOfItemsAreLostAsWell() {
    String spec = "spec: {properties: {rules: {items: {properties: {%s: {type: string}}}}}}";
    assertThat(problem(spec.formatted("old"), spec.formatted("new")))
        .hasValueSatisfying(problem -> assertThat(problem).contains(" lose spec.rules[].old when"));
  }

  @Test
  void theStatusAndFieldsThatAreKeptAreNotLost() {
    assertThat(problem(
            "status: {properties: {old: {}}}, spec: {properties: {any: {properties: {old: {}}}}}",
            "status: {properties: {}}, spec: {properties: {any: {properties: {},"
                + " x-kubernetes-preserve-unknown-fields: true}}}"))
        .isEmpty();
  }

  @Test
  void onlySomeOfManyFieldsAreNamed() {
    assertThat(problem("a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}", "z: {}"))
        .hasValueSatisfying(problem -> assertThat(problem).contains("a, b, c, d, e and 2 more"));
  }

  @Test
  void aConversionWebhookOrASingleVersionLosesNothing() {
    assertThat(LossyKinds.problem(
            new CustomResourceDefinitionBuilder(definition())
                .editSpec()
                .withConversion(new CustomResourceConversionBuilder()
                    .withStrategy("Webhook")
                    .build())
                .endSpec()
                .build(),
            "v1beta2"))
        .isEmpty();
    assertThat(LossyKinds.problem(
            new CustomResourceDefinitionBuilder(definition())
                .editSpec()
                .editVersion(0)
                .withServed(false)
                .endVersion()
                .endSpec()
                .build(),
            "v1beta2"))
        .isEmpty();
  }

  @Test
  void aVersionThatIsStillStoredLosesFieldsAsWell() {
    assertThat(LossyKinds.problem(
            new CustomResourceDefinitionBuilder(definition())
                .editSpec()
                .editVersion(0)
                .withServed(false)
                .endVersion()
                .endSpec()
                .withNewStatus()
                .withStoredVersions("v1beta1", "v1beta2")
                .endStatus()
                .build(),
            "v1beta2"))
        .isPresent();
  }

  @Test
  void theControllerDoesNotWorkUntilNothingIsLost() throws Exception {
    try (ApiServer server = ApiServer.ofItsOwn();
        KubernetesClient client = server.client()) {
      var unused = client.resource(definition()).create();
      try (RunningController running = RunningController.start(
          server.client(),
          builder -> builder
              .kinds(ImmutableList.<WatchedKind>builder()
                  .addAll(RunningController.KINDS)
                  .add(KIND)
                  .build())
              .port(0))) {
        Controller controller = running.controller();
        Await.until("it refuses", () -> controller.refusal().isPresent());
        HttpResponse<String> ready = get(controller);
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("not ok", "lose spec.admissionChecks, spec.cohort");
        assertThat(controller.view()).isEmpty();

        client
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName("clusterqueues.kueue.x-k8s.io")
            .edit(stored -> new CustomResourceDefinitionBuilder(stored)
                .editSpec()
                .editVersion(0)
                .withServed(false)
                .endVersion()
                .endSpec()
                .build());
        Await.until("it works", () -> get(controller).statusCode() == 200);
        assertThat(controller.refusal()).isEmpty();
      }
    }
  }

  private static HttpResponse<String> get(Controller controller)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://localhost:" + controller.port().orElseThrow() + "/readyz"))
                .build(),
            HttpResponse.BodyHandlers.ofString(UTF_8));
  }
}
