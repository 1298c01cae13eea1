package io.kueue4j.examples.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Serves {@code /healthz}, {@code /readyz} and other handlers over HTTP, each at its exact path.
 * Health is served whatever other requests do.
 */
public final class ControllerServer implements AutoCloseable {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int NOT_FOUND = 404;
  private static final int NO_BODY = -1;

  private static final int MAX_REQUESTS = 64;
  private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

  /** Each answer to another handler may take megabytes. */
  private static final int MAX_ANSWERS = 4;

  private final HttpServer server;
  private final RequestThreads threads = new RequestThreads(MAX_REQUESTS, TIME_LIMIT);
  private final Semaphore answers = new Semaphore(MAX_ANSWERS);

  private ControllerServer(HttpServer server) {
    this.server = server;
  }

  /**
   * {@return a running server}
   *
   * @param port the port, 0 for any free port
   * @param security how it is protected; health needs no authentication
   * @param isHealthy whether the process does not need a restart
   * @param isReady whether it has listed the cluster, or waits to become the leader
   * @param remarks warnings in the answer of {@code /readyz}, in lines
   * @param handlers other handlers, by path
   * @throws IOException if the port is not available, or the certificate cannot be used
   */
  public static ControllerServer start(
      int port,
      ServerSecurity security,
      BooleanSupplier isHealthy,
      BooleanSupplier isReady,
      Supplier<String> remarks,
      ImmutableMap<String, HttpHandler> handlers)
      throws IOException {
    InetSocketAddress address = security.address().isEmpty()
        ? new InetSocketAddress(port)
        : new InetSocketAddress(security.address().get(), port);
    if (address.isUnresolved()) {
      throw new IOException("the address " + security.address().orElse("") + " is unknown");
    }
    ControllerServer started = new ControllerServer(create(address, security));
    started.server.setExecutor(started.threads);
    started.serve("/healthz", exchange -> answer(exchange, isHealthy, ""));
    started.serve("/readyz", exchange -> answer(exchange, isReady, remarks.get()));
    for (Map.Entry<String, HttpHandler> handler : handlers.entrySet()) {
      HttpContext context = started.serve(handler.getKey(), started.limited(handler.getValue()));
      // Each user sees a part of the page; what else is served is for those who may get the path.
      security
          .access()
          .ifPresent(access -> context.setAuthenticator(
              handler.getKey().equals("/") ? access.anyUser() : access.usersOf(handler.getKey())));
    }
    started.server.start();
    return started;
  }

  private static HttpServer create(InetSocketAddress address, ServerSecurity security)
      throws IOException {
    if (security.tls().isEmpty()) {
      return HttpServer.create(address, 0);
    }
    SSLContext context = security.tls().get().context();
    HttpsServer server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return server;
  }

  /** Adds a handler for a path, but not for the longer paths that the server passes to it. */
  @CanIgnoreReturnValue
  private HttpContext serve(String path, HttpHandler handler) {
    return server.createContext(path, exchange -> {
      if (exchange.getRequestURI().getPath().equals(path)) {
        handler.handle(exchange);
      } else {
        exchange.sendResponseHeaders(NOT_FOUND, NO_BODY);
        exchange.close();
      }
    });
  }

  private HttpHandler limited(HttpHandler handler) {
    return exchange -> {
      try {
        answers.acquire();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("others took the time for this request");
      }
      try {
        handler.handle(exchange);
      } finally {
        answers.release();
      }
    };
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

  /** {@return the port on which it listens} */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
