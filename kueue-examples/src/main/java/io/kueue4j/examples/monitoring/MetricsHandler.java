package io.kueue4j.examples.monitoring;

import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Serves the meters of a registry to Prometheus, in the requested format: its text format,
 * OpenMetrics, or protocol buffers.
 *
 * <pre>{@code
 * server.createContext("/metrics", new MetricsHandler(registry, () -> metrics.refresh(engine)));
 * }</pre>
 */
public final class MetricsHandler implements HttpHandler {
  private static final ExpositionFormats FORMATS = ExpositionFormats.init();

  private final PrometheusMeterRegistry registry;
  private final Runnable refresh;

  /**
   * Serves {@code registry}.
   *
   * @param registry the meters
   * @param refresh updates gauges; called before each answer
   */
  public MetricsHandler(PrometheusMeterRegistry registry, Runnable refresh) {
    this.registry = registry;
    this.refresh = refresh;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    if (!Responses.onlyReads(exchange)) {
      return;
    }
    String accept = exchange.getRequestHeaders().getFirst("Accept");
    refresh.run();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    FORMATS
        .findWriter(accept)
        .write(body, registry.getPrometheusRegistry().scrape(MetricsHandler::isServed));
    Responses.send(
        exchange, ImmutableMap.of("Content-Type", contentType(accept)), body.toByteArray());
  }

  /** Kueue has no recent maximum of its histograms, which Micrometer adds to each. */
  private static boolean isServed(String name) {
    return !name.startsWith("kueue") || !name.endsWith("_max");
  }

  private static String contentType(@Nullable String accept) {
    return FORMATS.findWriter(accept).getContentType();
  }
}
