package io.kueue4j.core.internal.simulation;

import static com.google.common.base.Preconditions.checkState;

import java.util.Arrays;

/**
 * A queue of events by time; events of one time are ordered by kind, then by their insertion. A
 * binary heap over arrays of primitives, so that an event allocates nothing.
 */
public final class EventHeap {
  /** The time of an event that never happens. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int KIND_SHIFT = 56;

  private long[] times = new long[64];
  private long[] orders = new long[64];
  private int[] subjects = new int[64];
  private int[] details = new int[64];
  private int size;
  private long inserted;

  /**
   * {@return the sum of a time and a delay that is not negative; {@link #NEVER} if it overflows}
   */
  public static long after(long time, long delay) {
    long sum = time + delay;
    return sum < time ? NEVER : sum;
  }

  /**
   * Adds an event.
   *
   * @param time when it happens; nothing is added for {@link #NEVER}
   * @param kind orders events of one time, 0 to 127
   * @param subject what the event is about
   * @param detail anything else
   */
  public void add(long time, int kind, int subject, int detail) {
    if (time == NEVER) {
      return;
    }
    if (size == times.length) {
      int length = size * 2;
      times = Arrays.copyOf(times, length);
      orders = Arrays.copyOf(orders, length);
      subjects = Arrays.copyOf(subjects, length);
      details = Arrays.copyOf(details, length);
    }
    long order = ((long) kind << KIND_SHIFT) | inserted++;
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (!isBefore(time, order, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, time, order, subject, detail);
  }

  /** {@return whether there is no event} */
  public boolean isEmpty() {
    return size == 0;
  }

  /** {@return the time of the first event, {@link #NEVER} if there is none} */
  public long time() {
    return size == 0 ? NEVER : times[0];
  }

  /** {@return the kind of the first event} */
  public int kind() {
    checkNotEmpty();
    return (int) (orders[0] >>> KIND_SHIFT);
  }

  /** {@return what the first event is about} */
  public int subject() {
    checkNotEmpty();
    return subjects[0];
  }

  /** {@return the detail of the first event} */
  public int detail() {
    checkNotEmpty();
    return details[0];
  }

  /** Removes the first event. */
  public void removeFirst() {
    checkNotEmpty();
    int last = --size;
    long time = times[last];
    long order = orders[last];
    int hole = 0;
    for (int child = 1; child < last; child = 2 * hole + 1) {
      if (child + 1 < last && isBefore(times[child + 1], orders[child + 1], child)) {
        child++;
      }
      if (isBefore(time, order, child)) {
        break;
      }
      move(child, hole);
      hole = child;
    }
    put(hole, time, order, subjects[last], details[last]);
  }

  private void checkNotEmpty() {
    checkState(size > 0, "there is no event");
  }

  private boolean isBefore(long time, long order, int other) {
    return time != times[other] ? time < times[other] : order < orders[other];
  }

  private void move(int from, int to) {
    put(to, times[from], orders[from], subjects[from], details[from]);
  }

  private void put(int at, long time, long order, int subject, int detail) {
    times[at] = time;
    orders[at] = order;
    subjects[at] = subject;
    details[at] = detail;
  }
}
