package io.kueue4j.core.internal.state;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The timers of workloads, at most one per workload. Not thread-safe.
 *
 * <p>A fork starts with a time before which nothing that it has not loaded yet is due, and loads
 * everything when that time has passed.
 */
public final class Timers {
  private final Runnable takeAll;
  private final NavigableSet<Timer> inOrder =
      new TreeSet<>(Comparator.comparing(Timer::time).thenComparing(Timer::workload));
  private final Map<WorkloadId, Instant> times = new HashMap<>();
  private @Nullable Instant inherited;

  private record Timer(Instant time, WorkloadId workload) {}

  /**
   * Creates timers.
   *
   * @param inherited a time before which no timer that is not loaded yet is due, null for none
   * @param takeAll loads all timers
   */
  Timers(@Nullable Instant inherited, Runnable takeAll) {
    this.inherited = inherited;
    this.takeAll = takeAll;
  }

  /**
   * Sets the timer of a workload, null to remove it.
   *
   * @return the previous time, null for none
   */
  @CanIgnoreReturnValue
  @Nullable
  Instant set(WorkloadId workload, @Nullable Instant time) {
    if (time == null && times.isEmpty()) {
      return null;
    }
    Instant before = time == null ? times.remove(workload) : times.put(workload, time);
    if (before != null && !before.equals(time)) {
      inOrder.remove(new Timer(before, workload));
    }
    if (time != null && !time.equals(before)) {
      inOrder.add(new Timer(time, workload));
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

  /** {@return the workloads whose timers are due at {@code now}, the earliest first} */
  public List<WorkloadId> due(Instant now) {
    Instant first = earliest();
    if (first == null || first.isAfter(now)) {
      return List.of();
    }
    takeOver();
    return inOrder.stream()
        .takeWhile(timer -> !timer.time.isAfter(now))
        .map(Timer::workload)
        .toList();
  }

  private void takeOver() {
    if (inherited != null) {
      inherited = null;
      takeAll.run();
    }
  }
}
