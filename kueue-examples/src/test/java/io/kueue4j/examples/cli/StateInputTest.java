package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
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
    int status = REFUSED.contains(path) ? 403 : isList ? 200 : 404;
    byte[] body = (status == 200 ? "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}" : "{}")
        .getBytes(UTF_8);
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
