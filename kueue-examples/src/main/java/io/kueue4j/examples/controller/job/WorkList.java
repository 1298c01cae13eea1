package io.kueue4j.examples.controller.job;

import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.SetMultimap;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.Turns;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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
  private final SetMultimap<Instant, ObjectKey> later =
      MultimapBuilder.treeKeys().linkedHashSetValues().build();
  private final Map<ObjectKey, Instant> times = new HashMap<>();

  /** Adds a job because of news of the cluster. */
  public void add(ObjectKey key) {
    news.add(key);
  }

  /** {@return the jobs with news of the cluster} */
  public Turns<ObjectKey> news() {
    return news;
  }

  /** {@return the jobs with a decision of the engine} */
  public Turns<ObjectKey> decided() {
    return decided;
  }

  /** {@return the jobs of which something is to be written that no decision needs} */
  public Turns<ObjectKey> behind() {
    return behind;
  }

  /** Delays a job; the last call for a job applies. */
  public void delay(ObjectKey key, Instant time) {
    cancel(key);
    times.put(key, time);
    later.put(time, key);
  }

  /** Forgets the delay of a job. */
  void cancel(ObjectKey key) {
    Instant time = times.remove(key);
    if (time != null) {
      later.remove(time, key);
    }
  }

  /** Makes jobs due whose delay has ended. */
  public void wake(Instant now) {
    while (next().filter(time -> !time.isAfter(now)).isPresent()) {
      for (ObjectKey key : later.removeAll(next().orElseThrow())) {
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
    return later.keySet().stream().findFirst();
  }
}
