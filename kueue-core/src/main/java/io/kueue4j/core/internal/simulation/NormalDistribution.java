package io.kueue4j.core.internal.simulation;

/** The standard normal distribution. Equal on every JVM. */
public final class NormalDistribution {
  /** Numbers that are farther from the mean count as this one. */
  private static final double GREATEST = 8;

  private NormalDistribution() {}

  /**
   * {@return the probability that a number is less} The error is less than 1e-7 (Zelen and Severo
   * in Abramowitz and Stegun, 1964, formula 26.2.17).
   */
  public static double below(double number) {
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
  public static double quantile(double probability) {
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
