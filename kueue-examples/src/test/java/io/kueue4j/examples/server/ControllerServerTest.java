package io.kueue4j.examples.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpExchange;
import io.kueue4j.examples.controller.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The HTTP server of a controller, with clients that are slow or ask for other paths. */
final class ControllerServerTest {
  /** More than the server serves at a time. */
  private static final int MANY = 200;

  private final CountDownLatch released = new CountDownLatch(1);
  private final List<Socket> sockets = new ArrayList<>();
  private ControllerServer server;

  @BeforeEach
  void start() throws IOException {
    server = ControllerServer.start(
        0,
        ServerSecurity.none(),
        () -> true,
        () -> true,
        () -> "",
        ImmutableMap.of("/metrics", ControllerServerTest::ok, "/slow", exchange -> {
          try {
            released.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          ok(exchange);
        }));
  }

  private static void ok(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  @AfterEach
  void close() throws IOException {
    released.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  private int status(String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .timeout(Await.DEADLINE)
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private void send(String request) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    sockets.add(socket);
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  @Test
  void halfRequestsDoNotStopHealth() throws Exception {
    for (int i = 0; i < MANY; i++) {
      send("GET /healthz HTTP/1.1\r\nHost:");
    }
    assertThat(status("/healthz")).isEqualTo(200);
    assertThat(status("/metrics")).isEqualTo(200);
  }

  @Test
  void slowHandlersDoNotStopHealth() throws Exception {
    for (int i = 0; i < MANY; i++) {
      send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    assertThat(status("/healthz")).isEqualTo(200);
    assertThat(status("/readyz")).isEqualTo(200);
  }

  @Test
  void onlyExactPathsAreServed() throws Exception {
    assertThat(status("/healthz?verbose")).isEqualTo(200);
    assertThat(status("/metrics")).isEqualTo(200);
    for (String path : new String[] {
      "/healthz/x", "/healthzfoo", "/readyz/", "/metricsfoo", "/metrics/x", "/other", "/"
    }) {
      assertThat(status(path)).as(path).isEqualTo(404);
    }
  }
}
