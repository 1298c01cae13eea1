package io.kueue4j.core.fairness;

import java.time.Duration;

/**
 * How usage is forgotten: what was used counts half after each half-life, and what is in use comes
 * in its place.
 *
 * <p>The rate is the same on every JVM. Upstream's may differ from it in the last bit, as it does
 * between upstream's own platforms.
 *
 * <p>Rules: W-2, W-6.
 *
 * @param halfLife the half-life; 0 if usage is not remembered
 */
record UsageDecay(Duration halfLife) {
  private static final double NANOS = 1e9;

  /** {@return the part that is replaced in {@code time}, 0 … 1; 0 without a half-life} */
  double rate(Duration time) {
    return halfLife.isZero() ? 0 : 1 - StrictMath.pow(0.5, seconds(time) / seconds(halfLife));
  }

  /** {@return {@code old} after {@code time} during which {@code current} was in use} */
  FractionalAmounts apply(FractionalAmounts old, FractionalAmounts current, Duration time) {
    double rate = rate(time);
    return old.times(1 - rate).plus(current.times(rate));
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / NANOS;
  }
}
