package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A controller in a process of its own, behind a proxy. */
final class ReplicaProcess implements AutoCloseable {
  private final CuttableProxy proxy;
  private final Process process;
  private Duration cpuBefore = Duration.ZERO;

  private ReplicaProcess(CuttableProxy proxy, Process process) {
    this.proxy = proxy;
    this.process = process;
  }

  /**
   * Starts a replica.
   *
   * @param folder the folder for its kubeconfig and log
   * @param options options of the command beside those that every replica needs
   */
  static ReplicaProcess start(
      Path folder, String name, Config server, Path queues, List<String> options)
      throws IOException {
    CuttableProxy proxy = CuttableProxy.start(URI.create(server.getMasterUrl()).getPort());
    Path kubeconfig = folder.resolve(name + ".kubeconfig");
    LocalApiServer.writeKubeconfig(
        kubeconfig, "https://127.0.0.1:" + proxy.port(), server.getOauthToken());
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Djdk.tls.client.cipherSuites=TLS_CHACHA20_POLY1305_SHA256,TLS_AES_128_GCM_SHA256",
        "-cp",
        System.getProperty("java.class.path"),
        "io.kueue4j.examples.Main",
        "controller",
        "--kubeconfig",
        kubeconfig.toString(),
        "--identity",
        name,
        "--queues",
        queues.toString(),
        "--port",
        "0"));
    command.addAll(options);
    Process process = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(name + ".log").toFile())
        .start();
    return new ReplicaProcess(proxy, process);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** {@return its processor time, since the last call of {@link #resetCpu} if there was one} */
  Duration cpu() {
    return total().minus(cpuBefore);
  }

  private Duration total() {
    return process.info().totalCpuDuration().orElse(cpuBefore);
  }

  /** Counts its processor time from now on. */
  void resetCpu() {
    cpuBefore = total();
  }

  /** Cuts it off from the API server, or ends that. */
  void cut(boolean cut) {
    proxy.cut(cut);
  }

  /** Kills it at once. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    proxy.close();
  }
}
