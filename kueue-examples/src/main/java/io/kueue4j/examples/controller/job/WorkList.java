package io.kueue4j.examples.controller.job;

import io.kueue4j.examples.controller.object.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The jobs that are due, now or later. Three lists: jobs with news of the cluster, which decisions
 * need; jobs with a decision of the engine; and jobs with a write that only users wait for.
 */
public final class WorkList {
  /** The delay after a failure that concerns no job, such as a write of a Workload without one. */
  public static final Duration FAILURE_DELAY = Duration.ofSeconds(5);

  private final Turns news = new Turns();
  private final Turns decided = new Turns();
  private final Turns behind = new Turns();
  private final TreeMap<Instant, Set<ObjectKey>> later = new TreeMap<>();
  private final Map<ObjectKey, Instant> times = new LinkedHashMap<>();

  /** A set of jobs. The namespaces take turns, so that no tenant waits for all jobs of another. */
  private static final class Turns {
    private final Map<String, Set<ObjectKey>> keysByNamespace = new LinkedHashMap<>();
    private int size;

    void add(ObjectKey key) {
      if (keysByNamespace
          .computeIfAbsent(key.namespace(), unused -> new LinkedHashSet<>())
          .add(key)) {
        size++;
      }
    }

    boolean isEmpty() {
      return size == 0;
    }

    Optional<ObjectKey> poll() {
      if (isEmpty()) {
        return Optional.empty();
      }
      Iterator<Map.Entry<String, Set<ObjectKey>>> namespaces =
          keysByNamespace.entrySet().iterator();
      Map.Entry<String, Set<ObjectKey>> first = namespaces.next();
      String namespace = first.getKey();
      Set<ObjectKey> keys = first.getValue();
      namespaces.remove();
      ObjectKey key = keys.iterator().next();
      keys.remove(key);
      if (!keys.isEmpty()) {
        keysByNamespace.put(namespace, keys);
      }
      size--;
      return Optional.of(key);
    }
  }

  /** Adds a job because of news of the cluster. */
  public void add(ObjectKey key) {
    news.add(key);
  }

  /** Adds a job because of a decision of the engine. */
  public void addDecided(ObjectKey key) {
    decided.add(key);
  }

  /** Adds a job of which something is to be written that no decision needs. */
  public void addBehind(ObjectKey key) {
    behind.add(key);
  }

  /** Delays a job; the last call for a job applies. */
  public void delay(ObjectKey key, Instant time) {
    cancel(key);
    times.put(key, time);
    later.computeIfAbsent(time, unused -> new LinkedHashSet<>()).add(key);
  }

  /** Forgets the delay of a job. */
  void cancel(ObjectKey key) {
    Instant time = times.remove(key);
    if (time != null) {
      Set<ObjectKey> keys = later.get(time);
      if (keys != null && keys.remove(key) && keys.isEmpty()) {
        later.remove(time);
      }
    }
  }

  /** Makes jobs due whose delay has ended. */
  public void wake(Instant now) {
    while (!later.isEmpty() && !later.firstKey().isAfter(now)) {
      for (ObjectKey key : later.pollFirstEntry().getValue()) {
        times.remove(key);
        news.add(key);
      }
    }
  }

  /**
   * {@return the next job that is due, empty if there is none; it is then no longer due} Decisions
   * come before news.
   */
  public Optional<ObjectKey> poll() {
    return decided.isEmpty() ? news.poll() : decided.poll();
  }

  /** {@return the next job of which there is news, empty if there is none} */
  public Optional<ObjectKey> pollNews() {
    return news.poll();
  }

  /** {@return the next job of which something is to be written behind, empty if there is none} */
  public Optional<ObjectKey> pollBehind() {
    return behind.poll();
  }

  /** {@return whether no job is due} */
  public boolean isEmpty() {
    return size() == 0;
  }

  /** {@return the number of due jobs} */
  public int size() {
    return news.size + decided.size;
  }

  /** {@return the number of due jobs of which there is news} */
  public int sizeNews() {
    return news.size;
  }

  /** {@return the number of jobs of which something is to be written behind} */
  public int sizeBehind() {
    return behind.size;
  }

  /** {@return when the next delayed job becomes due, empty if there is none} */
  public Optional<Instant> next() {
    return later.isEmpty() ? Optional.empty() : Optional.of(later.firstKey());
  }
}
