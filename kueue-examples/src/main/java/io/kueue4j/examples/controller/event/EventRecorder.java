package io.kueue4j.examples.controller.event;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.event.EventCounts.Result;
import io.kueue4j.examples.controller.object.RetryDelays;
import io.kueue4j.examples.controller.object.Turns;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY_REQUESTS = 429;

  private final EventStore store;
  private final EventCounts counts;
  private final ExecutorService threads = Executors.newFixedThreadPool(
      THREADS,
      new ThreadFactoryBuilder().setNameFormat("events-%d").setDaemon(true).build());

  private final Cache<Subject, Recorded> known =
      CacheBuilder.newBuilder().maximumSize(MAX_KNOWN).build();

  private final Set<Result> logged = ConcurrentHashMap.newKeySet();

  private final CountDownLatch closing = new CountDownLatch(1);

  /** Guards the fields below. */
  private final Object lock = new Object();

  private final Map<Subject, Entry> waiting = new HashMap<>();
  private final Turns<Entry> queue = new Turns<>(Entry::namespace);

  /** The delays since the last success. */
  private final RetryDelays delays;

  /** What makes events equal. */
  private record Subject(ObjectReference about, String type, String reason, String message) {
    static Subject of(Event event) {
      return new Subject(
          event.getInvolvedObject(), event.getType(), event.getReason(), event.getMessage());
    }
  }

  /** An event in the cluster. */
  private record Recorded(String name, int count) {}

  /** An event that waits, with the number of its occurrences. */
  private static final class Entry {
    final Subject subject;
    final Event event;
    String lastTime;
    int count = 1;

    Entry(Subject subject, Event event) {
      this.subject = subject;
      this.event = event;
      this.lastTime = event.getLastTimestamp();
    }

    String namespace() {
      return event.getMetadata().getNamespace();
    }
  }

  EventRecorder(EventStore store, EventCounts counts, Duration firstDelay) {
    this.store = store;
    this.counts = counts;
    delays = new RetryDelays(firstDelay, MAX_DELAY, new Random());
  }

  /** {@return a recorder for a cluster, to be closed} */
  public static EventRecorder start(KubernetesClient client, EventCounts counts) {
    return new EventRecorder(EventStore.of(client), counts, Duration.ofMillis(100));
  }

  @Override
  public void accept(Event event) {
    Entry entry = new Entry(Subject.of(event), event);
    synchronized (lock) {
      Entry equal = waiting.get(entry.subject);
      if (threads.isShutdown()) {
        drop(Result.DROPPED_STOPPED, entry, "");
      } else if (equal != null) {
        equal.count++;
        equal.lastTime = entry.lastTime;
      } else {
        waiting.put(entry.subject, entry);
        queue.add(entry);
        if (queue.size() > MAX_WAITING) {
          take(queue.pollMost()).ifPresent(dropped -> drop(Result.DROPPED_OVERFLOW, dropped, ""));
        } else {
          threads.execute(this::recordNext);
        }
      }
    }
  }

  /** Equal events from now on are counted as repetitions; called while the lock is held. */
  private Optional<Entry> take(Optional<Entry> polled) {
    polled.ifPresent(entry -> waiting.remove(entry.subject));
    return polled;
  }

  private void recordNext() {
    Optional<Entry> next;
    synchronized (lock) {
      next = take(queue.poll());
    }
    try {
      if (next.isPresent()) {
        record(next.get());
      }
    } catch (InterruptedException e) {
      drop(Result.DROPPED_STOPPED, next.get(), "");
      Thread.currentThread().interrupt();
    }
  }

  private void record(Entry entry) throws InterruptedException {
    int tries = 1;
    while (!isSettled(entry, tries == MAX_TRIES)) {
      tries++;
    }
  }

  /** {@return whether an event is recorded or dropped; if not, it is to be tried again now} */
  private boolean isSettled(Entry entry, boolean isLastTry) throws InterruptedException {
    Recorded before = known.getIfPresent(entry.subject);
    try {
      if (before == null) {
        create(entry);
      } else {
        repeat(entry, before);
      }
      return true;
    } catch (KubernetesClientException e) {
      int code = e.getCode();
      boolean isExpired = before != null && code == NOT_FOUND;
      boolean isRefused = code >= 400 && code < 500 && code != TOO_MANY_REQUESTS && !isExpired;
      if (isRefused || isLastTry) {
        Result result = isRefused ? Result.DROPPED_REFUSED : Result.DROPPED_UNAVAILABLE;
        drop(result, entry, String.valueOf(e.getMessage()));
        return true;
      }
      if (isExpired) {
        known.invalidate(entry.subject);
      } else {
        // A recorder that is being closed does not wait.
        boolean unused = closing.await(nextDelay().toNanos(), TimeUnit.NANOSECONDS);
      }
      return false;
    }
  }

  private Duration nextDelay() {
    synchronized (lock) {
      return delays.next();
    }
  }

  private void create(Entry entry) {
    Event stored = store.create(new EventBuilder(entry.event)
        .withCount(entry.count)
        .withLastTimestamp(entry.lastTime)
        .build());
    remember(entry, stored.getMetadata().getName(), entry.count);
    counts.add(Result.RECORDED, 1);
    counts.add(Result.AGGREGATED, entry.count - 1L);
  }

  private void repeat(Entry entry, Recorded before) {
    int count = before.count() + entry.count;
    store.repeat(entry.namespace(), before.name(), count, entry.lastTime);
    remember(entry, before.name(), count);
    counts.add(Result.AGGREGATED, entry.count);
  }

  private void remember(Entry entry, String name, int count) {
    known.put(entry.subject, new Recorded(name, count));
    synchronized (lock) {
      delays.reset();
    }
  }

  private void drop(Result result, Entry entry, String cause) {
    counts.add(result, entry.count);
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
    synchronized (lock) {
      threads.shutdown();
    }
    closing.countDown();
    // After half of the time, it interrupts what still runs.
    boolean unused = MoreExecutors.shutdownAndAwaitTermination(threads, FLUSH.multipliedBy(2));
    synchronized (lock) {
      waiting.values().forEach(entry -> drop(Result.DROPPED_STOPPED, entry, ""));
      waiting.clear();
    }
  }
}
