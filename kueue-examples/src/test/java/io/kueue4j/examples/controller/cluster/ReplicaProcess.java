package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** A controller that shares the work, in a process of its own, behind a proxy. */
final class ReplicaProcess implements AutoCloseable {
  private final CuttableProxy proxy;
  private final Process process;

  private ReplicaProcess(CuttableProxy proxy, Process process) {
    this.proxy = proxy;
    this.process = process;
  }

  /**
   * Starts a replica.
   *
   * @param folder the folder for its kubeconfig and log
   */
  static ReplicaProcess start(Path folder, String name, Config server, Path queues)
      throws IOException {
    CuttableProxy proxy = CuttableProxy.start(URI.create(server.getMasterUrl()).getPort());
    Path kubeconfig = folder.resolve(name + ".kubeconfig");
    Files.writeString(kubeconfig, """
        apiVersion: v1
        kind: Config
        clusters:
        - {name: local, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}
        users:
        - {name: tester, user: {token: %s}}
        contexts:
        - {name: local, context: {cluster: local, user: tester, namespace: default}}
        current-context: local
        """.formatted(proxy.port(), server.getOauthToken()));
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
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
            "0",
            "--share-work")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(name + ".log").toFile())
        .start();
    return new ReplicaProcess(proxy, process);
  }

  boolean isAlive() {
    return process.isAlive();
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
