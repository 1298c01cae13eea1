package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The durations of similar jobs as a distribution, whose uncertainty differs from sample to sample.
 *
 * <p>A sample weights the jobs at random (the Bayesian bootstrap). The weight of a job that still
 * runs is spread over all longer ones (Efron's redistribution to the right, which gives the
 * estimate of Kaplan and Meier); what no finished job takes is the <em>tail</em>, of which the
 * group knows nothing but where it begins. A job that had already run when the history began counts
 * among those that reach its later ages only: had it been shorter, it would not be known (left
 * truncation).
 *
 * <p>Each duration stands for a logistic distribution of its logarithm (the smoothed bootstrap of
 * Silverman and Young, 1987), and all durations of a sample are multiplied by one factor. Their
 * variances are those by which a new duration, and the mean of all, vary more than in the
 * bootstrap: for n normally distributed logarithms of variance σ², 2σ² / (n + 1) and 2σ² / (n (n +
 * 1)).
 */
final class DurationGroup {
  /** As many durations represent a group at most. */
  private static final int MOST = 500;

  /** So many points represent a group at least, so that the points of one duration are close. */
  private static final int POINTS = 30;

  /** A logistic distribution of this scale has variance 1. */
  private static final double LOGISTIC_SCALE = StrictMath.sqrt(3) / Math.PI;

  /** Index of the number for the factor of a sample; jobs have those from 0 on. */
  private static final long OF_FACTOR = -2;

  private static final Comparator<Observation> ORDER = Comparator.comparingLong(Observation::millis)
      .thenComparing(job -> !job.finished())
      .thenComparingLong(Observation::seenFrom);

  /** The jobs, by duration. */
  private final ImmutableList<Observation> jobs;

  /** The indices of the jobs in the order in which they were first seen. */
  private final int[] byEntry;

  /** The logarithms of durations that represent the durations of finished jobs, ascending. */
  private final double[] points;

  /** The index of the job of each point. */
  private final int[] jobOf;

  /** The number of points of a finished job. */
  private final int pointsPerJob;

  private final int size;
  private final double factorScale;
  private final double oldest;
  private final SampleNumbers numbers;

  /** The probabilities that a duration is at most the duration of each point. */
  private final double[] cumulative;

  private final double[] shares;
  private final double[] weights;
  private double tail;
  private double logFactor;

  /** The sample that these belong to. */
  private int sample = -1;

  /**
   * A job of a group.
   *
   * @param millis how long it ran or, if it still runs, how long it has run so far; at least 1
   * @param finished whether it has finished
   * @param seenFrom how long it had run when the history began; 0 if it started later
   */
  record Observation(long millis, boolean finished, long seenFrom) {
    /** Longer durations count as this one: they do not end in any simulation. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    Observation {
      millis = Math.max(1, Math.min(millis, LONGEST));
      seenFrom = Math.max(0, Math.min(seenFrom, millis));
    }

    private boolean wasSeen() {
      return seenFrom < millis;
    }
  }

  /**
   * Creates a group.
   *
   * @param all its jobs, at least one of which has finished
   * @param independent the number of independent jobs that say as much about a new one
   * @param variance the variance of the logarithms of durations
   * @param numbers the random numbers of the samples
   */
  DurationGroup(List<Observation> all, double independent, double variance, SampleNumbers numbers) {
    this.jobs = thinned(all);
    this.size = all.size();
    this.numbers = numbers;
    this.byEntry = IntStream.range(0, jobs.size())
        .boxed()
        .sorted(Comparator.comparingLong(job -> jobs.get(job).seenFrom()))
        .mapToInt(Integer::intValue)
        .toArray();
    this.pointsPerJob = Math.max(3, (POINTS + size - 1) / size);
    double scale = LOGISTIC_SCALE * StrictMath.sqrt(2 * variance / (independent + 1));
    this.factorScale =
        LOGISTIC_SCALE * StrictMath.sqrt(2 * variance / (independent * (independent + 1)));
    List<Integer> finished = IntStream.range(0, jobs.size())
        .filter(job -> jobs.get(job).finished())
        .boxed()
        .toList();
    double[] found = new double[finished.size() * pointsPerJob];
    for (int i = 0; i < found.length; i++) {
      found[i] =
          StrictMath.log((double) jobs.get(finished.get(i / pointsPerJob)).millis())
              + scale * logit((i % pointsPerJob + 0.5) / pointsPerJob);
    }
    int[] order = IntStream.range(0, found.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> found[i]))
        .mapToInt(Integer::intValue)
        .toArray();
    this.points = new double[found.length];
    this.jobOf = new int[found.length];
    for (int i = 0; i < order.length; i++) {
      points[i] = found[order[i]];
      jobOf[i] = finished.get(order[i] / pointsPerJob);
    }
    this.cumulative = new double[points.length];
    this.shares = new double[jobs.size()];
    this.weights = new double[jobs.size()];
    this.oldest = findOldest();
  }

  private static double logit(double probability) {
    return StrictMath.log(probability / (1 - probability));
  }

  /** {@return the jobs in their order, or as many as count at equal distances in it} */
  private static ImmutableList<Observation> thinned(List<Observation> all) {
    List<Observation> sorted = new ArrayList<>(all);
    sorted.sort(ORDER);
    if (sorted.size() <= MOST) {
      return ImmutableList.copyOf(sorted);
    }
    ImmutableList.Builder<Observation> kept = ImmutableList.builder();
    for (long i = 0; i < MOST; i++) {
      kept.add(sorted.get((int) ((2 * i + 1) * sorted.size() / (2 * MOST))));
    }
    return kept.build();
  }

  /**
   * {@return the logarithm of how long the first job has run that still runs and is older than all
   * that have finished; 0 without one}
   */
  private double findOldest() {
    int first = jobs.size();
    while (first > 0 && !jobs.get(first - 1).finished()) {
      first--;
    }
    return first == jobs.size() ? 0 : StrictMath.log((double) jobs.get(first).millis());
  }

  /**
   * {@return the index of the Pareto distribution of the longest jobs}: the mean of its posterior
   * distribution, from a gamma distribution with shape and rate 1 (Hill's estimator, 1975, with a
   * prior), but at least 1. With 1, what has run for a time runs as long again with probability one
   * half.
   */
  double paretoIndex() {
    int n = jobs.size();
    int longest = Math.min((int) Math.sqrt(n), n - 1);
    double logs = 0;
    int ends = 0;
    for (int i = n - longest; i < n; i++) {
      long from =
          Math.max(jobs.get(n - longest - 1).millis(), Math.max(1, jobs.get(i).seenFrom()));
      logs += StrictMath.log((double) jobs.get(i).millis() / from);
      ends += jobs.get(i).finished() ? 1 : 0;
    }
    return Math.max(1, (ends + 1) / (logs + 1));
  }

  /** {@return the probability that a duration is longer, and not in the tail} */
  double longerThan(int forSample, double logMillis) {
    weigh(forSample);
    return Math.max(0, 1 - tail - below(logMillis - logFactor));
  }

  /** {@return the probability of the tail} */
  double tail(int forSample) {
    weigh(forSample);
    return tail;
  }

  /** {@return the logarithm of the duration that the tail begins at} */
  double tailStart(int forSample) {
    weigh(forSample);
    return Math.max(points[points.length - 1] + logFactor, oldest);
  }

  /**
   * {@return the logarithm of the duration that is exceeded, outside of the tail, with a
   * probability}
   */
  double exceededWith(int forSample, double probability) {
    weigh(forSample);
    return logFactor + quantile(1 - tail - probability);
  }

  private double middle(int point) {
    return (cumulative[point] + (point == 0 ? 0 : cumulative[point - 1])) / 2;
  }

  /** {@return the first point for which a condition holds, which holds for all behind it too} */
  private int first(IntPredicate condition) {
    int next = 0;
    int high = points.length;
    while (next < high) {
      int at = (next + high) >>> 1;
      if (condition.test(at)) {
        high = at;
      } else {
        next = at + 1;
      }
    }
    return next;
  }

  private double below(double logMillis) {
    int next = first(at -> points[at] > logMillis);
    if (next == 0) {
      return 0;
    }
    if (next == points.length) {
      return 1;
    }
    double part = (logMillis - points[next - 1]) / (points[next] - points[next - 1]);
    return middle(next - 1) + part * (middle(next) - middle(next - 1));
  }

  private double quantile(double probability) {
    int next = first(at -> middle(at) >= probability);
    if (next == 0 || next == points.length) {
      return points[next == 0 ? 0 : next - 1];
    }
    double part = (probability - middle(next - 1)) / (middle(next) - middle(next - 1));
    return points[next - 1] + part * (points[next] - points[next - 1]);
  }

  /** Draws the weights and the factor of a sample. */
  private void weigh(int forSample) {
    if (sample == forSample) {
      return;
    }
    sample = forSample;
    SampleNumbers drawn = numbers.part(forSample);
    logFactor = factorScale * logit(drawn.uniform(OF_FACTOR));
    int n = jobs.size();
    for (int i = 0; i < n; i++) {
      // What was not seen to run says nothing.
      weights[i] = jobs.get(i).wasSeen() ? drawn.exponential(i) : 0;
    }
    double atRisk = 0;
    double survival = 1;
    int entered = 0;
    for (int i = 0; i < n; i++) {
      Observation job = jobs.get(i);
      while (entered < n && jobs.get(byEntry[entered]).seenFrom() < job.millis()) {
        atRisk += weights[byEntry[entered++]];
      }
      shares[i] =
          job.finished() && weights[i] > 0 ? survival * Math.min(1, weights[i] / atRisk) : 0;
      survival -= shares[i];
      atRisk -= weights[i];
    }
    tail = Math.max(0, survival);
    double sum = 0;
    for (int i = 0; i < points.length; i++) {
      sum += shares[jobOf[i]] / pointsPerJob;
      cumulative[i] = sum;
    }
  }
}
