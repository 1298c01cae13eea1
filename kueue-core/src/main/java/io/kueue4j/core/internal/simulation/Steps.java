package io.kueue4j.core.internal.simulation;

import java.util.Arrays;

/** A number that changes over time, recorded as its values at the times of its changes. */
public final class Steps {
  private long[] times = new long[4];
  private long[] values = new long[4];
  private int size;

  /** {@return the present value, 0 before the first} */
  public long value() {
    return size == 0 ? 0 : values[size - 1];
  }

  /** Adds {@code delta} at a time, which is not before the last change. */
  public void add(long time, long delta) {
    set(time, value() + delta);
  }

  /** Sets the value at a time, which is not before the last change. */
  public void set(long time, long value) {
    if (size > 0 && times[size - 1] == time) {
      values[size - 1] = value;
      if (value == (size == 1 ? 0 : values[size - 2])) {
        size--;
      }
    } else if (value != value()) {
      if (size == times.length) {
        times = Arrays.copyOf(times, size * 2);
        values = Arrays.copyOf(values, size * 2);
      }
      times[size] = time;
      values[size] = value;
      size++;
    }
  }

  /** {@return the times of the changes} */
  public long[] times() {
    return Arrays.copyOf(times, size);
  }

  /** {@return the values from these times on} */
  public long[] values() {
    return Arrays.copyOf(values, size);
  }
}
