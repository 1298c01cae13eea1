package io.kueue4j.core.internal.support;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/**
 * Arithmetic on times that never overflows: a result that cannot be represented saturates.
 *
 * <p>The engine does all its arithmetic on {@link Instant}s and {@link Duration}s here, so that no
 * duration that a user may set and no clock reading can make a call fail half-way.
 */
public final class TimeMath {
  /** The longest representable duration, equal to the duration of {@code ChronoUnit.FOREVER}. */
  static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  private static final Duration SHORTEST = Duration.ofSeconds(Long.MIN_VALUE);
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

  private TimeMath() {}

  /**
   * {@return {@code time} plus {@code duration}; {@link Instant#MAX} or {@link Instant#MIN} if the
   * sum lies beyond}
   */
  public static Instant saturatedAdd(Instant time, Duration duration) {
    try {
      return time.plus(duration);
    } catch (DateTimeException | ArithmeticException overflow) {
      return duration.isNegative() ? Instant.MIN : Instant.MAX;
    }
  }

  /** {@return the sum; the longest or shortest duration if the sum lies beyond} */
  public static Duration saturatedAdd(Duration a, Duration b) {
    try {
      return a.plus(b);
    } catch (ArithmeticException overflow) {
      return a.isNegative() ? SHORTEST : LONGEST;
    }
  }

  /** {@return the difference; the longest or shortest duration if the difference lies beyond} */
  public static Duration saturatedSubtract(Duration a, Duration b) {
    try {
      return a.minus(b);
    } catch (ArithmeticException overflow) {
      return a.isNegative() ? SHORTEST : LONGEST;
    }
  }

  /** {@return the product; the longest or shortest duration if the product lies beyond} */
  public static Duration saturatedMultiply(Duration duration, long factor) {
    try {
      return duration.multipliedBy(factor);
    } catch (ArithmeticException overflow) {
      return duration.isNegative() == factor < 0 ? LONGEST : SHORTEST;
    }
  }

  /** {@return the whole milliseconds of a duration, saturated at the ends of the 64-bit range} */
  public static long saturatedMillis(Duration duration) {
    try {
      return duration.toMillis();
    } catch (ArithmeticException overflow) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** {@return the whole milliseconds since the epoch, saturated at the ends of the 64-bit range} */
  public static long saturatedMillis(Instant time) {
    return saturatedMillis(Duration.between(Instant.EPOCH, time));
  }

  /**
   * {@return the remainder of {@code duration} divided by {@code step}}
   *
   * @param duration not negative
   * @param step more than 0
   */
  public static Duration remainder(Duration duration, Duration step) {
    BigInteger[] parts = nanos(duration).mod(nanos(step)).divideAndRemainder(NANOS_PER_SECOND);
    return Duration.ofSeconds(parts[0].longValue(), parts[1].longValue());
  }

  /**
   * {@return the number of whole {@code step}s in {@code duration}, at most {@code most}}
   *
   * @param duration not negative
   * @param step more than 0
   */
  public static long boundedQuotient(Duration duration, Duration step, long most) {
    return nanos(duration).divide(nanos(step)).min(BigInteger.valueOf(most)).longValue();
  }

  private static BigInteger nanos(Duration duration) {
    return BigInteger.valueOf(duration.getSeconds())
        .multiply(NANOS_PER_SECOND)
        .add(BigInteger.valueOf(duration.getNano()));
  }
}
