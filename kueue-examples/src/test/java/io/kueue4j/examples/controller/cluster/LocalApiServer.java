package io.kueue4j.examples.controller.cluster;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * {@code etcd} and {@code kube-apiserver}, started from a folder that has both, as envtest does: on
 * free ports, with a certificate that the server makes itself, and one user who may do everything.
 * There are no controllers and no nodes.
 */
final class LocalApiServer implements AutoCloseable {
  /** The credentials of the user. */
  static final String TOKEN = "test-token";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final int port;
  private List<String> serverCommand = List.of();

  private LocalApiServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** Starts a server with options beside its own. */
  static LocalApiServer start(Path assets, String... options) throws IOException {
    LocalApiServer server =
        new LocalApiServer(Files.createTempDirectory("kube-apiserver"), freePort());
    try {
      server.startEtcdAndServer(assets, options);
      server.awaitReady();
      return server;
    } catch (IOException | InterruptedException | GeneralSecurityException | RuntimeException e) {
      server.close();
      throw new IOException("kube-apiserver of " + assets + " does not start: " + e, e);
    }
  }

  private void startEtcdAndServer(Path assets, String... options)
      throws IOException, GeneralSecurityException {
    String etcd = "http://127.0.0.1:" + freePort();
    String peers = "http://127.0.0.1:" + freePort();
    run(
        "etcd",
        assets.resolve("etcd").toString(),
        "--data-dir=" + folder.resolve("etcd"),
        "--listen-client-urls=" + etcd,
        "--advertise-client-urls=" + etcd,
        "--listen-peer-urls=" + peers,
        "--unsafe-no-fsync=true");
    Path tokens = folder.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",tester,tester,\"system:masters\"\n");
    Path key = folder.resolve("service-account.key");
    Files.writeString(key, privateKey());
    List<String> command = new ArrayList<>(List.of(
        assets.resolve("kube-apiserver").toString(),
        "--etcd-servers=" + etcd,
        "--cert-dir=" + folder.resolve("certificates"),
        "--bind-address=127.0.0.1",
        "--secure-port=" + port,
        "--token-auth-file=" + tokens,
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://127.0.0.1:" + port,
        "--service-account-key-file=" + key,
        "--service-account-signing-key-file=" + key,
        "--service-cluster-ip-range=10.0.0.0/24",
        "--disable-admission-plugins=ServiceAccount",
        "--allow-privileged=true"));
    command.addAll(Arrays.asList(options));
    serverCommand = List.copyOf(command);
    run("kube-apiserver", serverCommand.toArray(String[]::new));
  }

  /** Kills the API server; etcd keeps what is stored. */
  void kill() {
    Process server = processes.remove(processes.size() - 1);
    server.destroyForcibly();
    server.onExit().join();
  }

  /** Starts the API server again after {@link #kill}; returns when it is ready. */
  void startAgain() throws IOException {
    try {
      run("kube-apiserver", serverCommand.toArray(String[]::new));
      awaitReady();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while kube-apiserver started", e);
    } catch (GeneralSecurityException e) {
      throw new IOException("kube-apiserver cannot be reached by TLS", e);
    }
  }

  private void run(String name, String... command) throws IOException {
    processes.add(new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(name + ".log").toFile())
        .start());
  }

  private static String privateKey() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(generator.generateKeyPair().getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }

  private void awaitReady() throws IOException, InterruptedException, GeneralSecurityException {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
    HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
    // Use the address in the certificate of the server.
    HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/readyz"))
        .header("Authorization", "Bearer " + TOKEN)
        .timeout(Duration.ofSeconds(5))
        .build();
    Instant end = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(end)) {
      for (Process process : processes) {
        if (!process.isAlive()) {
          throw new IOException("ended with exit code " + process.exitValue() + ": " + lastLines());
        }
      }
      try {
        if (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
          return;
        }
      } catch (IOException e) {
        // It does not listen yet.
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
    throw new IOException("not ready after " + PATIENCE + ": " + lastLines());
  }

  private String lastLines() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String name : List.of("etcd.log", "kube-apiserver.log")) {
      Path log = folder.resolve(name);
      if (Files.exists(log)) {
        List<String> all = Files.readAllLines(log);
        lines.append(String.join("\n", all.subList(Math.max(0, all.size() - 5), all.size())));
      }
    }
    return lines.toString();
  }

  /** {@return the processor time of the programs that run} */
  Duration cpu() {
    return processes.stream()
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  String url() {
    return "https://127.0.0.1:" + port;
  }

  @Override
  public void close() throws IOException {
    for (int i = processes.size() - 1; i >= 0; i--) {
      Process process = processes.get(i);
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The server on this machine has just created its certificate. */
  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
