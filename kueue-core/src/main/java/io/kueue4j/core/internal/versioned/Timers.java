package io.kueue4j.core.internal.versioned;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The timers of workloads or queues of the state, at most one for each. Not thread-safe.
 *
 * @param <K> identifies what has a timer
 */
public final class Timers<K extends Comparable<K>> {
  private final VersionedMap<K, Instant> times;
  private final VersionedSet<Timer<K>> inOrder;

  private record Timer<K extends Comparable<K>>(Instant time, K owner)
      implements Comparable<Timer<K>> {
    @Override
    public int compareTo(Timer<K> other) {
      int byTime = time.compareTo(other.time);
      return byTime != 0 ? byTime : owner.compareTo(other.owner);
    }
  }

  /** Creates an instance without timers. */
  public Timers(Journal journal) {
    this.times = new VersionedMap<>(journal);
    this.inOrder = VersionedSet.inNaturalOrder(journal);
  }

  /** Takes the timers of another instance, unrecorded. */
  public void share(Timers<K> origin) {
    times.share(origin.times);
    inOrder.share(origin.inOrder);
  }

  /** Sets a timer, null to remove it. */
  public void set(K owner, @Nullable Instant time) {
    if (time == null && times.isEmpty()) {
      return;
    }
    Instant before = times.get(owner);
    if (!Objects.equals(before, time)) {
      if (before != null) {
        inOrder.remove(new Timer<>(before, owner));
      }
      times.set(owner, time);
      if (time != null) {
        inOrder.add(new Timer<>(time, owner));
      }
    }
  }

  /** {@return the time of a timer, null if it is not set} */
  public @Nullable Instant get(K owner) {
    return times.get(owner);
  }

  /** {@return the time of the next timer} */
  public Optional<Instant> next() {
    return inOrder.isEmpty() ? Optional.empty() : Optional.of(inOrder.first().time);
  }

  /** {@return the owners of the timers that are due at {@code now}, the earliest first} */
  public List<K> due(Instant now) {
    if (inOrder.isEmpty() || inOrder.first().time.isAfter(now)) {
      return List.of();
    }
    List<K> due = new ArrayList<>();
    for (Timer<K> timer : inOrder) {
      if (timer.time.isAfter(now)) {
        break;
      }
      due.add(timer.owner);
    }
    return due;
  }
}
