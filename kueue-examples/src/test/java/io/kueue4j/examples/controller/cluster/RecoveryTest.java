package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.LeaseName;
import io.kueue4j.examples.controller.ServedKinds;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** A controller goes on when the server and its permissions are back, and says what is outdated. */
class RecoveryTest {
  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final String NAMESPACE = "kueue4j-system";
  private static final String USER = "system:serviceaccount:" + NAMESPACE + ":kueue4j-controller";
  private static final String QUEUES = QueuedJobs.queues(1, 1, 100);

  private ApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.ofItsOwn();
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
  void stop() throws Exception {
    client.close();
    server.close();
  }

  /** A controller with the permissions of the manifests, in a thread of its own. */
  private final class Running implements AutoCloseable {
    private final KubernetesClient own = server.clientAs(USER);
    private final Controller controller;
    private final CompletableFuture<Void> run;

    Running() throws Exception {
      controller = Controller.builder(own)
          .kinds(ServedKinds.BUILT_IN)
          .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", QUEUES)))
          .lease(new LeaseName(NAMESPACE, "kueue4j-controller", "one"))
          .port(0)
          .build();
      run = CompletableFuture.runAsync(
          () -> {
            try {
              controller.run();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          },
          task -> new Thread(task, "controller").start());
    }

    HttpResponse<String> ready() throws Exception {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(
                      URI.create("http://localhost:" + controller.port().orElseThrow() + "/readyz"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
    }

    private boolean isStale(String what) {
      assertThat(run).isNotDone();
      return controller.staleness().stream().anyMatch(text -> text.contains(what));
    }

    @Override
    public void close() {
      try {
        assertThat(controller.stop(DEADLINE)).as("the controller ends").isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while the controller was to end", e);
      }
      controller.close();
      run.join();
      own.close();
    }
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

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    Instant end = Instant.now().plus(DEADLINE);
    while (!condition.call()) {
      assertThat(Instant.now()).as("deadline for: %s", what).isBefore(end);
      Thread.sleep(50);
    }
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
    try (Running running = new Running()) {
      await("it says what it may not", () -> running.isStale("list: "));
      assertThat(running.ready().statusCode()).isEqualTo(503);
      assertThat(running.ready().body()).contains("jobs.batch: not up to date", "list: ");
      assertThat(running.controller.view()).isEmpty();

      server.forbid(request -> false);
      if (server.hasUsers()) {
        var unused = client.resource(binding).create();
      }

      await("first runs", () -> runs("first"));
      await("nothing is outdated", () -> running.controller.staleness().isEmpty());
      await("ready", () -> running.ready().statusCode() == 200);
    }
  }

  @Test
  @EnabledIfEnvironmentVariable(named = "KUBEBUILDER_ASSETS", matches = ".+")
  void theEndOfTheServerOrOfPermissionsDoesNotEndTheTerm() throws Exception {
    try (Running running = new Running()) {
      create("first");
      await("first runs", () -> runs("first"));
      await("it shows the job", () -> running.controller.view().isPresent());
      AdmissionEngine engine = running.controller.engine().orElseThrow();

      server.kill();
      await("all is outdated", () -> running.isStale("jobs.batch"));
      // Longer than a lease lasts.
      Thread.sleep(17_000);
      assertThat(running.isStale("jobs.batch")).isTrue();
      assertThat(running.ready().statusCode()).isEqualTo(200);
      assertThat(running.ready().body()).contains("jobs.batch: not up to date");
      server.startAgain();
      create("second");
      await("second runs", () -> runs("second"));
      await("nothing is outdated", () -> running.controller.staleness().isEmpty());

      // A server checks the permissions of a watch when it begins.
      ClusterRoleBinding binding = revoke();
      server.kill();
      server.startAgain();
      create("third");
      await("it says what it may not", () -> running.isStale("forbidden"));
      assertThat(runs("third")).isFalse();
      var unused = client.resource(binding).create();
      await("third runs", () -> runs("third"));
      await("nothing is outdated", () -> running.controller.staleness().isEmpty());

      assertThat(running.controller.engine().orElseThrow()).isSameAs(engine);
    }
  }
}
