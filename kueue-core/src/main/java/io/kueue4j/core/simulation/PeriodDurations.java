package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.simulation.SampleNumbers;

/**
 * The durations of jobs of one group that were submitted at about the same time. They often run
 * equally long, all for a short or all for a long time, so that they are not drawn independently:
 * in each sample, they have random effects in common. Whether a job takes a short or a long
 * duration of the distribution is decided by the sum of these and of a number of its own, all of
 * them normally distributed, with variance 1 together (a Gaussian copula). The distribution of one
 * job alone stays as it is, and the correlation of two jobs is the variance of the effects that
 * they share.
 */
final class PeriodDurations implements Durations.Source {
  /** The index of the random number of an effect in a sample; groups use those from -2 on. */
  private static final long OF_EFFECT = -2;

  private final DurationMixture durations;
  private final ImmutableList<Effect> effects;

  /** The standard deviation of the number of each job. */
  private final double own;

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
   */
  PeriodDurations(DurationMixture durations, ImmutableList<Effect> effects) {
    this.durations = durations;
    this.effects = effects;
    double variance = effects.stream().mapToDouble(Effect::variance).sum();
    this.own = Math.sqrt(Math.max(0, 1 - variance));
  }

  @Override
  public long draw(int next, double normal, long ranMillis) {
    if (sample != next) {
      sample = next;
      shared = effects.stream().mapToDouble(effect -> effect.in(next)).sum();
    }
    return durations.draw(next, probabilityBelow(shared + own * normal), ranMillis);
  }

  /**
   * {@return the probability that a number with the standard normal distribution is less} The error
   * is less than 1e-7 (Zelen and Severo in Abramowitz and Stegun, 1964, formula 26.2.17).
   */
  private static double probabilityBelow(double number) {
    double t = 1 / (1 + 0.2316419 * Math.abs(number));
    double density = StrictMath.exp(-number * number / 2) / Math.sqrt(2 * Math.PI);
    double beyond = density
        * t
        * (0.319381530
            + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return number > 0 ? 1 - beyond : beyond;
  }
}
