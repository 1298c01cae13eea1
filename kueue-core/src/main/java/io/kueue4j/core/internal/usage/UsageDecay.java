package io.kueue4j.core.internal.usage;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * The decay of usage: past usage counts half after each half-life, and is replaced by the usage
 * since then.
 *
 * <p>The rate is the same on every JVM. Upstream's rate may differ in the last bit, as it does
 * between platforms of upstream.
 *
 * <p>Rules: W-2, W-6.
 *
 * @param halfLife the half-life; 0 if past usage does not count
 */
record UsageDecay(Duration halfLife) {
  private static final double NANOS = 1e9;

  /**
   * {@return the part of the history replaced within {@code time}, 0 to 1; 0 without a half-life}
   */
  double rate(Duration time) {
    return halfLife.isZero() ? 0 : 1 - StrictMath.pow(0.5, seconds(time) / seconds(halfLife));
  }

  /** {@return the history {@code old} after {@code time} with usage {@code current}} */
  FractionalAmounts apply(FractionalAmounts old, FractionalAmounts current, Duration time) {
    return over(time).apply(old, current);
  }

  /** {@return the decay within {@code time}} */
  DecayStep over(Duration time) {
    double rate = rate(time);
    return new DecayStep(
        this, time, FractionalAmounts.shortest(1 - rate), FractionalAmounts.shortest(rate));
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / NANOS;
  }

  /**
   * The decay within a fixed time. Computing the two factors takes longer than applying them, so
   * equal steps share them.
   *
   * @param decay the decay
   * @param time the time
   * @param kept the factor of the history
   * @param replaced the factor of the usage since then
   */
  record DecayStep(UsageDecay decay, Duration time, BigDecimal kept, BigDecimal replaced) {
    /** {@return the history {@code old} after the time with usage {@code current}} */
    FractionalAmounts apply(FractionalAmounts old, FractionalAmounts current) {
      return old.times(kept).plus(current.times(replaced));
    }
  }
}
