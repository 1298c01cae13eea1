package io.kueue4j.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Ascii;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.cluster.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** A real API server accepts all manifests, with strict validation of fields. */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class ManifestsOnServerTest {
  private static final String GROUP = "monitoring.coreos.com";

  private static void define(KubernetesClient client, String kind) throws IOException {
    String singular = Ascii.toLowerCase(kind);
    JSONSchemaProps schema = new KubernetesSerialization()
        .unmarshal(
            Files.readString(ManifestsTest.SCHEMAS.resolve(singular + ".schema.yaml")),
            JSONSchemaProps.class);
    client
        .resource(new CustomResourceDefinitionBuilder()
            .withNewMetadata()
            .withName(singular + "s." + GROUP)
            .endMetadata()
            .withNewSpec()
            .withGroup(GROUP)
            .withScope("Namespaced")
            .withNewNames()
            .withKind(kind)
            .withPlural(singular + "s")
            .endNames()
            .addNewVersion()
            .withName("v1")
            .withServed(true)
            .withStorage(true)
            .withNewSchema()
            .withOpenAPIV3Schema(schema)
            .endSchema()
            .endVersion()
            .endSpec()
            .build())
        .create();
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(singular + "s." + GROUP)
        .waitUntilCondition(
            known -> known != null
                && known.getStatus() != null
                && known.getStatus().getConditions().stream()
                    .anyMatch(condition -> condition.getType().equals("Established")
                        && condition.getStatus().equals("True")),
            30,
            TimeUnit.SECONDS);
  }

  private static HasMetadata create(KubernetesClient client, HasMetadata object) {
    return client
        .resource(object)
        .fieldValidation(FieldValidateable.Validation.STRICT)
        .create();
  }

  @Test
  void everyObjectIsAccepted() throws Exception {
    try (ApiServer server = ApiServer.ofItsOwn();
        KubernetesClient client = server.client()) {
      define(client, "ServiceMonitor");
      define(client, "PrometheusRule");
      for (HasMetadata object : Stream.concat(
              DeployManifests.base().stream(), ManifestsTest.monitoring().stream())
          .toList()) {
        assertThat(create(client, object).getMetadata().getUid())
            .as(object.getKind())
            .isNotEmpty();
      }
      HasMetadata misspelt = DeployManifests.objects(
              Files.readString(DeployManifests.BASE.resolve("service.yaml"))
                  .replace("targetPort", "targetport")
                  .replace("name: kueue4j-controller\n  namespace", "name: other\n  namespace"))
          .get(0);
      assertThatThrownBy(() -> create(client, misspelt))
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("targetport");
    }
  }
}
