package io.kueue4j.examples.report;

import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.core.simulation.StepFunction;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Equal intervals of time, over which amounts are averaged so that a chart has few points.
 *
 * @param from the begin, in milliseconds since the epoch
 * @param to the end
 * @param count the number of intervals
 */
record Intervals(long from, long to, int count) {
  /** {@return intervals from the first start of some simulations to their last end} */
  static Intervals of(int count, SimulationResult... results) {
    long from = Arrays.stream(results)
        .mapToLong(result -> result.startTime().toEpochMilli())
        .min()
        .orElse(0);
    long to = Arrays.stream(results)
        .mapToLong(result -> result.endTime().toEpochMilli())
        .max()
        .orElse(0);
    return new Intervals(from, Math.max(from + 1, to), count);
  }

  /** {@return the start of an interval, from 0; the start of {@code count} is the end} */
  long time(int interval) {
    return from + Math.round((double) (to - from) * interval / count);
  }

  /** {@return the times of all intervals and the end, in seconds since the epoch} */
  ImmutableDoubleArray seconds() {
    return ImmutableDoubleArray.copyOf(
        IntStream.rangeClosed(0, count).mapToDouble(i -> time(i) / 1000.0));
  }

  /**
   * {@return the mean of a function over each interval, and once more the last one for the end; by
   * one pass over its steps}
   */
  ImmutableDoubleArray means(StepFunction function) {
    double[] means = new double[count];
    int step = 0;
    double value = 0;
    for (int i = 0; i < count; i++) {
      long at = time(i);
      long end = time(i + 1);
      double sum = 0;
      while (step < function.size() && function.timeMillis(step) < end) {
        long change = Math.max(at, function.timeMillis(step));
        sum += value * (change - at);
        at = change;
        value = function.value(step);
        step++;
      }
      sum += value * (end - at);
      means[i] = end > time(i) ? sum / (end - time(i)) : value;
    }
    return points(means);
  }

  /** {@return values of intervals as points of a chart, which ends with the last one} */
  static ImmutableDoubleArray points(double[] values) {
    return ImmutableDoubleArray.builder(values.length + 1)
        .addAll(values)
        .add(values[values.length - 1])
        .build();
  }

  /** Adds an amount that is held from one time to another to the means of the intervals. */
  void addTo(double[] means, long start, long end, double amount) {
    int first =
        (int) Math.min(count - 1, Math.max(0, (double) (start - from) * count / (to - from) - 1));
    for (int i = first; i < count && time(i) < end; i++) {
      long overlap = Math.min(end, time(i + 1)) - Math.max(start, time(i));
      if (overlap > 0) {
        means[i] += amount * overlap / (time(i + 1) - time(i));
      }
    }
  }
}
