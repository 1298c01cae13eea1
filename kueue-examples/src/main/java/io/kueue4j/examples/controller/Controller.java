package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Streams;
import com.google.common.util.concurrent.AtomicLongMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.net.httpserver.HttpHandler;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.examples.controller.configuration.LossyKinds;
import io.kueue4j.examples.controller.configuration.MissingDefinitionException;
import io.kueue4j.examples.controller.configuration.ServedKinds;
import io.kueue4j.examples.controller.event.EventRecorder;
import io.kueue4j.examples.controller.guard.Guard;
import io.kueue4j.examples.controller.lease.LeaseKeeper;
import io.kueue4j.examples.controller.lease.LeaseName;
import io.kueue4j.examples.controller.object.RetryDelays;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.examples.server.ControllerServer;
import io.kueue4j.k8s.job.JobKinds;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller on a real cluster: waits until it is the leader, works while it is, and waits again.
 *
 * <pre>{@code
 * try (Controller controller = Controller.builder(client).build()) {
 *   controller.run();   // until another thread calls stop()
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Controller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
  private static final Duration POLL = Duration.ofMillis(50);
  /** The time between two looks at definitions that would lose fields. */
  private static final Duration RETRY = Duration.ofSeconds(10);

  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofSeconds(30);
  private static final long MAX_SILENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ControllerSetup setup;
  private final Optional<Guard> guard;
  private final AtomicLongMap<EventRecorder.Result> events = AtomicLongMap.create();
  private final Optional<ControllerServer> server;
  private final CountDownLatch ended = new CountDownLatch(1);
  private boolean hasBegun;
  private volatile boolean stopped;
  private volatile boolean waits;
  private volatile long aliveNanos = System.nanoTime();
  /** Why no term has begun, empty if nothing prevents it. */
  private volatile ImmutableList<String> delays = ImmutableList.of();

  private volatile @Nullable ControllerTerm term;
  /** Why it does not work, and what to do; empty if it works. */
  private volatile String refusal = "";

  Controller(ControllerSetup setup) throws IOException {
    this.setup = setup;
    guard = setup.guard().map(interval -> Guard.watch(setup.client(), interval));
    server = setup.port().isEmpty()
        ? Optional.empty()
        : Optional.of(ControllerServer.start(
            setup.port().get(),
            setup.security(),
            this::isHealthy,
            this::isReady,
            this::remarks,
            setup.handlers().apply(this)));
  }

  /** {@return a new builder; only the client is required} */
  public static ControllerSetup.Builder builder(KubernetesClient client) {
    return new ControllerSetup.Builder().client(client);
  }

  /**
   * Works until {@link #stop} is called; call it once.
   *
   * <p>A cluster that does not answer, or refuses to be listed or watched, is tried again: see
   * {@link #staleness}.
   *
   * @throws MissingDefinitionException if the cluster does not serve Workloads when it starts
   * @throws KubernetesClientException if there is no lease and the cluster does not answer the
   *     first request, since the client may be configured wrongly
   * @throws RuntimeException because of a defect; nothing is lost, and another controller can take
   *     over at once
   * @throws InterruptedException if the thread is interrupted
   */
  public void run() throws InterruptedException {
    try {
      checkDefinitions();
      while (!stopped) {
        if (setup.lease().isPresent()) {
          lead(setup.lease().get());
        } else {
          serve(() -> !stopped, () -> true);
        }
      }
    } finally {
      ended.countDown();
    }
  }

  /** A controller that is not the leader reports what the cluster lacks, too. */
  private void checkDefinitions() {
    try {
      ServedKinds.missing(servedKinds()).ifPresent(problem -> {
        throw new MissingDefinitionException(problem);
      });
    } catch (KubernetesClientException e) {
      // Nothing depends on it before the controller leads; then the cluster is asked again.
      LOG.warn("the served kinds are not known yet: " + e.getMessage());
    }
  }

  private ImmutableList<WatchedKind> servedKinds() {
    return setup
        .kinds()
        .orElseGet(() -> ServedKinds.of(
            setup.client(),
            setup.options().kinds().apply(JobKinds.TrainingRuntimes.none()),
            setup.queueObjects().isEmpty()));
  }

  private void lead(LeaseName name) throws InterruptedException {
    // Closed only when the work has ended, since another controller begins then.
    try (LeaseKeeper keeper = LeaseKeeper.start(setup.client(), name, setup.leaseTimes())) {
      waits = true;
      while (!stopped && !keeper.isHeld()) {
        aliveNanos = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
      }
      waits = false;
      if (keeper.isHeld()) {
        serve(() -> !keeper.isLost() && !stopped, keeper::isHeld);
        if (!stopped) {
          LOG.warn("the lease " + name.name() + " was lost");
        }
      }
    }
  }

  private void serve(BooleanSupplier goesOn, BooleanSupplier mayWrite) throws InterruptedException {
    BooleanSupplier alive = () -> {
      aliveNanos = System.nanoTime();
      return goesOn.getAsBoolean();
    };
    try {
      Optional<ControllerTerm> prepared = prepare(alive, mayWrite);
      if (prepared.isPresent()) {
        term = prepared.get();
        prepared.get().run(alive, mayWrite);
      }
    } finally {
      refusal = "";
      delays = ImmutableList.of();
      term = null;
    }
  }

  /**
   * {@return a term, as soon as the API server answers, serves Workloads and loses no fields of
   * Kueue's kinds; empty if there is no reason any more to begin one}
   */
  private Optional<ControllerTerm> prepare(BooleanSupplier goesOn, BooleanSupplier mayWrite)
      throws InterruptedException {
    RetryDelays backoff = new RetryDelays(FIRST_DELAY, MAX_DELAY, new Random());
    while (goesOn.getAsBoolean()) {
      Duration delay = RETRY;
      try {
        ImmutableList<WatchedKind> served = servedKinds();
        if (areUsable(served)) {
          Runnable end = setup.companion().start(setup.client(), mayWrite);
          hasBegun = true;
          return Optional.of(new ControllerTerm(setup, served, events, end));
        }
      } catch (KubernetesClientException e) {
        if (setup.lease().isEmpty() && !hasBegun) {
          throw e;
        }
        String problem = "it is not known what the cluster serves: " + e.getMessage();
        LOG.warn("cannot begin, and tries again: " + problem);
        delays = ImmutableList.of(problem);
        delay = backoff.next();
      }
      long end = System.nanoTime() + delay.toNanos();
      while (goesOn.getAsBoolean() && end - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
      }
    }
    return Optional.empty();
  }

  /** {@return whether the API server serves Workloads, and loses no fields of Kueue's kinds} */
  private boolean areUsable(ImmutableList<WatchedKind> served) {
    LossyKinds.Result result = LossyKinds.find(setup.client(), served);
    String problem = Streams.concat(
            ServedKinds.missing(served).stream(), result.problems().stream())
        .collect(Collectors.joining("\n"));
    if (problem.isEmpty() && !result.unchecked().isEmpty()) {
      LOG.warn("it is not known whether the API server loses fields of queues: no permission to"
          + " get customresourcedefinitions " + result.unchecked());
    } else if (!problem.isEmpty() && !problem.equals(refusal)) {
      LOG.error("does not work: " + problem);
    }
    refusal = problem;
    return problem.isEmpty();
  }

  /**
   * {@return why the controller does not work although it is the leader, and what to do; empty if
   * it works}
   */
  public Optional<String> refusal() {
    return Optional.of(refusal).filter(problem -> !problem.isEmpty());
  }

  /**
   * {@return what this controller knows of the cluster that may be outdated, and why, in sentences;
   * empty if it follows all changes}
   */
  public ImmutableList<String> staleness() {
    ControllerTerm present = term;
    return present == null ? delays : present.problems();
  }

  /** {@return the state of the controller, empty while it is not the leader} */
  public Optional<ControllerView> view() {
    return Optional.ofNullable(term).flatMap(ControllerTerm::view);
  }

  /**
   * {@return the engine that decides, for queries only; empty while the controller is not the
   * leader}
   */
  public Optional<AdmissionEngine> engine() {
    return Optional.ofNullable(term).flatMap(ControllerTerm::engine);
  }

  /**
   * {@return why the API server does not keep tenants from starting jobs; empty if it does, or if
   * the guard is not watched}
   */
  public Optional<String> guardWarning() {
    return guard.flatMap(Guard::warning);
  }

  /** {@return the number of events with that result since it was created} */
  public long events(EventRecorder.Result result) {
    return events.get(result);
  }

  /** {@return the port of its HTTP server, empty if there is none} */
  public Optional<Integer> port() {
    return server.map(ControllerServer::port);
  }

  /** {@return the warnings of {@code /readyz}, in lines} */
  private String remarks() {
    return Streams.concat(refusal().stream(), guardWarning().stream(), staleness().stream())
        .map(text -> text + "\n")
        .collect(Collectors.joining());
  }

  private boolean isHealthy() {
    return ended.getCount() > 0 && System.nanoTime() - aliveNanos < MAX_SILENCE_NANOS;
  }

  private boolean isReady() {
    return isHealthy() && (waits || view().isPresent());
  }

  /**
   * Stops {@link #run}.
   *
   * @return whether it has returned within the given time
   */
  @CanIgnoreReturnValue
  public boolean stop(Duration time) throws InterruptedException {
    stopped = true;
    return ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops the HTTP server and, soon after, {@link #run}; does not close the client. */
  @Override
  public void close() {
    stopped = true;
    guard.ifPresent(Guard::close);
    server.ifPresent(ControllerServer::close);
  }

  /** Starts what works beside a controller while that is the leader. */
  @FunctionalInterface
  public interface Companion {
    /**
     * {@return what ends it}
     *
     * @param mayWrite whether the lease is held; to be asked before each write
     * @throws KubernetesClientException if the cluster does not answer; it is started again later
     */
    Runnable start(KubernetesClient client, BooleanSupplier mayWrite);
  }

  /** Creates HTTP handlers for a controller, in addition to health. */
  @FunctionalInterface
  public interface Handlers {
    /** {@return the handlers, by path} */
    ImmutableMap<String, HttpHandler> apply(Controller controller);
  }
}
