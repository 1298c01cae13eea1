package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.RunningController;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** A controller goes on when the server and its permissions are back, and says what is outdated. */
class RecoveryTest {
  private static final String NAMESPACE = "kueue4j-system";
  private static final String USER = "system:serviceaccount:" + NAMESPACE + ":kueue4j-controller";
  private static final String QUEUES = QueuedJobs.queues(1, 1, 100);

  private ApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void startServer() throws Exception {
    server = ApiServer.ofItsOwn();
    server.serveWorkloads();
    client = server.client();
    if (server.hasUsers()) {
      for (HasMetadata object : DeployManifests.base()) {
        HasMetadata unused = client.resource(object).create();
      }
    } else {
      var unused = client
          .resource(new NamespaceBuilder()
              .withNewMetadata()
              .withName(NAMESPACE)
              .endMetadata()
              .build())
          .create();
    }
  }

  @AfterEach
  void stopServer() throws Exception {
    client.close();
    server.close();
  }

  /** {@return a controller with the permissions of the manifests} */
  private RunningController start() throws IOException {
    return RunningController.start(
        server.clientAs(USER),
        builder -> builder
            .kinds(RunningController.KINDS)
            .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", QUEUES)))
            .lease(new LeaseName(NAMESPACE, "kueue4j-controller", "one"))
            .port(0));
  }

  private static HttpResponse<String> ready(Controller controller) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://localhost:" + controller.port().orElseThrow() + "/readyz"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static boolean isStale(RunningController running, String what) {
    assertThat(running.hasEnded()).isFalse();
    return running.controller().staleness().stream().anyMatch(text -> text.contains(what));
  }

  private void create(String name) {
    Job unused = client.resource(QueuedJobs.job(name, "lq0")).create();
  }

  private boolean runs(String name) {
    return !client
        .batch()
        .v1()
        .jobs()
        .inNamespace("default")
        .withName(name)
        .get()
        .getSpec()
        .getSuspend();
  }

  private ClusterRoleBinding revoke() {
    ClusterRoleBinding binding =
        client.rbac().clusterRoleBindings().withName("kueue4j-controller").get();
    var unused = client.resource(binding).delete();
    binding.getMetadata().setResourceVersion(null);
    binding.getMetadata().setUid(null);
    return binding;
  }

  @Test
  void aControllerThatMayNotListBeginsWhenItMay() throws Exception {
    server.forbid(request -> request.equals("GET jobs"));
    ClusterRoleBinding binding = server.hasUsers() ? revoke() : new ClusterRoleBinding();
    create("first");
    try (RunningController running = start()) {
      Await.until("it says what it may not", () -> isStale(running, "forbidden"));
      assertThat(ready(running.controller()).statusCode()).isEqualTo(503);
      assertThat(ready(running.controller()).body())
          .contains("jobs.batch: not up to date", "forbidden");
      assertThat(running.controller().view()).isEmpty();

      server.forbid(request -> false);
      if (server.hasUsers()) {
        var unused = client.resource(binding).create();
      }

      Await.until("first runs", () -> runs("first"));
      Await.until("nothing is outdated", () -> running.controller().staleness().isEmpty());
      Await.until("ready", () -> ready(running.controller()).statusCode() == 200);
    }
  }

  @Test
  @EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
  void theEndOfTheServerOrOfPermissionsDoesNotEndTheTerm() throws Exception {
    try (RunningController running = start()) {
      create("first");
      Await.until("first runs", () -> runs("first"));
      Await.until("it shows the job", () -> running.controller().view().isPresent());
      AdmissionEngine engine = running.controller().engine().orElseThrow();

      server.kill();
      Await.until("all is outdated", () -> isStale(running, "jobs.batch"));
      // Longer than a lease lasts.
      Thread.sleep(17_000);
      assertThat(isStale(running, "jobs.batch")).isTrue();
      assertThat(ready(running.controller()).statusCode()).isEqualTo(200);
      assertThat(ready(running.controller()).body()).contains("jobs.batch: not up to date");
      server.startAgain();
      create("second");
      Await.until("second runs", () -> runs("second"));
      Await.until("nothing is outdated", () -> running.controller().staleness().isEmpty());

      // A server checks the permissions of a watch when it begins.
      ClusterRoleBinding binding = revoke();
      server.kill();
      server.startAgain();
      create("third");
      Await.until("it says what it may not", () -> isStale(running, "forbidden"));
      assertThat(runs("third")).isFalse();
      var unused = client.resource(binding).create();
      Await.until("third runs", () -> runs("third"));
      Await.until("nothing is outdated", () -> running.controller().staleness().isEmpty());

      assertThat(running.controller().engine().orElseThrow()).isSameAs(engine);
    }
  }
}
