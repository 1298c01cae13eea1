package io.kueue4j.examples.controller;

import static io.kueue4j.examples.SampleManifests.QUEUES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.DeployManifests;
import io.kueue4j.examples.controller.cluster.ApiServer;
import io.kueue4j.examples.controller.seal.ClusterSecretStore;
import io.kueue4j.examples.controller.seal.SealSecret;
import io.kueue4j.examples.controller.seal.SecretException;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Seals through a client, on any API server. */
class SealedControllerTest {
  private static final String SYSTEM = "kueue4j-system";
  private static final String SECRET = "kueue4j-seals";
  private static final String USER = "system:serviceaccount:" + SYSTEM + ":kueue4j-controller";

  private ApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.ofItsOwn();
    client = server.client();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  /** Creates the namespace, the permissions and the Secret of the manifests. */
  private void applyManifest(boolean withRole) throws IOException {
    DeployManifests.base().stream()
        .filter(object -> object instanceof Namespace
            || object instanceof ServiceAccount
            || object instanceof Secret
            || object.getApiVersion().startsWith("rbac."))
        .filter(object -> withRole || !(object instanceof RoleBinding))
        .forEach(object -> client.resource(object).create());
  }

  /** Starts a controller with the permissions of the manifest. */
  private RunningController startController(UnaryOperator<ControllerBuilder> change)
      throws IOException {
    return RunningController.start(
        server.clientAs(USER),
        builder -> change.apply(builder
            .kinds(ServedKinds.BUILT_IN)
            .queues(ManifestReader.create().read(ManifestSource.of("queues.yaml", QUEUES)))
            .sealSecret(SYSTEM, SECRET)
            .sealInterval(Duration.ofMillis(100))
            .port(0)));
  }

  private static HttpResponse<String> readiness(RunningController running)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(
                    "http://localhost:" + running.controller().port().orElseThrow() + "/readyz"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private void create(String name, Map<String, String> annotations, boolean suspended) {
    Job job = Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: %s
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: queue}
        spec:
          suspend: %s
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: busybox, resources: {requests: {cpu: "3"}}}]
        """.formatted(name, suspended), Job.class);
    job.getMetadata().setAnnotations(new HashMap<>(annotations));
    client.resource(job).create();
  }

  private Job job(String name) {
    return client.batch().v1().jobs().inNamespace("default").withName(name).get();
  }

  private String note(String name) {
    return JobAnnotations.get(job(name), JobAnnotations.ADMISSION);
  }

  private String keyOf(String name) {
    String note = note(name);
    return note.isEmpty() ? "" : Json.parse(note).at("/seal/key").asText();
  }

  private boolean runs(String name) {
    return !job(name).getSpec().getSuspend() && !note(name).isEmpty();
  }

  private boolean isRefused(String name) {
    return client.v1().events().inNamespace("default").list().getItems().stream()
        .anyMatch(event -> event.getReason().equals("AdmissionRefused")
            && event.getInvolvedObject().getName().equals(name));
  }

  private void forge(String name, UnaryOperator<String> change) {
    client.batch().v1().jobs().inNamespace("default").withName(name).edit(job -> {
      Map<String, String> annotations = new HashMap<>(job.getMetadata().getAnnotations());
      annotations.computeIfPresent(JobAnnotations.ADMISSION, (key, note) -> change.apply(note));
      job.getMetadata().setAnnotations(annotations);
      return job;
    });
  }

  @Test
  void forgedNotesAreRefusedWhileItRunsAndAfterwards() throws Exception {
    applyManifest(true);
    create("train", Map.of(), true);
    String key;
    try (RunningController first = startController(builder -> builder)) {
      Await.until("it runs", () -> runs("train"));
      Await.until("ready", () -> readiness(first).statusCode() == 200);
      assertThat(readiness(first).body()).isEqualTo("ok\n");
      key = keyOf("train");
      assertThat(key).isNotEmpty();
      create("copy", Map.of(JobAnnotations.ADMISSION, note("train")), false);
      Await.until("the copy is suspended", () -> job("copy").getSpec().getSuspend());
      Await.until("the copy is refused", () -> isRefused("copy"));
      assertThat(note("copy")).isEmpty();

      forge("train", note -> note.replace("research", "elsewhere"));
      Await.until("it is refused", () -> isRefused("train"));
      Await.until("one of both runs on a note of its own", () -> runs("train") != runs("copy"));
    }
    String running = runs("train") ? "train" : "copy";
    forge(running, note -> note.replace("\"cpu\":\"3\"", "\"cpu\":\"1\""));
    try (RunningController second = startController(builder -> builder)) {
      Await.until("leads", () -> second.controller().view().isPresent());
      Await.until(
          "it is refused",
          () -> !second.controller().view().orElseThrow().refusedNotes().isEmpty());
      Await.until("one of both runs again", () -> runs("train") != runs("copy"));
      assertThat(keyOf(runs("train") ? "train" : "copy")).as("the key was kept").isEqualTo(key);
    }
  }

  @Test
  void aRotationIsTakenUpWhileItRuns() throws Exception {
    applyManifest(true);
    create("train", Map.of(), true);
    try (RunningController running = startController(builder -> builder)) {
      Await.until("it runs", () -> runs("train"));
      String old = keyOf("train");
      client.secrets().inNamespace(SYSTEM).withName(SECRET).edit(secret -> {
        Map<String, String> data = new HashMap<>(secret.getData());
        data.put(SealSecret.PREVIOUS, data.remove(SealSecret.CURRENT));
        return new SecretBuilder(secret).withData(data).build();
      });
      Await.until("sealed anew", () -> !keyOf("train").equals(old));
      assertThat(job("train").getSpec().getSuspend()).isFalse();
      client
          .secrets()
          .inNamespace(SYSTEM)
          .withName(SECRET)
          .edit(secret -> new SecretBuilder(secret)
              .withData(Map.of(SealSecret.CURRENT, "YnJva2Vu"))
              .build());
      Await.until("it is said", () -> readiness(running).body().contains("data.current is no key"));
      assertThat(readiness(running).statusCode()).isEqualTo(200);
    }
    assertThat(runs("train")).isTrue();
  }

  @Test
  void withoutTheRightItWorksAndSaysThatNotesAreNotSealed() throws Exception {
    applyManifest(false);
    server.forbidSecrets();
    create("train", Map.of(), true);
    try (RunningController running = startController(builder -> builder)) {
      Await.until("it runs", () -> runs("train"));
      assertThat(keyOf("train")).isEmpty();
      Await.until("ready", () -> readiness(running).statusCode() == 200);
      assertThat(readiness(running).body())
          .startsWith("ok\nnotes on jobs are not sealed: ")
          .contains(SYSTEM + "/" + SECRET, "forge");
      assertThat(running.controller().sealWarning()).isPresent();
    }
  }

  @Test
  void unsealedNotesAreAcceptedOnce() throws Exception {
    applyManifest(true);
    create("train", Map.of(), true);
    try (RunningController unsealed =
        startController(builder -> builder.sealSecret(SYSTEM, "missing"))) {
      Await.until("it runs", () -> runs("train"));
      String text = note("train");
      unsealed.controller().stop(Await.DEADLINE);
      forge("train", note -> withoutSeal(text));
    }
    try (RunningController running = startController(ControllerBuilder::acceptUnsealedNotesOnce)) {
      Await.until("sealed", () -> !keyOf("train").isEmpty());
      Await.until("remembered", () -> secret().getData().containsKey(SealSecret.ACCEPTED));
      assertThat(running.controller().view().orElseThrow().refusedNotes()).isEmpty();
    }
    forge("train", SealedControllerTest::withoutSeal);
    try (RunningController running = startController(ControllerBuilder::acceptUnsealedNotesOnce)) {
      Await.until("leads", () -> running.controller().view().isPresent());
      Await.until(
          "refused",
          () -> !running.controller().view().orElseThrow().refusedNotes().isEmpty());
    }
  }

  private Secret secret() {
    return client.secrets().inNamespace(SYSTEM).withName(SECRET).get();
  }

  private static String withoutSeal(String note) {
    var json = Json.parse(note);
    json.remove("seal");
    return Json.text(json);
  }

  @Test
  void aSecretThatHoldsSomethingElseIsNoReasonToGoOn() throws Exception {
    applyManifest(true);
    client
        .secrets()
        .inNamespace(SYSTEM)
        .withName(SECRET)
        .edit(secret -> new SecretBuilder(secret)
            .withData(Map.of(SealSecret.CURRENT, "c2hvcnQ="))
            .build());
    try (Controller controller = Controller.builder(client)
        .kinds(ServedKinds.BUILT_IN)
        .sealSecret(SYSTEM, SECRET)
        .build()) {
      assertThatThrownBy(controller::run)
          .isInstanceOf(SecretException.class)
          .hasMessageContaining("it has 5 bytes, expected 32");
    }
  }

  /** Requires a server with users. */
  @Test
  void theRightsAreThoseOnOneSecret() throws Exception {
    assumeThat(server.hasUsers()).isTrue();
    applyManifest(true);
    try (KubernetesClient limited = server.clientAs(USER)) {
      assertThat(new SealSecret(
                  new ClusterSecretStore(limited, SYSTEM, SECRET),
                  new SecureRandom(),
                  InstantSource.system())
              .look()
              .keys())
          .isPresent();
      assertThat(new SealSecret(
                  new ClusterSecretStore(limited, SYSTEM, "other"),
                  new SecureRandom(),
                  InstantSource.system())
              .look()
              .keys())
          .isEmpty();
      assertThatThrownBy(() -> limited.secrets().inNamespace(SYSTEM).list())
          .isInstanceOf(KubernetesClientException.class);
    }
  }
}
