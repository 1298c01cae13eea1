package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kueue4j.examples.PemFiles;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.dryrun.DryRun;
import io.kueue4j.examples.monitoring.MonitorPage;
import io.kueue4j.examples.monitoring.MonitorView;
import io.kueue4j.examples.server.ClusterAccess;
import io.kueue4j.examples.server.ServerSecurity;
import io.kueue4j.examples.server.TlsFiles;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server of a controller with TLS, and with users of a cluster. */
final class SecuredPagesTest {
  private HttpServer reviews;
  private KubernetesClient client;

  @TempDir
  private Path folder;

  @BeforeEach
  void start() throws IOException {
    reviews = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    reviews.createContext("/", SecuredPagesTest::review);
    reviews.start();
    client = new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder()
            .withAutoConfigure(false)
            .withMasterUrl("http://localhost:" + reviews.getAddress().getPort())
            .build())
        .build();
  }

  /** The tokens are the names of users: "tenant" may see team-a, "admin" all, "scraper" metrics. */
  private static void review(HttpExchange exchange) throws IOException {
    JsonNode given = new ObjectMapper().readTree(exchange.getRequestBody());
    String answer;
    if (exchange.getRequestURI().getPath().endsWith("/tokenreviews")) {
      String token = given.at("/spec/token").asText();
      boolean known = !token.equals("forged");
      answer = "{\"kind\":\"TokenReview\",\"apiVersion\":\"authentication.k8s.io/v1\",\"spec\":{},"
          + "\"status\":{\"authenticated\":" + known + ",\"user\":{\"username\":\"" + token
          + "\"}}}";
    } else {
      String user = given.at("/spec/user").asText();
      String path = given.at("/spec/nonResourceAttributes/path").asText();
      String namespace = given.at("/spec/resourceAttributes/namespace").asText();
      boolean allowed = path.isEmpty()
          ? user.equals("admin") || (user.equals("tenant") && namespace.equals("team-a"))
          : user.equals("scraper") && path.equals("/metrics");
      answer = "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
          + "\"spec\":{},\"status\":{\"allowed\":" + allowed + "}}";
    }
    byte[] body = answer.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(201, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @AfterEach
  void stop() {
    client.close();
    reviews.stop(0);
  }

  private Controller controller(ServerSecurity security) throws IOException {
    ControllerPages pages = new ControllerPages(InstantSource.system(), Optional.empty());
    return Controller.builder(client)
        .port(0)
        .security(security)
        .handlers(pages::handlers)
        .build();
  }

  private static int status(Controller controller, String path, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(
        URI.create("http://localhost:" + controller.port().orElseThrow() + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void onlyUsersAreServedAndMetricsOnlyIfTheyMayGetThem() throws Exception {
    try (Controller controller = controller(new ServerSecurity(
        Optional.of("localhost"), Optional.empty(), Optional.of(new ClusterAccess(client))))) {
      assertThat(status(controller, "/", "")).isEqualTo(401);
      assertThat(status(controller, "/", "forged")).isEqualTo(401);
      assertThat(status(controller, "/", "tenant")).isEqualTo(200);
      assertThat(status(controller, "/metrics", "")).isEqualTo(401);
      assertThat(status(controller, "/metrics", "tenant")).isEqualTo(403);
      assertThat(status(controller, "/metrics", "scraper")).isEqualTo(200);
      assertThat(status(controller, "/healthz", "")).isEqualTo(200);
    }
  }

  @Test
  void nothingIsServedWhileTheApiServerIsAway() throws Exception {
    try (Controller controller = controller(new ServerSecurity(
        Optional.empty(), Optional.empty(), Optional.of(new ClusterAccess(client))))) {
      reviews.stop(0);
      assertThat(status(controller, "/", "admin")).isEqualTo(503);
      assertThat(status(controller, "/healthz", "")).isEqualTo(200);
    }
  }

  @Test
  void aTenantSeesTheJobsOfOwnNamespacesAndNoNameOfOthers() {
    StringBuilder manifests = new StringBuilder("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: spot}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: shared}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - name: spot
              resources: [{name: cpu, nominalQuota: 4}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: secret-queue}
        spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 1}]}]}]}
        """);
    for (String team : new String[] {"team-b", "team-a"}) {
      manifests.append("""
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: queue, namespace: %1$s}
          spec: {clusterQueue: shared}
          ---
          apiVersion: batch/v1
          kind: Job
          metadata: {name: job-of-%1$s, namespace: %1$s, labels: {kueue.x-k8s.io/queue-name: queue}}
          spec:
            suspend: true
            template:
              spec:
                restartPolicy: Never
                containers: [{name: main, image: busybox, resources: {requests: {cpu: "3"}}}]
          """.formatted(team));
    }
    MonitorView all = ControllerPage.read(DryRun.play(
            ManifestReader.create().read(ManifestSource.of("all.yaml", manifests.toString())),
            ControllerOptions.defaults())
        .view());
    assertThat(html(all)).contains("job-of-team-b", "job-of-team-a", "secret-queue");

    MonitorView own =
        all.withWarnings(ImmutableList.of("about job-of-team-b")).visibleIn("team-a"::equals);
    assertThat(own.waiting()).singleElement().satisfies(job -> {
      assertThat(job.job().namespace()).isEqualTo("team-a");
      assertThat(job.texts()).singleElement().asString().contains("requests 3, 1 available");
    });
    assertThat(html(own))
        .contains("job-of-team-a", "shared")
        .doesNotContain("team-b", "secret-queue");
  }

  private static String html(MonitorView view) {
    return MonitorPage.write(view, "jobs");
  }

  /** {@return the name in the certificate that the server shows to a new client} */
  private String servedName(Controller controller) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    int number = 0;
    try (InputStream in = Files.newInputStream(folder.resolve("all.crt"))) {
      for (Certificate certificate :
          java.security.cert.CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("c" + number++, certificate);
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    TrustManager[] managers = factory.getTrustManagers();
    context.init(null, managers, null);
    HttpResponse<String> answer = HttpClient.newBuilder()
        .sslContext(context)
        .build()
        .send(
            HttpRequest.newBuilder(
                    URI.create("https://localhost:" + controller.port().orElseThrow() + "/healthz"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.body()).isEqualTo("ok\n");
    return ((X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0])
        .getSubjectX500Principal()
        .getName();
  }

  private void trust() throws IOException {
    Path all = folder.resolve("all.crt");
    String before = Files.exists(all) ? Files.readString(all) : "";
    Files.writeString(all, before + Files.readString(folder.resolve("tls.crt")));
  }

  @Test
  void aChainThatIsNotLinkedIsServed() throws Exception {
    Path certificate = folder.resolve("tls.crt");
    PemFiles.writeSelfSigned(folder, "other", "dns:localhost");
    String other = Files.readString(certificate);
    PemFiles.writeSelfSigned(folder, "first", "dns:localhost");
    Files.writeString(certificate, Files.readString(certificate) + other);
    trust();
    TlsFiles files = new TlsFiles(certificate, folder.resolve("tls.key"));
    try (Controller controller =
        controller(new ServerSecurity(Optional.empty(), Optional.of(files), Optional.empty()))) {
      assertThat(servedName(controller)).isEqualTo("CN=first");
    }
  }

  @Test
  void theCertificateIsReadAgainWhenItChanges() throws Exception {
    PemFiles.writeSelfSigned(folder, "first", "dns:localhost");
    trust();
    TlsFiles files = new TlsFiles(folder.resolve("tls.crt"), folder.resolve("tls.key"));
    try (Controller controller =
        controller(new ServerSecurity(Optional.empty(), Optional.of(files), Optional.empty()))) {
      assertThat(servedName(controller)).isEqualTo("CN=first");
      PemFiles.writeSelfSigned(folder, "second", "dns:localhost");
      trust();
      Instant end = Instant.now().plus(Duration.ofSeconds(60));
      while (!servedName(controller).equals("CN=second")) {
        assertThat(Instant.now()).isBefore(end);
        Thread.sleep(100);
      }
      Files.writeString(folder.resolve("tls.key"), "broken");
      Thread.sleep(1100);
      assertThat(servedName(controller)).isEqualTo("CN=second");
    }
    assertThatIOException().isThrownBy(files::context).withMessageContaining("no key");
  }
}
