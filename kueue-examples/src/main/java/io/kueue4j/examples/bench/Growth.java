package io.kueue4j.examples.bench;

import com.google.common.collect.ImmutableList;
import com.google.common.math.PairedStatsAccumulator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;

/**
 * How the cost of a round of cycles or changes grows with the dimension that a {@link GrowthSeries}
 * increases.
 *
 * <p>Processor time of the thread, the minimum of several batches of rounds, each long enough to be
 * measured.
 */
public final class Growth {
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
  private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int BATCHES = 5;

  /**
   * A measurement.
   *
   * @param size the size
   * @param round the cost of a round
   */
  record Point(int size, Cost round) {}

  private Growth() {}

  /**
   * Measures all series and passes lines of a table to {@code lines} as they are complete.
   *
   * @param largest the largest size to measure
   */
  public static void print(int largest, Consumer<String> lines) {
    for (GrowthSeries series : GrowthSeries.values()) {
      lines.accept(series.name() + ": " + series.title());
      ImmutableList.Builder<Point> points = ImmutableList.builder();
      for (int size : series.sizes()) {
        if (size <= largest) {
          Point point = new Point(size, measure(series, size));
          points.add(point);
          lines.accept(String.format(
              Locale.ROOT,
              "  %,9d: %,12.1f us per round, %,10d bytes allocated",
              size,
              point.round.cpuNanos() / 1e3,
              point.round.allocatedBytes()));
        }
      }
      List<Point> measured = points.build();
      if (measured.size() > 1) {
        lines.accept(String.format(
            Locale.ROOT,
            "  time grows with the power %.2f (n log n: %.2f)",
            power(measured),
            power(measured, n -> n * Math.log(n))));
      }
    }
  }

  /** {@return how many lines {@link #print} prints, which take about the same time each} */
  public static long lineCount(int largest) {
    long count = 0;
    for (GrowthSeries series : GrowthSeries.values()) {
      long points = series.sizes().stream().filter(size -> size <= largest).count();
      count += 1 + points + (points > 1 ? 1 : 0);
    }
    return count;
  }

  private static Cost measure(GrowthSeries series, int size) {
    GrowingCluster cluster = series.prepare(size);
    long begin = cluster.measured().cpuNanos();
    int rounds = 0;
    do {
      series.round(cluster, size);
      rounds++;
    } while (cluster.measured().cpuNanos() - begin < WARM_UP_NANOS && rounds < 20_000);
    long spent = cluster.measured().cpuNanos() - begin;
    int batch = (int) Math.max(1, Math.min(rounds, BATCH_NANOS * rounds / spent));
    Cost least = batch(series, cluster, size, batch);
    for (int i = 1; i < BATCHES; i++) {
      least = least.min(batch(series, cluster, size, batch));
    }
    return least;
  }

  private static Cost batch(GrowthSeries series, GrowingCluster cluster, int size, int rounds) {
    Cost before = cluster.measured();
    for (int i = 0; i < rounds; i++) {
      series.round(cluster, size);
    }
    return cluster.measured().minus(before).dividedBy(rounds);
  }

  /**
   * {@return the exponent of the size with which the processor time grows, fitted to all points}
   */
  static double power(List<Point> points) {
    PairedStatsAccumulator logarithms = new PairedStatsAccumulator();
    points.forEach(point -> logarithms.add(
        Math.log(point.size), Math.log((double) Math.max(1, point.round.cpuNanos()))));
    return logarithms.leastSquaresFit().transform(1)
        - logarithms.leastSquaresFit().transform(0);
  }

  private static double power(List<Point> points, DoubleUnaryOperator law) {
    return power(points.stream()
        .map(point ->
            new Point(point.size, new Cost(0, (long) (1e3 * law.applyAsDouble(point.size)), 0)))
        .toList());
  }
}
