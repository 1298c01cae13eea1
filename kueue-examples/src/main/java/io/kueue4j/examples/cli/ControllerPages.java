package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.monitoring.MetricsHandler;
import io.kueue4j.examples.monitoring.MonitorView;
import io.kueue4j.examples.monitoring.PageHandler;
import io.kueue4j.examples.monitoring.RequestCounter;
import io.kueue4j.examples.server.ClusterUser;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Serves what a controller shows over HTTP in addition to health: metrics for Prometheus, a page
 * for humans.
 */
final class ControllerPages {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicReference<@Nullable Controller> controller = new AtomicReference<>();
  private final InstantSource clock;
  private final Optional<String> lease;
  private final ControllerMeters meters;
  private final KueueMetrics metrics;

  /** Shown while another controller leads. */
  private final AdmissionEngine none = AdmissionEngine.create();

  /**
   * Creates the pages for a controller that is set later.
   *
   * @param lease the name of the lease that the controllers hold which work; empty if there is no
   *     other controller
   */
  ControllerPages(InstantSource clock, Optional<String> lease) {
    this.clock = clock;
    this.lease = lease;
    this.meters = new ControllerMeters(registry, lease);
    this.metrics = KueueMetrics.builder(new ServedSeries(registry))
        .role(this::role)
        .buildInfo(KueueMetrics.BuildInfo.of(Version.number()))
        .build();
  }

  /** {@return the metrics of the decisions of the controller} */
  KueueMetrics metrics() {
    return metrics;
  }

  /** {@return a counter for the requests of the controller to the API server} */
  RequestCounter requests() {
    return new RequestCounter(registry);
  }

  private KueueMetrics.ReplicaRole role() {
    Controller known = controller.get();
    if (lease.isEmpty()) {
      return KueueMetrics.ReplicaRole.STANDALONE;
    }
    return known == null || known.engine().isEmpty()
        ? KueueMetrics.ReplicaRole.FOLLOWER
        : KueueMetrics.ReplicaRole.LEADER;
  }

  /** {@return the handlers, by path} */
  ImmutableMap<String, HttpHandler> handlers(Controller shown) {
    controller.set(shown);
    ControllerPage page = new ControllerPage(shown, clock);
    return ImmutableMap.of(
        "/metrics",
        new MetricsHandler(registry, () -> refresh(shown)),
        "/",
        new PageHandler("Batch jobs", request -> visible(page.view(), request)));
  }

  /** {@return the part that the user of a request may see, all without authentication} */
  private static MonitorView visible(MonitorView all, HttpExchange request) {
    return request.getPrincipal() instanceof ClusterUser user && !user.maySeeAll()
        ? all.visibleIn(user::maySee)
        : all;
  }

  /** Updates all meters; without the lead, the series of queues are removed. */
  private void refresh(Controller shown) {
    metrics.refresh(engine(shown));
    meters.refresh(shown);
  }

  /** {@return the engine that decides; one without queues while another controller leads} */
  private AdmissionEngine engine(Controller shown) {
    return shown.engine().orElse(none);
  }
}
