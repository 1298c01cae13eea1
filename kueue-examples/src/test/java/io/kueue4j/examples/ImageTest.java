package io.kueue4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts what is in the image of the property {@code kueue4j.image}, without a container runtime:
 * its layers are unpacked into a folder, which becomes the root of a process with the image's user,
 * read-only and with nothing else of this machine but {@code /dev} and {@code /proc}.
 */
@EnabledIfSystemProperty(named = ImageTest.IMAGE, matches = ".+")
class ImageTest {
  static final String IMAGE = "kueue4j.image";

  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Makes its first argument the root, and the second the working directory, of the rest. */
  private static final String CONTAINER = """
      root=$1 directory=$2 user=$3; shift 3
      mount --bind "$root" "$root"
      mount --rbind /dev "$root/dev"
      mount --rbind /proc "$root/proc"
      mount -o remount,bind,ro "$root"
      exec unshare --root="$root" --wd="$directory" --setgid="$user" --setuid="$user" "$@"
      """;

  @TempDir
  Path temporary;

  private Path root;
  private JsonNode config;

  @BeforeEach
  void unpack() throws Exception {
    Path image = Files.createDirectories(temporary.resolve("image"));
    root = Files.createDirectories(temporary.resolve("root"));
    run("tar", "-xf", System.getProperty(IMAGE), "-C", image.toString());
    JsonNode index = JSON.readTree(image.resolve("index.json").toFile());
    JsonNode manifest =
        JSON.readTree(blob(image, index.at("/manifests/0/digest").asText()).toFile());
    config = JSON.readTree(blob(image, manifest.at("/config/digest").asText()).toFile());
    for (JsonNode layer : manifest.get("layers")) {
      run(
          "tar",
          "-xzf",
          blob(image, layer.get("digest").asText()).toString(),
          "-C",
          root.toString());
    }
    for (String mountPoint : ImmutableList.of("dev", "proc")) {
      Files.createDirectory(root.resolve(mountPoint));
    }
  }

  private static Path blob(Path image, String digest) {
    return image.resolve("blobs").resolve(digest.replace(':', '/'));
  }

  @Test
  void runsTheControllerAsAUserWithoutRights() {
    assertThat(config.at("/config/User").asText()).isEqualTo("65532:65532");
    assertThat(texts(config.at("/config/Cmd"))).containsExactly("controller");
    assertThat(config.at("/os").asText()).isEqualTo("linux");
    assertThat(config.at("/config/Labels").fieldNames())
        .toIterable()
        .contains(
            "org.opencontainers.image.version",
            "org.opencontainers.image.source",
            "org.opencontainers.image.licenses");
  }

  /** With {@code -Xshare:on} a JVM does not start without its archive. */
  @Test
  void usesItsClassDataArchive() throws Exception {
    String printed = run(container(ImmutableList.of("-Xshare:on"), "--version"));

    assertThat(printed).startsWith("kueue4j ");

    Files.delete(root.resolve("app/kueue4j.jsa"));
    assertThatThrownBy(() -> run(container(ImmutableList.of("-Xshare:on"), "--version")))
        .hasMessageContaining("Unable to use shared archive");
  }

  @Test
  void theControllerAdmitsAJobAndEndsWhenItIsTerminated() throws Exception {
    int port = freePort();
    Files.writeString(root.resolve("queues.yaml"), """
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ResourceFlavor
        metadata: {name: on-demand}
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: ClusterQueue
        metadata: {name: team}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - name: on-demand
              resources:
              - {name: cpu, nominalQuota: 2}
        ---
        apiVersion: kueue.x-k8s.io/v1beta1
        kind: LocalQueue
        metadata: {name: main, namespace: default}
        spec: {clusterQueue: team}
        """);
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client()) {
      Files.writeString(root.resolve("kubeconfig"), """
          apiVersion: v1
          kind: Config
          clusters: [{name: mock, cluster: {server: '%s'}}]
          users: [{name: mock, user: {token: mock}}]
          contexts: [{name: mock, context: {cluster: mock, user: mock, namespace: default}}]
          current-context: mock
          """.formatted(client.getMasterUrl()));
      client
          .resource(Serialization.unmarshal(
              Files.readString(DeployManifests.ROOT.resolve("definitions/workloads.yaml")),
              CustomResourceDefinition.class))
          .create();
      client.resource(job()).create();

      Process controller = new ProcessBuilder(container(
              ImmutableList.of(),
              "controller",
              "--kubeconfig=/kubeconfig",
              "--queues=/queues.yaml",
              "--no-leader-election",
              "--port=" + port))
          .redirectErrorStream(true)
          .redirectOutput(temporary.resolve("log").toFile())
          .start();
      try {
        await(
            "the start of the job",
            controller,
            () -> !client
                .batch()
                .v1()
                .jobs()
                .inNamespace("default")
                .withName("sample")
                .get()
                .getSpec()
                .getSuspend());
        await("readiness", controller, () -> status(port, "/readyz") == 200);
      } finally {
        controller.destroy();
      }
      assertThat(controller.waitFor(DEADLINE.toSeconds(), SECONDS)).isTrue();
    }
  }

  private static Job job() {
    return Serialization.unmarshal("""
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: sample
          namespace: default
          labels: {kueue.x-k8s.io/queue-name: main}
        spec:
          suspend: true
          template:
            spec:
              restartPolicy: Never
              containers:
              - name: main
                image: sample
                resources: {requests: {cpu: 1}}
        """, Job.class);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static int status(int port, String path) throws InterruptedException {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0; // It does not listen yet.
    }
  }

  private void await(String what, Process controller, Callable<Boolean> condition)
      throws Exception {
    Instant end = Instant.now().plus(DEADLINE);
    while (!condition.call()) {
      boolean mayCome = controller.isAlive() && Instant.now().isBefore(end);
      assertThat(mayCome)
          .as("%s; log: %s", what, Files.readString(temporary.resolve("log")))
          .isTrue();
      Thread.sleep(100);
    }
  }

  /** The command that runs the image's entry point with further options of the JVM. */
  private String[] container(ImmutableList<String> options, String... arguments) {
    ImmutableList.Builder<String> command = ImmutableList.builder();
    command.add("unshare", "--mount");
    String user = config.at("/config/User").asText().replaceFirst(":.*", "");
    if (!System.getProperty("user.name").equals("root")) {
      command.add("--map-root-user");
      user = "0"; // Who runs the tests: there is no other user in such a namespace.
    }
    command.add("sh", "-e", "-c", CONTAINER, "sh", root.toString());
    command.add(config.at("/config/WorkingDir").asText(), user);
    ImmutableList<String> entrypoint = texts(config.at("/config/Entrypoint"));
    command.add(entrypoint.get(0)).addAll(options).addAll(entrypoint.subList(1, entrypoint.size()));
    return command.add(arguments).build().toArray(new String[0]);
  }

  private static ImmutableList<String> texts(JsonNode array) {
    ImmutableList.Builder<String> texts = ImmutableList.builder();
    array.forEach(text -> texts.add(text.asText()));
    return texts.build();
  }

  /** The output of a program that must succeed. */
  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
