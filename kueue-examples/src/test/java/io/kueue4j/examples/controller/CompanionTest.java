package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.lease.LeaseName;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What works beside a controller. */
class CompanionTest {
  @Test
  void whatCannotStartIsStartedAgainAndEndsWithTheTerm() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    AtomicInteger ends = new AtomicInteger();
    try (ApiServer server = ApiServer.ofItsOwn()) {
      server.serveWorkloads();
      try (RunningController running = RunningController.start(
          server.client(),
          builder -> builder
              .kinds(RunningController.KINDS)
              .lease(new LeaseName("default", "lease", "one"))
              .companion((client, mayWrite) -> {
                if (starts.incrementAndGet() == 1) {
                  throw new KubernetesClientException("the server is away");
                }
                assertThat(mayWrite.getAsBoolean()).isTrue();
                return ends::incrementAndGet;
              }))) {
        running.awaitView();
        assertThat(starts).hasValue(2);
        assertThat(ends).hasValue(0);
      }
    }
    assertThat(ends).hasValue(1);
  }
}
