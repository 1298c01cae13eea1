package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import java.util.Arrays;

/**
 * The durations of jobs of one group that were submitted at about the same time. They often run
 * equally long, all for a short or all for a long time, so that they are not drawn independently:
 * in each sample, they have random effects in common. Whether a job takes a short or a long
 * duration of the distribution is decided by the sum of these and of a number of its own, all of
 * them normally distributed, with variance 1 together (a Gaussian copula). The distribution of one
 * job alone stays as it is, and the correlation of two jobs is the variance of the effects that
 * they share.
 *
 * <p>Jobs of the group that run say something about the others: that none of many has ended makes
 * it likely that all run for long. So the sum of the effects has its distribution on condition that
 * none of them has ended yet.
 */
final class PeriodDurations implements Durations.Source {
  /** The index of the random number of an effect in a sample; groups use those from -2 on. */
  private static final long OF_EFFECT = -2;

  /** As many running jobs represent all at most. */
  private static final int MOST_AGES = 8;

  /** The number of points that represent the distribution of the sum of the effects. */
  private static final int POINTS = 61;

  /** The points are less than so many standard deviations from the mean. */
  private static final double WIDTH = 5;

  /** Numbers that are farther from the mean count as this one. */
  private static final double GREATEST = 8;

  private final DurationMixture durations;
  private final ImmutableList<Effect> effects;

  /** The standard deviation of the sum of the effects. */
  private final double together;

  /** The standard deviation of the number of each job. */
  private final double own;

  /** How long the jobs that run have run, a few of them at equal distances in their order. */
  private final ImmutableLongArray ages;

  /** The number of jobs that each of these stands for. */
  private final double jobsOfAge;

  private final double[] cumulative = new double[POINTS];
  private int sample = -1;

  /** The sum of the effects in the sample. */
  private double shared;

  /**
   * What jobs have in common.
   *
   * @param variance its variance
   * @param numbers its random numbers, by sample
   */
  record Effect(double variance, SampleNumbers numbers) {
    private double in(int sample) {
      return Math.sqrt(variance) * numbers.part(sample).normal(OF_EFFECT);
    }
  }

  /**
   * Creates durations.
   *
   * @param durations the distribution
   * @param effects the effects, whose variances are not more than 1 together
   * @param ages how long the jobs of the group that run have run, ascending
   */
  PeriodDurations(DurationMixture durations, ImmutableList<Effect> effects, long[] ages) {
    this.durations = durations;
    this.effects = effects;
    double variance = effects.stream().mapToDouble(Effect::variance).sum();
    this.together = Math.sqrt(variance);
    this.own = Math.sqrt(Math.max(0, 1 - variance));
    this.ages = thinned(ages);
    this.jobsOfAge = this.ages.isEmpty() ? 0 : (double) ages.length / this.ages.length();
  }

  private static ImmutableLongArray thinned(long[] ages) {
    int count = Math.min(ages.length, MOST_AGES);
    ImmutableLongArray.Builder kept = ImmutableLongArray.builder(count);
    for (int i = 0; i < count; i++) {
      kept.add(ages[(2 * i + 1) * ages.length / (2 * count)]);
    }
    return kept.build();
  }

  @Override
  public long draw(int next, double normal, long ranMillis) {
    if (sample != next) {
      sample = next;
      shared = drawShared();
    }
    if (ranMillis <= 0 || ages.isEmpty() || together <= 0) {
      return durations.draw(next, below(shared + own * normal), ranMillis);
    }
    // Among the numbers of longer durations, in probabilities of greater ones: most are small.
    double longer = durations.longerThan(next, ranMillis);
    double greater = longerWith(shared, longer) * below(-normal);
    double number = shared - own * quantile(greater);
    double amongLonger = longer > 0 ? 1 - below(-number) / longer : 0;
    return durations.draw(next, Math.max(0, Math.min(1, amongLonger)), ranMillis);
  }

  /** {@return the sum of the effects, of which the running jobs have excluded low values} */
  private double drawShared() {
    double sum = effects.stream().mapToDouble(effect -> effect.in(sample)).sum();
    if (ages.isEmpty() || together <= 0) {
      return sum;
    }
    double step = 2 * WIDTH / (POINTS - 1);
    double[] longer =
        ages.stream().mapToDouble(age -> durations.longerThan(sample, age)).toArray();
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < POINTS; i++) {
      double point = i * step - WIDTH;
      double logs = -point * point / 2;
      for (double each : longer) {
        double survival = Math.max(Double.MIN_NORMAL, longerWith(point * together, each));
        logs += jobsOfAge * StrictMath.log(survival);
      }
      cumulative[i] = logs;
      most = Math.max(most, logs);
    }
    double all = 0;
    for (int i = 0; i < POINTS; i++) {
      all += StrictMath.exp(cumulative[i] - most);
      cumulative[i] = all;
    }
    double wanted = all * below(sum / together);
    int at = Arrays.binarySearch(cumulative, wanted);
    int point = Math.min(POINTS - 1, at < 0 ? -1 - at : at);
    double before = point == 0 ? 0 : cumulative[point - 1];
    double part =
        cumulative[point] > before ? (wanted - before) / (cumulative[point] - before) : 0.5;
    return together * ((point - 0.5 + part) * step - WIDTH);
  }

  /**
   * {@return the probability that a job of the group is longer}
   *
   * @param effect the sum of the effects
   * @param longer the probability of it, whatever the effects are
   */
  private double longerWith(double effect, double longer) {
    double above = effect + quantile(longer);
    return own > 0 ? below(above / own) : above > 0 ? 1 : 0;
  }

  // ----- the standard normal distribution, equal on every JVM

  /**
   * {@return the probability that a normally distributed number is less} The error is less than
   * 1e-7 (Zelen and Severo in Abramowitz and Stegun, 1964, formula 26.2.17).
   */
  private static double below(double number) {
    double t = 1 / (1 + 0.2316419 * Math.abs(number));
    double density = StrictMath.exp(-number * number / 2) / Math.sqrt(2 * Math.PI);
    double beyond = density
        * t
        * (0.319381530
            + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return number > 0 ? 1 - beyond : beyond;
  }

  /**
   * {@return the number that is not exceeded with a probability, between -8 and 8} The error is
   * less than 0.0005 (Hastings in Abramowitz and Stegun, 1964, formula 26.2.23).
   */
  private static double quantile(double probability) {
    double tail = Math.min(probability, 1 - probability);
    if (tail <= 0) {
      return probability < 0.5 ? -GREATEST : GREATEST;
    }
    double t = Math.sqrt(-2 * StrictMath.log(tail));
    double distance = t
        - (2.515517 + t * (0.802853 + t * 0.010328))
            / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    double bounded = Math.min(Math.max(0, distance), GREATEST);
    return probability < 0.5 ? -bounded : bounded;
  }
}
