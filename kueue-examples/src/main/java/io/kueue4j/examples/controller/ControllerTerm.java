package io.kueue4j.examples.controller;

import static com.google.common.util.concurrent.Uninterruptibles.awaitTerminationUninterruptibly;

import com.google.common.collect.Comparators;
import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.AtomicLongMap;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.examples.controller.configuration.QueueStatusPublisher;
import io.kueue4j.examples.controller.event.EventRecorder;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.controller.watch.ClusterWatch;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.KubernetesWrites;
import io.kueue4j.examples.controller.write.Workers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time during which a controller is the leader: starts with lists of all objects of the
 * cluster, and processes later events in one thread; another one writes the status of queues.
 */
final class ControllerTerm {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerTerm.class);
  private static final Duration MAX_WAIT = Duration.ofMillis(500);
  private static final Duration MAX_END = Duration.ofSeconds(10);
  private static final long VIEW_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A view of many jobs takes time; after one there is none for so many times as long. */
  private static final long VIEW_PAUSE = 30;

  private final ControllerSetup setup;
  private final ImmutableList<WatchedKind> kinds;
  private final AtomicLongMap<EventRecorder.Result> events;
  private final Runnable end;
  private final InstantSource clock = new SteadyClock(InstantSource.system(), System::nanoTime);
  private final BlockingQueue<ClusterEvent> news = new LinkedBlockingQueue<>();
  private final ClusterWatch watch;

  /** Its thread starts with the first task. */
  private final ScheduledExecutorService publisher = Executors.newSingleThreadScheduledExecutor(
      new ThreadFactoryBuilder().setNameFormat("queue-status").setDaemon(true).build());

  private volatile @Nullable AdmissionEngine engine;
  private volatile @Nullable ControllerView view;

  /** The queues whose status is written, null if none is; renewed with {@link #view}. */
  private volatile QueueStatusPublisher.@Nullable Queues queues;

  /**
   * Creates a term.
   *
   * @param end called when it is over
   */
  ControllerTerm(
      ControllerSetup setup,
      ImmutableList<WatchedKind> kinds,
      AtomicLongMap<EventRecorder.Result> events,
      Runnable end) {
    this.setup = setup;
    this.kinds = kinds;
    this.events = events;
    this.end = end;
    watch = new ClusterWatch(setup.client(), kinds, setup.namespaces(), news::add);
  }

  /** {@return what is known of the cluster that is outdated, and why} */
  ImmutableList<String> problems() {
    return watch.problems();
  }

  /** {@return the engine, empty before its first decision} */
  Optional<AdmissionEngine> engine() {
    return Optional.ofNullable(engine);
  }

  /**
   * {@return the state, which is renewed at most once per second while there is much to do; empty
   * before the first decision}
   */
  Optional<ControllerView> view() {
    return Optional.ofNullable(view);
  }

  /**
   * Works until {@code goesOn} returns false.
   *
   * @param goesOn called often; a call shows that the controller works
   * @param mayWrite whether the lease is held; called before each decision and each write. While it
   *     returns false, nothing is decided, and events are still received
   */
  void run(BooleanSupplier goesOn, BooleanSupplier mayWrite) throws InterruptedException {
    try (EventRecorder recorder = EventRecorder.start(setup.client(), events);
        Workers workers = Workers.of(setup.concurrentWrites());
        watch) {
      KubernetesWrites writes = new KubernetesWrites(setup.client(), kinds, mayWrite, recorder);
      ControllerLoop loop =
          new ControllerLoop(setup.options(), writes, clock, setup.metrics(), workers);
      if (begin(loop, goesOn)) {
        engine = loop.engine();
        // The cluster has no queues whose status could be written if they come from files.
        setup
            .queueStatus()
            .filter(unused -> setup.queueObjects().isEmpty())
            .ifPresent(interval -> publish(loop, writes, interval));
        work(loop, goesOn, mayWrite);
      }
    } finally {
      // Interrupts a write, and then writes nothing more.
      publisher.shutdownNow();
      boolean unused = awaitTerminationUninterruptibly(publisher, MAX_END);
      end.run();
    }
  }

  /** Its thread would seldom get the lock of a busy loop, so the loop leaves it {@link #queues}. */
  private void publish(ControllerLoop loop, ClusterWrites writes, Duration interval) {
    queues = loop.queues();
    Future<?> unused = publisher.scheduleWithFixedDelay(
        new QueueStatusPublisher(
            loop.engine().settings(), () -> Objects.requireNonNull(queues), writes),
        interval.toMillis(),
        interval.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /**
   * Starts, in a method of its own, so that no variable refers to the listed objects afterwards.
   *
   * @return whether it has started; otherwise the term is over
   */
  private boolean begin(ControllerLoop loop, BooleanSupplier goesOn) throws InterruptedException {
    Optional<ImmutableList<HasMetadata>> watched = watch.start(goesOn);
    if (watched.isEmpty()) {
      return false;
    }
    ImmutableList<HasMetadata> everything = ImmutableList.<HasMetadata>builder()
        .addAll(setup.queueObjects().orElse(ImmutableList.of()))
        .addAll(watched.get())
        .build();
    loop.start(everything);
    LOG.info("works, beginning with " + everything.size() + " objects");
    return true;
  }

  private void work(ControllerLoop loop, BooleanSupplier goesOn, BooleanSupplier mayWrite)
      throws InterruptedException {
    long viewedNanos = System.nanoTime() - VIEW_NANOS;
    long viewableNanos = viewedNanos;
    boolean isViewed = false;
    while (goesOn.getAsBoolean()) {
      Instant next = mayWrite.getAsBoolean() ? loop.step() : clock.instant().plus(MAX_WAIT);
      boolean isQuiet = news.isEmpty() && next.isAfter(clock.instant());
      long nanos = System.nanoTime();
      if (nanos - viewableNanos >= 0
          && (nanos - viewedNanos >= VIEW_NANOS || (isQuiet && !isViewed))) {
        view = loop.view();
        if (queues != null) {
          queues = loop.queues();
        }
        viewedNanos = System.nanoTime();
        viewableNanos = viewedNanos + VIEW_PAUSE * (viewedNanos - nanos);
        isViewed = true;
      }
      @Nullable ClusterEvent event = news.poll(waitNanos(next), TimeUnit.NANOSECONDS);
      while (event != null) {
        loop.accept(event);
        isViewed = false;
        event = news.poll();
      }
    }
  }

  private long waitNanos(Instant next) {
    Instant now = clock.instant();
    // A time in an object of a user may be too long ago for a number of nanoseconds.
    Instant end = Comparators.min(Comparators.max(now, next), now.plus(MAX_WAIT));
    return Duration.between(now, end).toNanos();
  }
}
