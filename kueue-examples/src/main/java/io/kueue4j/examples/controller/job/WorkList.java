package io.kueue4j.examples.controller.job;

import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.Turns;
import java.time.Duration;
import java.time.Instant;
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

  private final Turns<ObjectKey> news = new Turns<>(ObjectKey::namespace);
  private final Turns<ObjectKey> decided = new Turns<>(ObjectKey::namespace);
  private final Turns<ObjectKey> behind = new Turns<>(ObjectKey::namespace);
  private final TreeMap<Instant, Set<ObjectKey>> later = new TreeMap<>();
  private final Map<ObjectKey, Instant> times = new LinkedHashMap<>();

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
    return decided.poll().or(news::poll);
  }

  /** {@return the due jobs of which there is news} */
  public Turns<ObjectKey> news() {
    return news;
  }

  /** {@return the jobs of which something is to be written that no decision needs} */
  public Turns<ObjectKey> behind() {
    return behind;
  }

  /** {@return whether no job is due} */
  public boolean isEmpty() {
    return size() == 0;
  }

  /** {@return the number of due jobs} */
  public int size() {
    return news.size() + decided.size();
  }

  /** {@return when the next delayed job becomes due, empty if there is none} */
  public Optional<Instant> next() {
    return later.isEmpty() ? Optional.empty() : Optional.of(later.firstKey());
  }
}
