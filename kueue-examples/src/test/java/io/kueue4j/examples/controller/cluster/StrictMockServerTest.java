package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StrictMockServerTest extends ApiContract implements JobSetContract {
  private final StrictMockServer server =
      StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
  private final KubernetesClient client = server.client();
  private final Api api = new ByClient(client);

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Override
  public Api api() {
    return api;
  }

  @Test
  void servesTheKindsWhoseDefinitionsAreStored() throws IOException {
    assertThat(client.getApiGroup("kueue.x-k8s.io")).isNull();
    HasMetadata unused = client
        .resource(Serialization.unmarshal(
            Files.readString(DeployManifests.ROOT.resolve("definitions/workloads.yaml")),
            CustomResourceDefinition.class))
        .create();

    assertThat(client.getApiGroup("kueue.x-k8s.io").getVersions())
        .extracting(GroupVersionForDiscovery::getVersion)
        .contains("v1beta2");
    assertThat(client.getApiResources("kueue.x-k8s.io/v1beta2").getResources())
        .extracting(APIResource::getName, APIResource::getKind, APIResource::getNamespaced)
        .containsExactly(tuple("workloads", "Workload", true));
    assertThat(client.getApiGroup("jobset.x-k8s.io")).isNull();
  }

  /** A server for fabric8's client. */
  record ByClient(KubernetesClient client) implements Api {
    private static final ResourceDefinitionContext JOB_SETS =
        new ResourceDefinitionContext.Builder()
            .withGroup("jobset.x-k8s.io")
            .withVersion("v1alpha2")
            .withKind("JobSet")
            .withPlural("jobsets")
            .withNamespaced(true)
            .build();

    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> Resource<T> resource(T object) {
      return Api.isCustom(object)
          ? (Resource<T>) client
              .genericKubernetesResources(JOB_SETS)
              .inNamespace("default")
              .resource((GenericKubernetesResource) object)
          : client.resource(object);
    }

    @Override
    public <T extends HasMetadata> T create(T object) {
      return resource(object).create();
    }

    @Override
    public <T extends HasMetadata> T replace(T object) {
      return resource(object).update();
    }

    @Override
    public <T extends HasMetadata> T replaceStatus(T object) {
      return resource(object).updateStatus();
    }

    @Override
    public void mergePatch(HasMetadata object, String patch) {
      resource(object).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    @Override
    public void delete(HasMetadata object) {
      resource(object).delete();
    }

    @Override
    public Optional<? extends HasMetadata> get(HasMetadata object) {
      return Optional.ofNullable(resource(object).get());
    }

    @Override
    public Refusal refusal(Runnable write) {
      KubernetesClientException refusal =
          Assertions.catchThrowableOfType(KubernetesClientException.class, write::run);
      assertThat(refusal).as("the refusal").isNotNull();
      return new Refusal(
          refusal.getCode(), refusal.getStatus().getReason(), String.valueOf(refusal.getMessage()));
    }
  }
}
