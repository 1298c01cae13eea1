package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.common.collect.ImmutableList;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A number that changes at points in time, such as the used quota of a flavor: 0 before the first
 * step, and the value of a step until the next one. Immutable.
 *
 * <pre>{@code
 * for (int i = 0; i < used.size(); i++) {
 *   plot(used.timeMillis(i), used.value(i));
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class StepFunction {
  private static final long NEVER = Long.MAX_VALUE;

  private final long[] times;
  private final long[] values;

  /** A number that changes over time, recorded as its values at the times of its changes. */
  static final class Steps {
    private long[] times = new long[4];
    private long[] values = new long[4];
    private int size;

    private long value() {
      return size == 0 ? 0 : values[size - 1];
    }

    /** Adds {@code delta} at a time, which is not before the last change. */
    void add(long time, long delta) {
      set(time, value() + delta);
    }

    /** Sets the value at a time, which is not before the last change. */
    void set(long time, long value) {
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

    /** {@return what was recorded so far} */
    StepFunction toFunction() {
      return new StepFunction(Arrays.copyOf(times, size), Arrays.copyOf(values, size));
    }
  }

  /** Creates a function of parallel arrays, the times in strictly ascending order. */
  private StepFunction(long[] times, long[] values) {
    this.times = times;
    this.values = values;
  }

  /**
   * {@return the sum of functions, such as the used quota of a flavor in all ClusterQueues}
   *
   * @param functions the functions
   */
  public static StepFunction sum(Iterable<StepFunction> functions) {
    ImmutableList<StepFunction> addends = ImmutableList.copyOf(functions);
    if (addends.size() < 2) {
      return addends.isEmpty() ? combined(values -> 0) : addends.get(0);
    }
    int half = addends.size() / 2;
    return combined(
        values -> values[0] + values[1],
        sum(addends.subList(0, half)),
        sum(addends.subList(half, addends.size())));
  }

  /**
   * {@return a function that changes only where others do}
   *
   * @param value computes its value from the values of the others at one time
   * @param others the other functions
   */
  static StepFunction combined(ToLongFunction<long[]> value, StepFunction... others) {
    int[] next = new int[others.length];
    long[] values = new long[others.length];
    Steps steps = new Steps();
    for (long time = nextTime(others, next); time != NEVER; time = nextTime(others, next)) {
      for (int i = 0; i < others.length; i++) {
        if (next[i] < others[i].size() && others[i].times[next[i]] == time) {
          values[i] = others[i].values[next[i]++];
        }
      }
      steps.set(time, value.applyAsLong(values));
    }
    return steps.toFunction();
  }

  /** {@return the time of the earliest of the next steps} */
  private static long nextTime(StepFunction[] functions, int[] next) {
    long first = NEVER;
    for (int i = 0; i < functions.length; i++) {
      if (next[i] < functions[i].size()) {
        first = Math.min(first, functions[i].times[next[i]]);
      }
    }
    return first;
  }

  /** {@return the number of steps} */
  public int size() {
    return times.length;
  }

  /**
   * {@return the time of a step in milliseconds since the epoch of {@link Instant}}
   *
   * @throws IndexOutOfBoundsException if there is no step of that number, from 0
   */
  public long timeMillis(int step) {
    checkElementIndex(step, times.length, "step");
    return times[step];
  }

  /**
   * {@return the value from a step on}
   *
   * @throws IndexOutOfBoundsException if there is no step of that number, from 0
   */
  public long value(int step) {
    checkElementIndex(step, times.length, "step");
    return values[step];
  }

  /** {@return the value at a time in milliseconds since the epoch} */
  public long at(long timeMillis) {
    int found = Arrays.binarySearch(times, timeMillis);
    int step = found >= 0 ? found : -found - 2;
    return step < 0 ? 0 : values[step];
  }

  /** {@return the largest value, at least 0} */
  public long max() {
    return Math.max(0, Arrays.stream(values).max().orElse(0));
  }

  /**
   * {@return the mean over time; 0 if the interval is empty}
   *
   * @param fromMillis the start of the interval, in milliseconds since the epoch
   * @param toMillis its end
   */
  public double mean(long fromMillis, long toMillis) {
    if (toMillis <= fromMillis) {
      return 0;
    }
    double sum = 0;
    long from = fromMillis;
    long value = at(fromMillis);
    for (int i = 0; i < times.length && times[i] < toMillis; i++) {
      if (times[i] > from) {
        sum += (double) value * (times[i] - from);
        from = times[i];
      }
      value = values[i];
    }
    sum += (double) value * (toMillis - from);
    return sum / (toMillis - fromMillis);
  }

  /** {@return whether {@code other} is a function with the same steps} */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StepFunction function
        && Arrays.equals(times, function.times)
        && Arrays.equals(values, function.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(times) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "StepFunction [steps " + times.length + ", max " + max() + "]";
  }
}
