package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpHandler;
import io.kueue4j.examples.controller.Controller;
import io.kueue4j.examples.controller.JobState;
import io.kueue4j.examples.monitoring.MetricsHandler;
import io.kueue4j.examples.monitoring.MicrometerSink;
import io.kueue4j.examples.monitoring.PageHandler;
import io.kueue4j.k8s.metrics.BuildInfo;
import io.kueue4j.k8s.metrics.FinishedWorkload;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.kueue4j.k8s.metrics.ReplicaRole;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
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
  private final boolean elects;
  private final KueueMetrics metrics;

  /**
   * Creates the pages for a controller that is set later.
   *
   * @param elects whether there may be other controllers, one of which leads
   */
  ControllerPages(InstantSource clock, boolean elects) {
    this.clock = clock;
    this.elects = elects;
    this.metrics = KueueMetrics.builder(new MicrometerSink(registry))
        .role(this::role)
        .buildInfo(BuildInfo.of(Version.number()))
        .finished(this::finished)
        .build();
  }

  /** {@return the metrics of the decisions of the controller} */
  KueueMetrics metrics() {
    return metrics;
  }

  private ReplicaRole role() {
    Controller known = controller.get();
    if (!elects) {
      return ReplicaRole.STANDALONE;
    }
    return known == null || known.engine().isEmpty() ? ReplicaRole.FOLLOWER : ReplicaRole.LEADER;
  }

  /** {@return the jobs that have finished and still exist} */
  private ImmutableList<FinishedWorkload> finished() {
    Controller known = controller.get();
    return known == null
        ? ImmutableList.of()
        : known.view().stream()
            .flatMap(view -> view.jobs().stream())
            .filter(job -> job.state() == JobState.FINISHED)
            .map(job -> new FinishedWorkload(job.namespace(), job.queue()))
            .collect(ImmutableList.toImmutableList());
  }

  /** {@return the handlers, by path} */
  ImmutableMap<String, HttpHandler> handlers(Controller shown) {
    controller.set(shown);
    return ImmutableMap.of(
        "/metrics",
        new MetricsHandler(registry, () -> shown.engine().ifPresent(metrics::refresh)),
        "/",
        new PageHandler("Batch jobs", new ControllerPage(shown, clock)::view));
  }
}
