package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.simulation.EventHeap;
import io.kueue4j.core.internal.simulation.Steps;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
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
  private final long[] times;
  private final long[] values;

  /** Creates a function of parallel arrays, the times in strictly ascending order. */
  StepFunction(long[] times, long[] values) {
    this.times = times;
    this.values = values;
  }

  /** {@return what was recorded} */
  static StepFunction of(Steps steps) {
    return new StepFunction(steps.times(), steps.values());
  }

  /**
   * {@return the sum of functions, such as the used quota of a flavor in all ClusterQueues}
   *
   * @param functions the functions
   */
  public static StepFunction sum(Iterable<StepFunction> functions) {
    List<StepFunction> addends = ImmutableList.copyOf(functions);
    int count = addends.stream().mapToInt(StepFunction::size).sum();
    EventHeap changes = new EventHeap();
    for (int i = 0; i < addends.size(); i++) {
      if (addends.get(i).size() > 0) {
        changes.add(addends.get(i).times[0], 0, i, 0);
      }
    }
    Steps sum = new Steps();
    for (int i = 0; i < count; i++) {
      StepFunction addend = addends.get(changes.subject());
      int step = changes.detail();
      int subject = changes.subject();
      changes.removeFirst();
      sum.add(addend.times[step], addend.values[step] - (step == 0 ? 0 : addend.values[step - 1]));
      if (step + 1 < addend.size()) {
        changes.add(addend.times[step + 1], 0, subject, step + 1);
      }
    }
    return of(sum);
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
      value = times[i] <= from ? values[i] : value;
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
