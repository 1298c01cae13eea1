package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.k8s.metrics.KueueMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The time for which a controller leads: begins with lists of all that the cluster has, and works
 * off in one thread what happens from then on.
 */
final class ControllerTerm {
  private static final Duration MAX_WAIT = Duration.ofMillis(500);
  private static final long VIEW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final KubernetesClient client;
  private final ControllerOptions options;
  private final ImmutableList<WatchedKind> kinds;
  private final ImmutableList<String> namespaces;
  private final ImmutableList<HasMetadata> queues;
  private final Optional<KueueMetrics> metrics;
  private final InstantSource clock = InstantSource.system();
  private final BlockingQueue<ClusterEvent> news = new LinkedBlockingQueue<>();

  ControllerTerm(
      KubernetesClient client,
      ControllerOptions options,
      ImmutableList<WatchedKind> kinds,
      ImmutableList<String> namespaces,
      ImmutableList<HasMetadata> queues,
      Optional<KueueMetrics> metrics) {
    this.client = client;
    this.options = options;
    this.kinds = kinds;
    this.namespaces = namespaces;
    this.queues = queues;
    this.metrics = metrics;
  }

  /**
   * Works until {@code leads} says no more.
   *
   * @param leads is asked before each write, and often
   * @param begun is given the engine, before anything is decided
   * @param viewer is given what is known, at most once in a second while there is much to do; after
   *     each step it knows that the controller works
   */
  void run(BooleanSupplier leads, Consumer<AdmissionEngine> begun, Consumer<ControllerView> viewer)
      throws InterruptedException {
    try (EventRecorder recorder = new EventRecorder(client);
        ClusterWatch watch = new ClusterWatch(client, kinds, namespaces, news::add)) {
      ControllerLoop loop = ControllerLoop.create(
          options, new KubernetesWrites(client, kinds, leads, recorder), clock, metrics);
      begun.accept(loop.engine());
      loop.start(ImmutableList.<HasMetadata>builder()
          .addAll(queues)
          .addAll(watch.start())
          .build());
      work(loop, leads, viewer);
    }
  }

  private void work(ControllerLoop loop, BooleanSupplier leads, Consumer<ControllerView> viewer)
      throws InterruptedException {
    long viewedNanos = System.nanoTime() - VIEW_NANOS;
    boolean isViewed = false;
    while (leads.getAsBoolean()) {
      Instant next = loop.step();
      boolean isQuiet = news.isEmpty() && next.isAfter(clock.instant());
      if (System.nanoTime() - viewedNanos >= VIEW_NANOS || (isQuiet && !isViewed)) {
        viewer.accept(loop.view());
        viewedNanos = System.nanoTime();
        isViewed = true;
      }
      @Nullable ClusterEvent event = news.poll(waitMillis(next), TimeUnit.MILLISECONDS);
      while (event != null) {
        loop.accept(event);
        isViewed = false;
        event = news.poll();
      }
    }
  }

  private long waitMillis(Instant next) {
    Instant now = clock.instant();
    if (!next.isAfter(now)) {
      return 0;
    }
    return next.isAfter(now.plus(MAX_WAIT))
        ? MAX_WAIT.toMillis()
        : Math.max(1, Duration.between(now, next).toMillis());
  }
}
