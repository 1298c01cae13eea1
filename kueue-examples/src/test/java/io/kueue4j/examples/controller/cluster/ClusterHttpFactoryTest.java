package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kueue4j.examples.controller.watch.ClusterHttpFactory;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

class ClusterHttpFactoryTest {
  /** The length of what comes before the session id: record, message, version and random. */
  private static final int BEFORE_SESSION = 5 + 4 + 2 + 32;

  /** The common pool may have one thread only. */
  private static final Executor THREADS = task -> new Thread(task, "handshake").start();

  @Test
  void clientsOfferTheCipherSuitesOfTheJvmInItsOrder() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CompletableFuture<List<Integer>> plain =
          CompletableFuture.supplyAsync(() -> offer(server), THREADS);
      try (SSLSocket socket = (SSLSocket) SSLContext.getDefault()
          .getSocketFactory()
          .createSocket(server.getInetAddress(), server.getLocalPort())) {
        var unused = CompletableFuture.runAsync(() -> handshake(socket), THREADS);
        assertThat(plain.get()).hasSizeGreaterThan(2);
      }

      CompletableFuture<List<Integer>> ours =
          CompletableFuture.supplyAsync(() -> offer(server), THREADS);
      Config config = new ConfigBuilder()
          .withMasterUrl("https://127.0.0.1:" + server.getLocalPort())
          .withRequestRetryBackoffLimit(0)
          .build();
      try (KubernetesClient client = new KubernetesClientBuilder()
          .withConfig(config)
          .withHttpClientFactory(new ClusterHttpFactory(config))
          .build()) {
        var unused = CompletableFuture.runAsync(client::getKubernetesVersion, THREADS);
        assertThat(ours.get()).isEqualTo(plain.get());
      }
    }
  }

  private static void handshake(SSLSocket socket) {
    try {
      socket.startHandshake();
    } catch (IOException e) {
      // Nobody answers.
    }
  }

  /** {@return the numbers of the cipher suites that the next client offers (RFC 8446, 4.1.2)} */
  private static List<Integer> offer(ServerSocket server) {
    try (Socket client = server.accept();
        DataInputStream in = new DataInputStream(client.getInputStream())) {
      in.readFully(new byte[BEFORE_SESSION]);
      in.readFully(new byte[in.readUnsignedByte()]);
      int count = in.readUnsignedShort() / Short.BYTES;
      List<Integer> suites = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        suites.add(in.readUnsignedShort());
      }
      return suites;
    } catch (IOException e) {
      throw new IllegalStateException("the client offers nothing", e);
    }
  }
}
