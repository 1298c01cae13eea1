package io.kueue4j.examples.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Serves the page at the root of a server, which browsers reload every thirty seconds unless the
 * reader pauses that. The query of the address filters jobs, and shows one of them alone. Every
 * other path results in 404.
 *
 * <pre>{@code
 * server.createContext(
 *     "/", new PageHandler("Batch", () -> MonitorView.of(engine.view(), clock.instant())));
 * }</pre>
 */
public final class PageHandler implements HttpHandler {
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final ImmutableMap<String, String> HEADERS = ImmutableMap.of(
      "Content-Type", "text/html; charset=utf-8",
      "Content-Security-Policy",
          "default-src 'none'; style-src " + MonitorPage.STYLE_SOURCE
              + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "Referrer-Policy", "no-referrer");

  private final String title;
  private final Function<? super HttpExchange, MonitorView> view;

  /**
   * Serves the result of {@code view}.
   *
   * @param title the title of the page
   * @param view supplies the content, anew for each request
   */
  public PageHandler(String title, Supplier<MonitorView> view) {
    this(title, request -> view.get());
  }

  /**
   * Serves the result of {@code view}.
   *
   * @param title the title of the page
   * @param view creates the content for a request, such as what its user may see
   */
  public PageHandler(String title, Function<? super HttpExchange, MonitorView> view) {
    this.title = title;
    this.view = view;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    if (!Responses.onlyReads(exchange)) {
      return;
    }
    if (!exchange.getRequestURI().getPath().equals("/")) {
      Responses.sendStatus(exchange, 404);
      return;
    }
    PageQuery query = PageQuery.parse(exchange.getRequestURI().getRawQuery());
    Responses.send(
        exchange,
        HEADERS,
        MonitorPage.serve(view.apply(exchange), title, query, INTERVAL).getBytes(UTF_8));
  }
}
