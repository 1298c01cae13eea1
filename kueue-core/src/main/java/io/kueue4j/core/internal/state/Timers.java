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
 * When something is due for workloads, one time for each at most. Not safe for several threads.
 *
 * <p>A fork begins with a time before which nothing of what it has not taken over is due, and takes
 * everything over when that has passed.
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
   * @param inherited when the first is due of those that are to be taken over, null for none
   * @param takeAll takes all over
   */
  Timers(@Nullable Instant inherited, Runnable takeAll) {
    this.inherited = inherited;
    this.takeAll = takeAll;
  }

  /**
   * Sets when something is due for a workload, null for never.
   *
   * @return when it was due before, null for never
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

  /** {@return a time before which nothing is due, null if nothing ever is} */
  @Nullable
  Instant earliest() {
    Instant own = inOrder.isEmpty() ? null : inOrder.first().time;
    Instant other = inherited;
    return own == null || (other != null && other.isBefore(own)) ? other : own;
  }

  /** {@return when something is due next} */
  public Optional<Instant> next() {
    takeOver();
    return Optional.ofNullable(earliest());
  }

  /** {@return the workloads for which something is due at {@code now}, the earliest first} */
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
