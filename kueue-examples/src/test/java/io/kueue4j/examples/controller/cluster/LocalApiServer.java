package io.kueue4j.examples.controller.cluster;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.PemFiles;
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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * {@code etcd} and {@code kube-apiserver}, started from a folder that has both, as envtest does: on
 * free ports, with a certificate that the server makes itself, and one user who may do everything.
 * There are no nodes, and no controllers other than those that {@link #run} starts.
 */
final class LocalApiServer implements AutoCloseable {
  /** The credentials of the user. */
  static final String TOKEN = "test-token";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path folder;
  private final Map<String, Process> processes = new LinkedHashMap<>();
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
      server.awaitReady(server.url());
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
    Process server = Objects.requireNonNull(processes.remove("kube-apiserver"));
    server.destroyForcibly();
    server.onExit().join();
  }

  /** Starts the API server again after {@link #kill}; returns when it is ready. */
  void startAgain() throws IOException {
    try {
      run("kube-apiserver", serverCommand.toArray(String[]::new));
      awaitReady(url());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while kube-apiserver started", e);
    } catch (GeneralSecurityException e) {
      throw new IOException("kube-apiserver cannot be reached by TLS", e);
    }
  }

  /** Stops etcd for some time: it answers nothing, and goes on with what it was asked. */
  void stopStore(Duration time) throws IOException, InterruptedException {
    signalStore("-STOP");
    Thread.sleep(time.toMillis());
    signalStore("-CONT");
  }

  private void signalStore(String signal) throws IOException, InterruptedException {
    long etcd = Objects.requireNonNull(processes.get("etcd")).pid();
    int code = new ProcessBuilder("kill", signal, String.valueOf(etcd)).start().waitFor();
    if (code != 0) {
      throw new IOException("kill " + signal + " of etcd has exit code " + code);
    }
  }

  /** Starts a program that ends with the server. */
  void run(String name, String... command) throws IOException {
    processes.put(
        name,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start());
  }

  /** {@return the folder for the files of its programs, deleted when it is closed} */
  Path folder() {
    return folder;
  }

  /** Writes the file with which programs connect to a server as the user. */
  static void writeKubeconfig(Path file, String url, String token) throws IOException {
    Files.writeString(file, """
        apiVersion: v1
        kind: Config
        clusters:
        - {name: local, cluster: {server: "%s", insecure-skip-tls-verify: true}}
        users:
        - {name: tester, user: {token: %s}}
        contexts:
        - {name: local, context: {cluster: local, user: tester, namespace: default}}
        current-context: local
        """.formatted(url, token));
  }

  private static String privateKey() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return PemFiles.text("PRIVATE KEY", generator.generateKeyPair().getPrivate().getEncoded());
  }

  /** Waits until the program at an address is ready. */
  void awaitReady(String url) throws IOException, InterruptedException, GeneralSecurityException {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
    HttpClient client = HttpClient.newBuilder().sslContext(trusting).build();
    // Use the address in the certificate of the server.
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/readyz"))
        .header("Authorization", "Bearer " + TOKEN)
        .timeout(Duration.ofSeconds(5))
        .build();
    Instant end = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(end)) {
      for (Map.Entry<String, Process> program : processes.entrySet()) {
        if (!program.getValue().isAlive()) {
          throw new IOException("%s ended with exit code %d: %s"
              .formatted(program.getKey(), program.getValue().exitValue(), lastLines()));
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
    for (String name : processes.keySet()) {
      Path log = folder.resolve(name + ".log");
      if (Files.exists(log)) {
        List<String> all = Files.readAllLines(log);
        all.subList(Math.max(0, all.size() - 5), all.size())
            .forEach(line -> lines.append('\n').append(name).append(": ").append(line));
      }
    }
    return lines.toString();
  }

  /** {@return the processor time of the programs that run} */
  Duration cpu() {
    return processes.values().stream()
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  String url() {
    return "https://127.0.0.1:" + port;
  }

  @Override
  public void close() throws IOException {
    for (Process process : ImmutableList.copyOf(processes.values()).reverse()) {
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

  /** {@return a port that was free just now} */
  static int freePort() throws IOException {
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
