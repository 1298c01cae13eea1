package io.kueue4j.core.internal.state;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
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

  /**
   * Creates timers.
   *
   * @param inherited a time before which no timer that is not loaded yet is due, null for none
   * @param loader loads all timers
   */
  Timers(@Nullable Instant inherited, Runnable loader) {
    this.inherited = inherited;
    this.loader = loader;
  }

  /**
   * Sets a timer, null to remove it.
   *
   * @return the previous time, null for none
   */
  @CanIgnoreReturnValue
  @Nullable
  Instant set(K owner, @Nullable Instant time) {
    if (time == null && times.isEmpty()) {
      return null;
    }
    Instant before = time == null ? times.remove(owner) : times.put(owner, time);
    if (before != null && !before.equals(time)) {
      inOrder.remove(new Timer<>(before, owner));
    }
    if (time != null && !time.equals(before)) {
      inOrder.add(new Timer<>(time, owner));
    }
    return before;
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
