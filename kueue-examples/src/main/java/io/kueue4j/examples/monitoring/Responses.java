package io.kueue4j.examples.monitoring;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** Answers requests that only read. */
final class Responses {
  private static final int NO_BODY = -1;

  private Responses() {}

  /** {@return whether the request only reads; otherwise answers it} */
  static boolean onlyReads(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    if (method.equals("GET") || method.equals("HEAD")) {
      return true;
    }
    exchange.getResponseHeaders().set("Allow", "GET, HEAD");
    sendStatus(exchange, 405);
    return false;
  }

  /** Answers with a status and no body. */
  static void sendStatus(HttpExchange exchange, int status) throws IOException {
    exchange.sendResponseHeaders(status, NO_BODY);
    exchange.close();
  }

  /** Answers with a body, which is omitted for HEAD. */
  static void send(HttpExchange exchange, Map<String, String> headers, byte[] body)
      throws IOException {
    headers.forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    try (exchange) {
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.sendResponseHeaders(200, NO_BODY);
        return;
      }
      exchange.sendResponseHeaders(200, body.length == 0 ? NO_BODY : body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }
}
