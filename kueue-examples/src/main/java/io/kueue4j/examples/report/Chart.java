package io.kueue4j.examples.report;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;

/**
 * A chart.
 *
 * @param title what it shows
 * @param isTime whether the horizontal axis is the time in seconds since the epoch; percent if not
 * @param x the positions of the points; of a time axis, the begins of intervals and the end of the
 *     last one
 * @param lines the lines
 */
record Chart(String title, boolean isTime, ImmutableDoubleArray x, ImmutableList<Line> lines) {
  /**
   * A line of a chart.
   *
   * @param label what it shows
   * @param values its values at the positions of the chart; NaN where it has none
   */
  record Line(String label, ImmutableDoubleArray values) {}

  /** {@return the largest value of any line, at least 0} */
  double max() {
    return lines.stream()
        .flatMapToDouble(line -> line.values().stream())
        .filter(value -> !Double.isNaN(value))
        .reduce(0, Math::max);
  }
}
