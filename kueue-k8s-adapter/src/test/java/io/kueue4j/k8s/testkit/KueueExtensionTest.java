package io.kueue4j.k8s.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@KueueTest("queues.yaml")
class KueueExtensionTest {
  private KueueCluster before;

  @BeforeEach
  void start(KueueCluster kueue) {
    before = kueue;
  }

  @Test
  void allMethodsOfATestShareACluster(KueueCluster kueue, KubernetesClient client) {
    assertThat(kueue).isSameAs(before);
    assertThat(client).isSameAs(kueue.client());
    assertThat(localQueues(client)).isEqualTo(1);
  }

  @Nested
  class InAnotherClass {
    @Test
    void manifestsAreThoseOfTheClassAroundIt(KubernetesClient client) {
      assertThat(localQueues(client)).isEqualTo(1);
    }
  }

  @Test
  @KueueTest
  void aMethodMayHaveOtherManifests(KubernetesClient client) {
    assertThat(localQueues(client)).isEqualTo(0);
  }

  private static int localQueues(KubernetesClient client) {
    return client
        .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "LocalQueue")
        .list()
        .getItems()
        .size();
  }
}
