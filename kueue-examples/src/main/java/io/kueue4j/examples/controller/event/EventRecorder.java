package io.kueue4j.examples.controller.event;

import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.AtomicLongMap;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.kueue4j.examples.controller.object.RetryDelays;
import io.kueue4j.examples.controller.object.Turns;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events in threads of its own, so that callers never wait.
 *
 * <p>Equal events about an object are recorded once, with a count. A server that is busy or cannot
 * be reached is tried again with increasing delays. An event is dropped only if the server rejects
 * it, fails 12 times, or 20,000 others wait; then the namespace with the most of them loses its
 * oldest one. Namespaces take turns. Every dropped event is counted by its reason, and the first of
 * each reason is logged. Thread-safe.
 *
 * <p>Kueue: the event recorder of client-go.
 */
public final class EventRecorder implements Consumer<Event>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
  static final int MAX_WAITING = 20_000;
  static final int MAX_TRIES = 12;
  private static final int THREADS = 4;

  /** The number of recorded events that are remembered to count repetitions. */
  private static final int MAX_KNOWN = 4096;

  private static final Duration MAX_DELAY = Duration.ofSeconds(10);
  private static final Duration FLUSH = Duration.ofSeconds(3);
  private static final int TOO_MANY_REQUESTS = 429;

  /** What became of an event. */
  public enum Result {
    /** It is a new object in the cluster. */
    RECORDED,
    /** It was added to the count of an equal event. */
    AGGREGATED,
    /** It was dropped: the server rejected it. */
    DROPPED_REFUSED,
    /** It was dropped: the server did not accept it in time. */
    DROPPED_UNAVAILABLE,
    /** It was dropped: too many events were waiting. */
    DROPPED_OVERFLOW,
    /** It was dropped: the controller stopped before it could be recorded. */
    DROPPED_STOPPED
  }

  private final UnaryOperator<Event> store;
  private final AtomicLongMap<Result> counts;
  private final Duration firstDelay;
  private final ExecutorService threads = Executors.newFixedThreadPool(
      THREADS,
      new ThreadFactoryBuilder().setNameFormat("events-%d").setDaemon(true).build());

  /** The last events in the cluster. */
  private final Cache<Subject, Event> known =
      CacheBuilder.newBuilder().maximumSize(MAX_KNOWN).build();

  private final Set<Result> logged = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closing = new CountDownLatch(1);

  /** The number of failures since the last success. */
  private final AtomicInteger failures = new AtomicInteger();

  /** The events that wait, each with its count; guarded by this object, as their order is. */
  private final Map<Subject, Event> waiting = new HashMap<>();

  private final Turns<Subject> queue = new Turns<>(Subject::namespace);

  /** What makes events equal. */
  private record Subject(
      String namespace, ObjectReference about, String type, String reason, String message) {
    static Subject of(Event event) {
      return new Subject(
          event.getMetadata().getNamespace(),
          event.getInvolvedObject(),
          event.getType(),
          event.getReason(),
          event.getMessage());
    }
  }

  /**
   * Creates a recorder.
   *
   * @param store creates an event without a name, stores the count and the last time of another
   *     one, and returns what is stored
   */
  EventRecorder(UnaryOperator<Event> store, AtomicLongMap<Result> counts, Duration firstDelay) {
    this.store = store;
    this.counts = counts;
    this.firstDelay = firstDelay;
  }

  /**
   * {@return a recorder for a cluster, to be closed}
   *
   * @param counts counts the events by their result
   */
  public static EventRecorder start(KubernetesClient client, AtomicLongMap<Result> counts) {
    return new EventRecorder(event -> store(client, event), counts, Duration.ofMillis(100));
  }

  private static Event store(KubernetesClient client, Event event) {
    Resource<Event> resource = client.resource(event);
    return event.getMetadata().getName() == null
        ? resource.create()
        : resource.patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"count\":" + event.getCount() + ",\"lastTimestamp\":\"" + event.getLastTimestamp()
                + "\"}");
  }

  @Override
  public synchronized void accept(Event event) {
    Subject subject = Subject.of(event);
    if (threads.isShutdown()) {
      drop(Result.DROPPED_STOPPED, event, "");
    } else if (waiting.containsKey(subject)) {
      waiting.merge(subject, event, EventRecorder::repeated);
    } else {
      waiting.put(subject, event);
      queue.add(subject);
      if (queue.size() > MAX_WAITING) {
        queue
            .pollMost()
            .map(waiting::remove)
            .ifPresent(oldest -> drop(Result.DROPPED_OVERFLOW, oldest, ""));
      } else {
        threads.execute(() -> next().ifPresent(this::record));
      }
    }
  }

  private static Event repeated(Event first, Event next) {
    return new EventBuilder(first)
        .withCount(first.getCount() + next.getCount())
        .withLastTimestamp(next.getLastTimestamp())
        .build();
  }

  /** {@return the next event; equal ones from now on are counted as repetitions of it} */
  private synchronized Optional<Event> next() {
    return queue.poll().map(waiting::remove);
  }

  private void record(Event event) {
    try {
      int tries = 1;
      while (!isSettled(event, tries == MAX_TRIES)) {
        tries++;
      }
    } catch (InterruptedException e) {
      drop(Result.DROPPED_STOPPED, event, "");
      Thread.currentThread().interrupt();
    }
  }

  /** {@return whether an event is recorded or dropped; if not, it is to be tried again now} */
  private boolean isSettled(Event event, boolean isLastTry) throws InterruptedException {
    Subject subject = Subject.of(event);
    Event before = known.getIfPresent(subject);
    try {
      known.put(subject, store.apply(before == null ? event : repeated(before, event)));
      failures.set(0);
      long created = before == null ? 1 : 0;
      counts.addAndGet(Result.RECORDED, created);
      counts.addAndGet(Result.AGGREGATED, event.getCount() - created);
      return true;
    } catch (KubernetesClientException e) {
      int code = e.getCode();
      boolean isExpired = before != null && code == HTTP_NOT_FOUND;
      boolean isRefused = code >= 400 && code < 500 && code != TOO_MANY_REQUESTS && !isExpired;
      if (isRefused || isLastTry) {
        Result result = isRefused ? Result.DROPPED_REFUSED : Result.DROPPED_UNAVAILABLE;
        drop(result, event, String.valueOf(e.getMessage()));
        return true;
      }
      if (isExpired) {
        known.invalidate(subject);
      } else {
        Duration delay = RetryDelays.after(failures.incrementAndGet(), firstDelay, MAX_DELAY);
        // A recorder that is being closed does not wait.
        boolean unused = closing.await(delay.toNanos(), TimeUnit.NANOSECONDS);
      }
      return false;
    }
  }

  private void drop(Result result, Event event, String cause) {
    counts.addAndGet(result, event.getCount());
    if (logged.add(result)) {
      LOG.atWarn()
          .addKeyValue("result", result)
          .addKeyValue("cause", cause)
          .log("events are dropped; the metric kueue4j_controller_events_total counts them");
    }
  }

  /**
   * Waits up to three seconds for the events that are not recorded yet, and as long for the writes
   * that it interrupts then.
   */
  @Override
  public void close() {
    synchronized (this) {
      threads.shutdown();
    }
    closing.countDown();
    // After half of the time, it interrupts what still runs.
    boolean unused = MoreExecutors.shutdownAndAwaitTermination(threads, FLUSH.multipliedBy(2));
    synchronized (this) {
      waiting.values().forEach(event -> drop(Result.DROPPED_STOPPED, event, ""));
      waiting.clear();
    }
  }
}
