package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.examples.controller.Await;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** A real API server with the JobSet controller satisfies the contracts of these tests. */
@EnabledIf("io.kueue4j.examples.controller.cluster.ApiServer#hasJobSetController")
class JobSetControllerTest implements JobSetContract, JobSetJobsContract {
  private static ApiServer server;
  private static KubernetesClient client;

  @BeforeAll
  static void start() throws Exception {
    server = ApiServer.ofItsOwn();
    client = server.client();
    server.startJobSetController();
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

  @Override
  public void await(GenericKubernetesResource jobSet, BooleanSupplier condition) {
    Await.until("the Jobs of " + jobSet.getMetadata().getName(), condition::getAsBoolean);
  }
}
