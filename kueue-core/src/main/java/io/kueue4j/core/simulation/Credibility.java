package io.kueue4j.core.simulation;

import com.google.common.primitives.ImmutableIntArray;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much a group of n jobs says about a job of its own, compared with the wider group around it:
 * n / (n + k), where k is the variance within groups divided by that between them (the credibility
 * of Bühlmann, 1967, applied to the logarithms of durations). Where groups differ much, few jobs
 * count as much as many of others; where they do not differ, the wider group counts.
 *
 * <p>A variance that only few jobs show is uncertain, so that each estimate includes one more
 * degree of freedom: the variance of the wider groups for the variance within groups, and the
 * variance within groups for the one between them. All jobs together start from variance 1, a
 * factor of e.
 */
final class Credibility {
  /** Durations vary by a thousandth at least. */
  private static final double LEAST = 1e-6;

  private final double[] variances;
  private final double[] weights;

  /** Count, mean and variation of numbers. */
  static final class Moments {
    private long count;
    private double mean;
    private double squares;

    void add(double number) {
      count++;
      double before = number - mean;
      mean += before / count;
      squares += before * (number - mean);
    }

    void add(Moments others) {
      if (others.count > 0) {
        long all = count + others.count;
        double before = others.mean - mean;
        mean += before * others.count / all;
        squares += others.squares + before * before * count * others.count / all;
        count = all;
      }
    }
  }

  /**
   * The jobs that no group tells apart.
   *
   * @param groups the numbers of their groups, the narrowest first
   * @param logs the logarithms of their durations
   */
  record Cell(ImmutableIntArray groups, Moments logs) {}

  /** The groups of a level and the wider group around each of them. */
  private record Pair(int group, int wider) {}

  /** Compares the groups of the levels, the narrowest first, by their jobs. */
  Credibility(List<Cell> cells, int levels) {
    this.variances = new double[levels];
    this.weights = new double[levels];
    Moments all = new Moments();
    cells.forEach(cell -> all.add(cell.logs()));
    variances[levels - 1] = pooled(all.squares, all.count - 1, 1);
    weights[levels - 1] = 1;
    for (int level = levels - 2; level >= 0; level--) {
      compare(cells, level);
    }
  }

  private void compare(List<Cell> cells, int level) {
    Map<Pair, Moments> groups = new HashMap<>();
    Map<Integer, Moments> wider = new HashMap<>();
    for (Cell cell : cells) {
      if (cell.logs().count == 0) {
        continue;
      }
      Pair pair = new Pair(cell.groups().get(level), cell.groups().get(level + 1));
      groups.computeIfAbsent(pair, unused -> new Moments()).add(cell.logs());
      wider.computeIfAbsent(pair.wider(), unused -> new Moments()).add(cell.logs());
    }
    long jobs = 0;
    double within = 0;
    double squaredCounts = 0;
    for (Map.Entry<Pair, Moments> group : groups.entrySet()) {
      Moments logs = group.getValue();
      jobs += logs.count;
      within += logs.squares;
      Moments around = wider.getOrDefault(group.getKey().wider(), logs);
      squaredCounts += (double) logs.count * logs.count / Math.max(1, around.count);
    }
    double variance = pooled(within, jobs - groups.size(), variances[level + 1]);
    double between = wider.values().stream().mapToDouble(logs -> logs.squares).sum() - within;
    double freedom = groups.size() - (double) wider.size();
    double count = jobs - squaredCounts;
    double difference = count > 0 ? Math.max(0, between - freedom * variance) / count : 0;
    double ofGroups = (freedom * difference + variance) / (freedom + 1);
    variances[level] = variance;
    weights[level] = ofGroups > 0 ? variance / ofGroups : 1;
  }

  /**
   * {@return the geometric mean of a variance and of {@code wider}, by their degrees of freedom}
   */
  private static double pooled(double squares, long freedom, double wider) {
    if (freedom <= 0) {
      return wider;
    }
    double logs = freedom * StrictMath.log(Math.max(squares / freedom, LEAST));
    return StrictMath.exp((logs + StrictMath.log(wider)) / (freedom + 1));
  }

  /** {@return the variance within the groups of a level} */
  double variance(int level) {
    return variances[level];
  }

  /** {@return the variance between the groups of a level that have the wider one in common} */
  double between(int level) {
    return variances[level] / weights[level];
  }

  /** {@return the share of a group of a level in the estimate for a job of it} */
  double share(int level, int jobs) {
    return jobs / (jobs + weights[level]);
  }
}
