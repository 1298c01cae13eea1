package io.kueue4j.examples.deploy;

import static io.kueue4j.examples.SampleManifests.JOB;
import static io.kueue4j.examples.SampleManifests.QUEUES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Ascii;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.examples.monitoring.RequestCounter;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** A real API server accepts all manifests, with strict validation of fields. */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class ManifestsOnServerTest {
  private static final String GROUP = "monitoring.coreos.com";
  private static final String NAMESPACE = "kueue4j-system";
  private static final String USER = "system:serviceaccount:" + NAMESPACE + ":kueue4j-controller";

  private static void define(KubernetesClient client, String kind) throws IOException {
    String singular = Ascii.toLowerCase(kind);
    JSONSchemaProps schema = new KubernetesSerialization()
        .unmarshal(
            Files.readString(ManifestsTest.SCHEMAS.resolve(singular + ".schema.yaml")),
            JSONSchemaProps.class);
    ApiServer.define(
        client,
        new CustomResourceDefinitionBuilder()
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
            .build());
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

  private static GenericKubernetesResource window(String start, String spec) {
    return Serialization.unmarshal("""
        apiVersion: kueue4j.io/v1alpha1
        kind: CapacityWindow
        metadata: {name: maintenance}
        spec: {start: "%s", end: "2026-03-01T12:00:00Z", %s}
        """.formatted(start, spec), GenericKubernetesResource.class);
  }

  @Test
  void onlyValidCapacityWindowsAreAccepted() throws Exception {
    String morning = "2026-03-01T08:00:00Z";
    String quota = "flavors: [{name: default, resources: [{name: cpu, amount: 500m}]}]";
    try (ApiServer server = ApiServer.ofItsOwn();
        KubernetesClient client = server.client()) {
      ApiServer.define(
          client,
          Serialization.unmarshal(
              Files.readString(DeployManifests.ROOT.resolve("definitions/capacitywindows.yaml")),
              CustomResourceDefinition.class));

      HasMetadata stored = create(client, window(morning, "clusterQueue: batch, " + quota));
      assertThat(ManifestReader.create().read(ManifestSource.of(stored)).configObjects())
          .containsExactly(CapacityWindow.builder()
              .name("maintenance")
              .start(Instant.parse(morning))
              .end(Instant.parse("2026-03-01T12:00:00Z"))
              .clusterQueue("batch")
              .keep("default", "cpu", "500m")
              .build());
      assertRefused(client, window("soon", "nodeLabels: {rack: a}"), "spec.start");
      assertRefused(
          client, window("2026-03-01T14:00:00+01:00", "nodeLabels: {rack: a}"), "after the start");
      assertRefused(client, window(morning, quota), "give a clusterQueue with flavors");
      assertRefused(
          client,
          window(morning, "nodeLabels: {rack: a}, clusterQueue: batch, " + quota),
          "give a clusterQueue with flavors");
    }
  }

  private static void assertRefused(
      KubernetesClient client, GenericKubernetesResource window, String message) {
    assertThatThrownBy(() -> create(client, window))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(message);
  }

  private static Controller controller(KubernetesClient client) throws IOException {
    return Controller.builder(client)
        .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", QUEUES)))
        .lease(new LeaseName(NAMESPACE, "kueue4j-controller", "test"))
        .guard(Duration.ofSeconds(1))
        .build();
  }

  /**
   * The requests of a controller with the permissions of the manifests and under the guard, by
   * status code.
   */
  @Test
  void noRequestOfTheControllerIsForbidden() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (ApiServer server = ApiServer.ofItsOwn();
        KubernetesClient client = server.client()) {
      server.serveWorkloads();
      for (HasMetadata object : Stream.concat(
              DeployManifests.base().stream(),
              DeployManifests.of(DeployManifests.ROOT.resolve("guard")).stream())
          .toList()) {
        create(client, object);
      }
      try (KubernetesClient known = server.clientAs(USER);
          KubernetesClient own = new KubernetesClientBuilder()
              .withConfig(known.getConfiguration())
              .withHttpClientBuilderConsumer(
                  http -> http.addOrReplaceInterceptor("counter", new RequestCounter(registry)))
              .build();
          Controller controller = controller(own)) {
        Thread thread = new Thread(() -> {
          try {
            controller.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
        thread.start();
        client
            .resource(Serialization.unmarshal(JOB, Job.class))
            .inNamespace("default")
            .create();
        client
            .batch()
            .v1()
            .jobs()
            .inNamespace("default")
            .withName("train")
            .waitUntilCondition(
                job -> job != null && Boolean.FALSE.equals(job.getSpec().getSuspend()),
                60,
                TimeUnit.SECONDS);
        assertThat(controller.stop(Duration.ofSeconds(30))).isTrue();
        thread.join();
        assertThat(controller.guardWarning()).isEmpty();
      }
    }
    assertThat(registry.scrape())
        .contains("code=\"200\"", "code=\"201\"")
        .doesNotContain("code=\"403\"");
  }
}
