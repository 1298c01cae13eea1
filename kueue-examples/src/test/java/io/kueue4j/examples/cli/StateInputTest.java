package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands decide on a cluster that a kubeconfig names; this one has nothing, and allows little.
 */
class StateInputTest {
  private static final Set<String> REFUSED = Set.of("/api/v1/nodes", "/apis/batch/v1/jobs");

  private final Set<String> methods = new TreeSet<>();
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  @TempDir
  private Path folder;

  private HttpServer server;
  private Path kubeconfig;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    kubeconfig = Files.writeString(
        folder.resolve("config"), """
        apiVersion: v1
        kind: Config
        current-context: test
        contexts: [{name: test, context: {cluster: test, user: test}}]
        clusters: [{name: test, cluster: {server: "http://localhost:%d"}}]
        users: [{name: test, user: {}}]
        """.formatted(server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    methods.add(exchange.getRequestMethod());
    String path = exchange.getRequestURI().getPath();
    boolean isList = path.matches("/api/v1/[a-z]+|/apis/[a-z0-9.]+/v1/[a-z]+");
    String answer = answers.get(path);
    int status = REFUSED.contains(path) ? 403 : isList || answer != null ? 200 : 404;
    String nothing =
        status == 200 ? "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}" : "{}";
    byte[] body = Objects.requireNonNullElse(answer, nothing).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  void whatTheClusterRefusesIsAnErrorUnlessTheRestIsEnough() throws IOException {
    Path file =
        Files.writeString(folder.resolve("x.yaml"), ClusterDump.QUEUES + ClusterDump.WORKLOADS);

    CommandLineRun refused = CommandLineRun.of("admit", "--kubeconfig", kubeconfig, file);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.errLines("error: "))
        .singleElement()
        .asString()
        .contains("refuses to list nodes, list jobs.batch; give the user the rights, or go on"
            + " without by --partial");

    CommandLineRun partial =
        CommandLineRun.of("admit", "--kubeconfig", kubeconfig, "--partial", file);
    assertThat(partial.exitCode()).as(partial.err()).isZero();
    assertThat(partial.err()).contains("warning: the cluster at").contains("refuses to list nodes");
    assertThat(partial.out()).isEqualTo(CommandLineRun.of("admit", file).out());
    assertThat(methods).containsExactly("GET");
  }

  @Test
  void decidesAsTheKueueOfTheCluster() throws IOException {
    answers.put("/apis/apps", """
        {kind: APIGroup, apiVersion: v1, name: apps, versions: [{groupVersion: apps/v1, version: v1}],
         preferredVersion: {groupVersion: apps/v1, version: v1}}
        """);
    answers.put("/apis/apps/v1", """
        {kind: APIResourceList, apiVersion: v1, groupVersion: apps/v1,
         resources: [{name: deployments, singularName: deployment, kind: Deployment, namespaced: true, verbs: [list]}]}
        """);
    answers.put(
        "/apis/apps/v1/deployments",
        "{apiVersion: v1, kind: DeploymentList, metadata: {}, items: [{metadata: {name: kueue-controller-manager,"
            + " namespace: kueue-system}, spec: {template: {spec: {containers: [{name: manager,"
            + " image: 'registry.k8s.io/kueue/kueue:v0.19.7'}]}}}}]}");
    // Without the dashes it would be taken for JSON.
    answers.replaceAll(
        (path, yaml) -> Serialization.asJson(Serialization.unmarshal("---\n" + yaml, Map.class)));
    Path file = Files.writeString(folder.resolve("x.yaml"), ClusterDump.QUEUES);

    CommandLineRun run = CommandLineRun.of("admit", "--kubeconfig", kubeconfig, "--partial", file);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("note: decides as Kueue 0.19.7, since the image of");
  }

  @Test
  void aSimulationTakesItsConfigurationFromTheCluster() throws IOException {
    Path laboratory = Path.of("src", "main", "resources", "simulation").toAbsolutePath();
    Object[] files = {laboratory.resolve("lab.swf"), "--config", laboratory.resolve("queues.yaml")};
    CommandLineRun refused = CommandLineRun.of("simulate", files[0], "--kubeconfig", kubeconfig);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("refuses to list nodes", "--partial");

    CommandLineRun both = CommandLineRun.of(
        "simulate",
        files[0],
        "--resource=nvidia.com/gpu",
        "--kubeconfig",
        kubeconfig,
        "--partial",
        files[1],
        files[2]);
    assertThat(both.exitCode()).as(both.err()).isZero();
    assertThat(both.out())
        .isEqualTo(
            CommandLineRun.of("simulate", files[0], "--resource=nvidia.com/gpu", files[1], files[2])
                .out());
  }

  @Test
  void aContextHasToExist() {
    CommandLineRun run =
        CommandLineRun.of("admit", "--kubeconfig", kubeconfig, "--context", "production");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "--context: there is no context production in " + kubeconfig + "; there are test");
    assertThat(methods).isEmpty();
  }

  @Test
  void aClusterWithNothingIsNamed() {
    assertThat(CommandLineRun.of("snapshot", "--kubeconfig", kubeconfig, "--partial")
            .err())
        .contains("the cluster: no Kubernetes object; expected at least one");
  }

  @Test
  void somethingHasToBeGiven() {
    CommandLineRun run = CommandLineRun.of("topology");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("Missing required parameter: 'PATH' (or a cluster: --context NAME)");
  }

  @Test
  void aClusterThatDoesNotAnswerIsNamed() {
    server.stop(0);
    CommandLineRun run = CommandLineRun.of("snapshot", "--kubeconfig", kubeconfig);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errLines("error: "))
        .singleElement()
        .asString()
        .startsWith("error: the cluster at http://localhost:");
  }
}
