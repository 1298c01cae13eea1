package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.examples.controller.seal.Sealing;
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
 * The time during which a controller is the leader: starts with lists of all objects of the
 * cluster, and processes later events in one thread.
 */
final class ControllerTerm {
  private static final System.Logger LOG = System.getLogger(ControllerTerm.class.getName());
  private static final Duration MAX_WAIT = Duration.ofMillis(500);
  private static final long VIEW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final KubernetesClient client;
  private final ControllerOptions options;
  private final ImmutableList<WatchedKind> kinds;
  private final ImmutableList<String> namespaces;
  private final ImmutableList<HasMetadata> queues;
  private final Optional<KueueMetrics> metrics;
  private final int concurrentWrites;
  private final Optional<Duration> statusInterval;
  private final ControllerSeals seals;
  private final InstantSource clock = InstantSource.system();
  private final BlockingQueue<ClusterEvent> news = new LinkedBlockingQueue<>();

  ControllerTerm(
      KubernetesClient client,
      ControllerOptions options,
      ImmutableList<WatchedKind> kinds,
      ImmutableList<String> namespaces,
      ImmutableList<HasMetadata> queues,
      Optional<KueueMetrics> metrics,
      int concurrentWrites,
      Optional<Duration> statusInterval,
      ControllerSeals seals) {
    this.client = client;
    this.options = options;
    this.kinds = kinds;
    this.namespaces = namespaces;
    this.queues = queues;
    this.metrics = metrics;
    this.concurrentWrites = concurrentWrites;
    this.statusInterval = statusInterval;
    this.seals = seals;
  }

  /**
   * Works until {@code goesOn} returns false.
   *
   * @param goesOn called often
   * @param mayWrite whether the lease is held; called before each decision and each write. While it
   *     returns false, nothing is decided, and events are still received
   * @param begun receives the engine before the first decision
   * @param viewer receives the state, at most once per second while there is much to do; a call
   *     after each step shows that the controller works
   */
  void run(
      BooleanSupplier goesOn,
      BooleanSupplier mayWrite,
      Consumer<AdmissionEngine> begun,
      Consumer<ControllerView> viewer)
      throws InterruptedException {
    Sealing sealing = seals.begin();
    try (EventRecorder recorder = new EventRecorder(client);
        ControllerSeals.Following following = seals.follow();
        Workers workers = Workers.of(concurrentWrites);
        ClusterWatch watch = new ClusterWatch(client, kinds, namespaces, news::add)) {
      KubernetesWrites writes = new KubernetesWrites(client, kinds, mayWrite, recorder);
      ControllerLoop loop =
          ControllerLoop.create(options, writes, clock, metrics, workers, sealing);
      begun.accept(loop.engine());
      Optional<QueueStatusPublisher> publisher = statusInterval.map(interval ->
          new QueueStatusPublisher(loop.engine(), options.settings(), writes, clock, interval));
      begin(loop, publisher, watch);
      work(loop, publisher, following, goesOn, mayWrite, viewer);
    }
  }

  /**
   * Starts, in a method of its own, so that no variable refers to the listed objects afterwards.
   */
  private void begin(
      ControllerLoop loop, Optional<QueueStatusPublisher> publisher, ClusterWatch watch) {
    ImmutableList<HasMetadata> watched = watch.start();
    publisher.ifPresent(
        status -> watched.forEach(object -> status.accept(ClusterEvent.added(object))));
    ImmutableList<HasMetadata> everything =
        ImmutableList.<HasMetadata>builder().addAll(queues).addAll(watched).build();
    loop.start(everything);
    LOG.log(System.Logger.Level.INFO, "works, beginning with " + everything.size() + " objects");
  }

  private void work(
      ControllerLoop loop,
      Optional<QueueStatusPublisher> publisher,
      ControllerSeals.Following following,
      BooleanSupplier goesOn,
      BooleanSupplier mayWrite,
      Consumer<ControllerView> viewer)
      throws InterruptedException {
    long viewedNanos = System.nanoTime() - VIEW_NANOS;
    boolean isViewed = false;
    boolean wasSealing = loop.isSealing();
    Instant next = clock.instant();
    while (goesOn.getAsBoolean()) {
      following.takeKeys().ifPresent(loop::setKeys);
      if (!next.isAfter(clock.instant())) {
        publisher.ifPresent(QueueStatusPublisher::touch);
      }
      wasSealing |= loop.isSealing();
      next = mayWrite.getAsBoolean() ? loop.step() : clock.instant().plus(MAX_WAIT);
      if (wasSealing && !loop.isSealing()) {
        wasSealing = false;
        seals.sealed();
      }
      boolean isQuiet = news.isEmpty() && next.isAfter(clock.instant());
      if (System.nanoTime() - viewedNanos >= VIEW_NANOS || (isQuiet && !isViewed)) {
        viewer.accept(loop.view());
        viewedNanos = System.nanoTime();
        isViewed = true;
      }
      Instant published = publisher.map(present -> present.publish(isQuiet)).orElse(Instant.MAX);
      @Nullable
      ClusterEvent event =
          news.poll(waitMillis(published.isBefore(next) ? published : next), TimeUnit.MILLISECONDS);
      while (event != null) {
        accept(event, loop, publisher);
        isViewed = false;
        event = news.poll();
      }
    }
  }

  private static void accept(
      ClusterEvent event, ControllerLoop loop, Optional<QueueStatusPublisher> publisher) {
    loop.accept(event);
    publisher.ifPresent(status -> status.accept(event));
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
