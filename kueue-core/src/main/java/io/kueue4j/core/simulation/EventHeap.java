package io.kueue4j.core.simulation;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** A queue of events by time; events of one time are ordered by kind, then by their insertion. */
final class EventHeap {
  /** The time of an event that never happens. */
  static final long NEVER = Long.MAX_VALUE;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long added;

  /**
   * An event.
   *
   * @param time when it happens
   * @param kind orders events of one time
   * @param number the number of events that were added before
   * @param action what happens
   */
  record Event(long time, int kind, long number, BooleanSupplier action)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(time, other.time);
      int byKind = byTime != 0 ? byTime : Integer.compare(kind, other.kind);
      return byKind != 0 ? byKind : Long.compare(number, other.number);
    }
  }

  /**
   * Adds an event.
   *
   * @param time when it happens; nothing is added for {@link #NEVER}
   * @param kind orders events of one time
   * @param action what happens, and whether it changes anything
   */
  void add(long time, int kind, BooleanSupplier action) {
    if (time != NEVER) {
      events.add(new Event(time, kind, added++, action));
    }
  }

  /** {@return the time of the first event, {@link #NEVER} if there is none} */
  long time() {
    Event first = events.peek();
    return first == null ? NEVER : first.time;
  }

  /** {@return the first event; there must be one} */
  Event first() {
    return events.element();
  }

  /** {@return the first event, which is removed} */
  Event remove() {
    return events.remove();
  }
}
