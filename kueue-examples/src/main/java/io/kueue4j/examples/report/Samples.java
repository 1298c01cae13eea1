package io.kueue4j.examples.report;

import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.core.simulation.StepFunction;

/**
 * Equal intervals of time, over which step functions are averaged so that a chart has few points.
 *
 * @param from the begin, in milliseconds since the epoch
 * @param to the end
 * @param count the number of intervals
 */
record Samples(long from, long to, int count) {
  /** {@return the begin of an interval, from 0; that of {@code count} is the end} */
  long time(int interval) {
    return from + Math.round((double) (to - from) * interval / count);
  }

  /** {@return the mean of a function over each interval, by one pass over its steps} */
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
    return ImmutableDoubleArray.copyOf(means);
  }
}
