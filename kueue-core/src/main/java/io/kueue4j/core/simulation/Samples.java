package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The samples of a Monte Carlo estimation: how many, and the seed that they come from. Immutable.
 * Equal samples give equal results on every JVM.
 *
 * @param count the number of samples, at least 1; 200 give quantiles that vary by a few percent of
 *     probability between seeds
 * @param seed any number
 * @since 0.1.0
 */
public record Samples(int count, long seed) {
  /** Checks the number of samples. */
  public Samples {
    checkArgument(count > 0, "the number of samples is %s; expected at least 1", count);
  }

  /** {@return so many samples of a seed} */
  public static Samples of(int count, long seed) {
    return new Samples(count, seed);
  }
}
