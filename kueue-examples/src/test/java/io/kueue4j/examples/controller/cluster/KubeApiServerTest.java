package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** A real API server satisfies the contract of the strict ones in these tests. */
@EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
class KubeApiServerTest extends ApiContract {
  private static ApiServer server;
  private static KubernetesClient client;

  @BeforeAll
  static void start() throws Exception {
    server = ApiServer.ofItsOwn();
    client = server.client();
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    server.close();
  }

  @Override
  public Api api() {
    return new StrictMockServerTest.ByClient(client);
  }

  @AfterEach
  void deleteAll() {
    client.batch().v1().jobs().inAnyNamespace().delete();
    client.pods().inAnyNamespace().withGracePeriod(0).delete();
  }

  @Test
  void aWriteThatSaysNothingOfManagedFieldsLeavesThem() {
    Job job = api().create(job("a"));
    assertThat(job.getMetadata().getManagedFields()).isNotEmpty();

    Job stored = api()
        .replace(job.toBuilder()
            .editMetadata()
            .withManagedFields()
            .addToAnnotations("mine", "yes")
            .endMetadata()
            .build());

    assertThat(stored.getMetadata().getManagedFields())
        .extracting(ManagedFieldsEntry::getManager)
        .containsAll(job.getMetadata().getManagedFields().stream()
            .map(ManagedFieldsEntry::getManager)
            .toList());
  }
}
