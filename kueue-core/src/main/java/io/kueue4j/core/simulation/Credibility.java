package io.kueue4j.core.simulation;

import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
 *
 * <p>Jobs that were submitted at one time are not independent if they run equally long: a hundred
 * of them say hardly more about a later job than one. So for wider groups, n jobs of such a group
 * count as n / (1 + (n - 1) r), where r is the correlation of two of them (the design effect of
 * cluster samples; Kish, 1965).
 */
final class Credibility {
  /** Durations vary by a thousandth at least. */
  private static final double LEAST = 1e-6;

  private final double[] variances;
  private final double[] weights;

  /** The variances between groups, as far as jobs have shown them. */
  private final double[] shown;

  /** Count, mean and variation of numbers. */
  static final class Moments {
    private double count;
    private double mean;
    private double squares;

    void add(double number) {
      count++;
      double before = number - mean;
      mean += before / count;
      squares += before * (number - mean);
    }

    /** Adds numbers, of which each counts as {@code weight} ones. */
    private void add(Moments others, double weight) {
      double more = others.count * weight;
      if (more > 0) {
        double all = count + more;
        double before = others.mean - mean;
        mean += before * more / all;
        squares += others.squares * weight + before * before * count * more / all;
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

  /** The cells with the number of independent jobs that each job of one counts as. */
  private final List<Cell> cells;

  private final double[] weightOfCell;

  /** By group, the number of independent jobs that say as much as its jobs. */
  private final Map<Integer, Double> independent = new HashMap<>();

  /**
   * Compares the groups of the levels, the narrowest first, by their jobs.
   *
   * @param alike the number of narrowest levels whose groups are of jobs submitted at one time:
   *     wider groups count these as the fewer jobs, the more alike they are
   */
  Credibility(List<Cell> cells, int levels, int alike) {
    this.cells = cells;
    this.variances = new double[levels];
    this.weights = new double[levels];
    this.shown = new double[levels];
    this.weightOfCell = new double[cells.size()];
    Arrays.fill(weightOfCell, 1);
    for (int level = 0; level < alike; level++) {
      compareAbove(level);
      count(level);
      thin(level);
    }
    compareAbove(alike);
    for (int level = alike; level < levels; level++) {
      count(level);
    }
  }

  /** Compares the groups of a level and of wider ones. */
  private void compareAbove(int lowest) {
    Moments all = new Moments();
    for (int i = 0; i < cells.size(); i++) {
      all.add(cells.get(i).logs(), weightOfCell[i]);
    }
    int levels = variances.length;
    variances[levels - 1] = pooled(all.squares, all.count - 1, 1);
    weights[levels - 1] = 1;
    for (int level = levels - 2; level >= lowest; level--) {
      compare(level);
    }
  }

  /** Counts the jobs of the groups of a level, by their weights. */
  private void count(int level) {
    for (int i = 0; i < cells.size(); i++) {
      independent.merge(
          cells.get(i).groups().get(level),
          cells.get(i).logs().count * weightOfCell[i],
          Double::sum);
    }
  }

  /** Lets the jobs of each group of a level count as fewer ones for the wider groups. */
  private void thin(int level) {
    double correlation = shown[level] / (shown[level] + variances[level]);
    for (int i = 0; i < cells.size(); i++) {
      double count = independent.getOrDefault(cells.get(i).groups().get(level), 1.0);
      weightOfCell[i] /= Math.max(1, 1 + (count - 1) * correlation);
    }
  }

  private void compare(int level) {
    Map<Pair, Moments> groups = new LinkedHashMap<>();
    Map<Integer, Moments> wider = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      Pair pair = new Pair(cell.groups().get(level), cell.groups().get(level + 1));
      groups.computeIfAbsent(pair, unused -> new Moments()).add(cell.logs(), weightOfCell[i]);
      wider
          .computeIfAbsent(pair.wider(), unused -> new Moments())
          .add(cell.logs(), weightOfCell[i]);
    }
    double jobs = 0;
    double within = 0;
    double squaredCounts = 0;
    for (Map.Entry<Pair, Moments> group : groups.entrySet()) {
      Moments logs = group.getValue();
      jobs += logs.count;
      within += logs.squares;
      Moments around = wider.getOrDefault(group.getKey().wider(), logs);
      squaredCounts += logs.count * logs.count / Math.max(LEAST, around.count);
    }
    double variance = pooled(within, jobs - groups.size(), variances[level + 1]);
    double between = wider.values().stream().mapToDouble(logs -> logs.squares).sum() - within;
    double freedom = groups.size() - (double) wider.size();
    double count = jobs - squaredCounts;
    double difference = count > LEAST ? Math.max(0, between - freedom * variance) / count : 0;
    double ofGroups = (freedom * difference + variance) / (freedom + 1);
    variances[level] = variance;
    shown[level] = freedom * difference / (freedom + 1);
    weights[level] = ofGroups > 0 ? variance / ofGroups : 1;
  }

  /**
   * {@return the geometric mean of a variance and of {@code wider}, by their degrees of freedom}
   */
  private static double pooled(double squares, double freedom, double wider) {
    if (freedom <= LEAST) {
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

  /** {@return the number of independent jobs that say as much as the jobs of a group} */
  double independent(int group) {
    return independent.getOrDefault(group, 0.0);
  }

  /** {@return the share of a group of a level in the estimate for a job of it} */
  double share(int level, double jobs) {
    return jobs / (jobs + weights[level]);
  }
}
