package io.kueue4j.examples.report;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import java.util.stream.IntStream;

/**
 * A chart.
 *
 * @param title what it shows
 * @param axis the horizontal axis
 * @param x the positions of the points; of a time axis, the begins of intervals and the end of the
 *     last one
 * @param lines the lines
 */
record Chart(String title, Axis axis, ImmutableDoubleArray x, ImmutableList<Line> lines) {
  /** A horizontal axis. */
  sealed interface Axis {}

  /** The time in seconds since the epoch. */
  record Time() implements Axis {}

  /** Percent. */
  record Percent() implements Axis {}

  /**
   * Values at equal distances, such as different quotas.
   *
   * @param name what they are values of
   * @param areAmounts whether they are amounts, so that lines connect their points
   * @param labels the values
   */
  record Values(String name, boolean areAmounts, ImmutableList<String> labels) implements Axis {}

  /**
   * A line of a chart.
   *
   * @param label what it shows
   * @param values its values at the positions of the chart; NaN where it has none
   */
  record Line(String label, ImmutableDoubleArray values) {}

  /** {@return a chart over time} */
  static Chart overTime(String title, ImmutableDoubleArray seconds, ImmutableList<Line> lines) {
    return new Chart(title, new Time(), seconds, lines);
  }

  /** {@return a chart with one point for each value} */
  static Chart along(Values values, String title, ImmutableList<Line> lines) {
    ImmutableDoubleArray positions =
        ImmutableDoubleArray.copyOf(IntStream.range(0, values.labels().size()).asDoubleStream());
    return new Chart(title, values, positions, lines);
  }

  /** {@return whether the horizontal axis is the time} */
  boolean isTime() {
    return axis instanceof Time;
  }

  /** {@return the largest value of any line, at least 0} */
  double max() {
    return lines.stream()
        .flatMapToDouble(line -> line.values().stream())
        .filter(value -> !Double.isNaN(value))
        .reduce(0, Math::max);
  }
}
