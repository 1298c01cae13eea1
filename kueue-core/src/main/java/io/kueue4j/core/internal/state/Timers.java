package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.versioned.Journal;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The timers of workloads or queues, at most one for each. Not thread-safe.
 *
 * <p>A fork starts with a time before which nothing that it has not loaded yet is due, and loads
 * what has timers when that time has passed.
 *
 * @param <K> identifies what has a timer
 */
public final class Timers<K extends Comparable<K>> {
  private final Journal journal;
  private final Runnable loader;
  private final NavigableSet<Timer<K>> inOrder = new TreeSet<>();
  private final Map<K, Instant> times = new HashMap<>();
  private @Nullable Instant inherited;

  private record Timer<K extends Comparable<K>>(Instant time, K owner)
      implements Comparable<Timer<K>> {
    @Override
    public int compareTo(Timer<K> other) {
      int byTime = time.compareTo(other.time);
      return byTime != 0 ? byTime : owner.compareTo(other.owner);
    }
  }

  private record Before<K>(K owner, @Nullable Instant time) {}

  /**
   * Creates timers.
   *
   * @param journal records what the timers were
   * @param inherited a time before which no timer that is not loaded yet is due, null for none
   * @param loader loads all timers
   */
  Timers(Journal journal, @Nullable Instant inherited, Runnable loader) {
    this.journal = journal;
    this.inherited = inherited;
    this.loader = loader;
  }

  /** Sets a timer, null to remove it. */
  void set(K owner, @Nullable Instant time) {
    if (time == null && times.isEmpty()) {
      return;
    }
    Instant before = times.get(owner);
    if (!Objects.equals(before, time)) {
      journal.add(Timers::restore, this, new Before<>(owner, before));
      put(owner, before, time);
    }
  }

  private void restore(Before<K> timer) {
    put(timer.owner, times.get(timer.owner), timer.time);
  }

  private void put(K owner, @Nullable Instant before, @Nullable Instant time) {
    if (before != null) {
      inOrder.remove(new Timer<>(before, owner));
    }
    if (time == null) {
      times.remove(owner);
    } else {
      times.put(owner, time);
      inOrder.add(new Timer<>(time, owner));
    }
  }

  /** {@return a time before which no timer is due, null if there is none} */
  @Nullable
  Instant earliest() {
    Instant own = inOrder.isEmpty() ? null : inOrder.first().time;
    Instant other = inherited;
    return own == null || (other != null && other.isBefore(own)) ? other : own;
  }

  /** {@return the time of the next timer} */
  public Optional<Instant> next() {
    takeOver();
    return Optional.ofNullable(earliest());
  }

  /** {@return what has a timer} */
  Set<K> owners() {
    takeOver();
    return Collections.unmodifiableSet(times.keySet());
  }

  /** {@return the owners of the timers that are due at {@code now}, the earliest first} */
  public List<K> due(Instant now) {
    Instant first = earliest();
    if (first == null || first.isAfter(now)) {
      return List.of();
    }
    takeOver();
    return inOrder.stream()
        .takeWhile(timer -> !timer.time.isAfter(now))
        .map(Timer::owner)
        .toList();
  }

  private void takeOver() {
    if (inherited != null) {
      inherited = null;
      loader.run();
    }
  }
}
