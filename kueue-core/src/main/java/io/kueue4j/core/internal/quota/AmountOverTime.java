package io.kueue4j.core.internal.quota;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Arrays;

/**
 * An amount that changes at certain times, in milliseconds since the epoch. To find when it is
 * small or large enough is a loop over an array.
 */
public final class AmountOverTime {
  /** Stands for no time. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The times at which the amount may change; the first one is the begin of all time. */
  private long[] times = {Long.MIN_VALUE};

  /** The amount from each of the times on. */
  private long[] amounts;

  private int size = 1;

  /** Receives a period with a constant amount. */
  public interface PeriodConsumer {
    /** Receives a period. */
    void accept(long from, long to, long amount);
  }

  /** Creates an amount that never changes. */
  public AmountOverTime(long amount) {
    amounts = new long[] {amount};
  }

  /** {@return the amount at a time} */
  public long at(long millis) {
    return amounts[period(millis)];
  }

  /** {@return the period that contains a time} */
  private int period(long millis) {
    int found = Arrays.binarySearch(times, 0, size, millis);
    return found < 0 ? -found - 2 : found;
  }

  /** {@return the first time from {@code millis} on with {@code most} at most} */
  long firstUpTo(long most, long millis) {
    int i = period(millis);
    if (amounts[i] <= most) {
      return millis;
    }
    do {
      i++;
    } while (i < size && amounts[i] > most);
    return i == size ? NEVER : times[i];
  }

  /** {@return the first change after {@code millis} to more than {@code most}} */
  public long nextAbove(long most, long millis) {
    int i = period(millis) + 1;
    while (i < size && amounts[i] <= most) {
      i++;
    }
    return i == size ? NEVER : times[i];
  }

  /** Passes on the periods between two times, in their order. */
  public void forEach(long from, long to, PeriodConsumer action) {
    for (int i = period(from); i < size && times[i] < to; i++) {
      long end = i + 1 == size ? NEVER : times[i + 1];
      action.accept(Math.max(from, times[i]), Math.min(to, end), amounts[i]);
    }
  }

  /**
   * Adds {@code change}, which may be negative, from a time until before another one.
   *
   * @return the least amount of that period, before or after
   */
  @CanIgnoreReturnValue
  public long add(long from, long to, long change) {
    int first = split(from);
    int end = to == NEVER ? size : split(to);
    long least = Long.MAX_VALUE;
    for (int i = first; i < end; i++) {
      least = Math.min(least, amounts[i] + Math.min(0, change));
      amounts[i] += change;
    }
    return least;
  }

  /** {@return the period that begins at a time} */
  private int split(long millis) {
    int i = millis > times[size - 1] ? size - 1 : period(millis);
    if (times[i] == millis) {
      return i;
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size + 2);
      amounts = Arrays.copyOf(amounts, 2 * size + 2);
    }
    System.arraycopy(times, i + 1, times, i + 2, size - i - 1);
    System.arraycopy(amounts, i, amounts, i + 1, size - i);
    times[i + 1] = millis;
    size++;
    return i + 1;
  }
}
