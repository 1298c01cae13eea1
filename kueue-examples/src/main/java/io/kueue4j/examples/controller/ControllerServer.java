package io.kueue4j.examples.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Serves {@code /healthz}, {@code /readyz} and other handlers over HTTP. */
final class ControllerServer implements AutoCloseable {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int THREADS = 4;

  private final HttpServer server;
  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
    Thread thread = new Thread(task, "http");
    thread.setDaemon(true);
    return thread;
  });

  private ControllerServer(HttpServer server) {
    this.server = server;
  }

  /**
   * {@return a running server}
   *
   * @param port the port, 0 for any free port
   * @param isHealthy whether the process does not need a restart
   * @param isReady whether it has listed the cluster, or waits to become the leader
   * @param remarks warnings in the answer of {@code /readyz}, in lines
   * @param handlers other handlers, by path
   * @throws IOException if the port is not available
   */
  static ControllerServer start(
      int port,
      BooleanSupplier isHealthy,
      BooleanSupplier isReady,
      Supplier<String> remarks,
      ImmutableMap<String, HttpHandler> handlers)
      throws IOException {
    ControllerServer started =
        new ControllerServer(HttpServer.create(new InetSocketAddress(port), 0));
    started.server.setExecutor(started.executor);
    started.server.createContext("/healthz", exchange -> answer(exchange, isHealthy, ""));
    started.server.createContext("/readyz", exchange -> answer(exchange, isReady, remarks.get()));
    for (Map.Entry<String, HttpHandler> handler : handlers.entrySet()) {
      started.server.createContext(handler.getKey(), handler.getValue());
    }
    started.server.start();
    return started;
  }

  private static void answer(HttpExchange exchange, BooleanSupplier isWell, String remarks)
      throws IOException {
    boolean well = isWell.getAsBoolean();
    byte[] body = ((well ? "ok\n" : "not ok\n") + remarks).getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.sendResponseHeaders(well ? OK : UNAVAILABLE, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
