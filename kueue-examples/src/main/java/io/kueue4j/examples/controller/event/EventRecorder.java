package io.kueue4j.examples.controller.event;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.event.EventCounts.Result;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events in threads of its own, so that callers never wait.
 *
 * <p>Equal events about an object are recorded once, with a count. A server that is busy or cannot
 * be reached is tried again with increasing delays. An event is dropped only if the server rejects
 * it, fails 12 times, or 20,000 others wait; every dropped event is counted by its reason, and the
 * first of each reason is logged. Thread-safe.
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
  private static final int MAX_DOUBLINGS = 10;
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY_REQUESTS = 429;

  private final EventStore store;
  private final EventCounts counts;
  private final Duration firstDelay;
  private final ExecutorService threads = Executors.newFixedThreadPool(
      THREADS,
      new ThreadFactoryBuilder().setNameFormat("events-%d").setDaemon(true).build());

  private final Cache<Subject, Recorded> known =
      CacheBuilder.newBuilder().maximumSize(MAX_KNOWN).build();

  private final Set<Result> logged = ConcurrentHashMap.newKeySet();

  /** Guards the fields below. */
  private final Object lock = new Object();

  private final Map<Subject, Entry> waiting = new HashMap<>();
  private final Deque<Entry> queue = new ArrayDeque<>();

  /** The number of failures since the last success, and until when the server is left alone. */
  private int failures;

  private long pausedUntilNanos = System.nanoTime();
  private boolean closed;

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
    int tries;

    Entry(Subject subject, Event event) {
      this.subject = subject;
      this.event = event;
      this.lastTime = event.getLastTimestamp();
    }
  }

  private EventRecorder(EventStore store, EventCounts counts, Duration firstDelay) {
    this.store = store;
    this.counts = counts;
    this.firstDelay = firstDelay;
  }

  /** {@return a recorder for a cluster, to be closed} */
  public static EventRecorder start(KubernetesClient client, EventCounts counts) {
    return start(EventStore.of(client), counts, Duration.ofMillis(100));
  }

  static EventRecorder start(EventStore store, EventCounts counts, Duration firstDelay) {
    EventRecorder recorder = new EventRecorder(store, counts, firstDelay);
    for (int number = 0; number < THREADS; number++) {
      recorder.threads.execute(recorder::work);
    }
    return recorder;
  }

  @Override
  public void accept(Event event) {
    Subject subject = Subject.of(event);
    Result dropped = null;
    synchronized (lock) {
      Entry equal = waiting.get(subject);
      if (closed) {
        dropped = Result.DROPPED_STOPPED;
      } else if (equal != null) {
        equal.count++;
        equal.lastTime = event.getLastTimestamp();
      } else if (waiting.size() >= MAX_WAITING) {
        dropped = Result.DROPPED_OVERFLOW;
      } else {
        Entry entry = new Entry(subject, event);
        waiting.put(subject, entry);
        queue.add(entry);
        lock.notifyAll();
      }
    }
    if (dropped != null) {
      drop(dropped, 1, "");
    }
  }

  private void work() {
    try {
      while (true) {
        Entry entry = take();
        if (entry == null) {
          return;
        }
        record(entry);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** {@return the next entry, null if the recorder is closed and nothing waits} */
  private @Nullable Entry take() throws InterruptedException {
    synchronized (lock) {
      long pause = pauseMillis();
      while (queue.isEmpty() || pause > 0) {
        if (closed && queue.isEmpty()) {
          return null;
        }
        lock.wait(queue.isEmpty() ? 0 : pause);
        pause = pauseMillis();
      }
      Entry entry = queue.remove();
      // Equal events from now on are counted as repetitions.
      waiting.remove(entry.subject);
      return entry;
    }
  }

  /** {@return how long the server is left alone; a recorder that is being closed does not wait} */
  private long pauseMillis() {
    return closed ? 0 : TimeUnit.NANOSECONDS.toMillis(pausedUntilNanos - System.nanoTime());
  }

  /** Records an event, or queues it again. */
  private void record(Entry entry) {
    Recorded before = known.getIfPresent(entry.subject);
    try {
      if (before == null) {
        create(entry);
      } else {
        repeat(entry, before);
      }
    } catch (KubernetesClientException e) {
      failed(entry, before != null, e);
    }
  }

  private void failed(Entry entry, boolean isRepeated, KubernetesClientException e) {
    int code = e.getCode();
    boolean isExpired = isRepeated && code == NOT_FOUND;
    boolean isRefused = code >= 400 && code < 500 && code != TOO_MANY_REQUESTS && !isExpired;
    entry.tries++;
    if (isRefused || entry.tries >= MAX_TRIES) {
      drop(
          isRefused ? Result.DROPPED_REFUSED : Result.DROPPED_UNAVAILABLE,
          entry.count,
          String.valueOf(e.getMessage()));
      return;
    }
    synchronized (lock) {
      if (isExpired) {
        known.invalidate(entry.subject);
      } else {
        failures++;
        long delay = Math.min(
            MAX_DELAY.toMillis(), firstDelay.toMillis() << Math.min(failures - 1, MAX_DOUBLINGS));
        pausedUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delay);
      }
      requeue(entry);
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
    store.repeat(entry.event.getMetadata().getNamespace(), before.name(), count, entry.lastTime);
    remember(entry, before.name(), count);
    counts.add(Result.AGGREGATED, entry.count);
  }

  private void remember(Entry entry, String name, int count) {
    known.put(entry.subject, new Recorded(name, count));
    synchronized (lock) {
      failures = 0;
    }
  }

  /** Queues an event again, as the next one; called while the lock is held. */
  private void requeue(Entry entry) {
    Entry equal = waiting.get(entry.subject);
    if (equal != null) {
      equal.count += entry.count;
    } else {
      waiting.put(entry.subject, entry);
      queue.addFirst(entry);
    }
    lock.notifyAll();
  }

  private void drop(Result result, long number, String cause) {
    counts.add(result, number);
    if (logged.add(result)) {
      LOG.atWarn()
          .addKeyValue("result", result)
          .addKeyValue("cause", cause)
          .log("events are dropped; the metric kueue4j_controller_events_total counts them");
    }
  }

  /** Waits up to three seconds for the events that are not recorded yet. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    // A thread ends when nothing waits.
    threads.shutdown();
    try {
      boolean unused = threads.awaitTermination(FLUSH.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
    long left;
    synchronized (lock) {
      left = queue.stream().mapToLong(entry -> entry.count).sum();
      queue.clear();
      waiting.clear();
    }
    if (left > 0) {
      drop(Result.DROPPED_STOPPED, left, "");
    }
  }
}
