package io.kueue4j.core.resource;

/**
 * Arithmetic on resource amounts: signed 64-bit integers that saturate instead of wrapping.
 *
 * <p>An amount counts milli-units of {@code cpu} and whole units of every other resource.
 * {@link #UNLIMITED} is greater than every other amount and absorbs additions; a bounded sum that
 * saturates becomes {@code UNLIMITED}.
 *
 * <p>Rules: N-1, N-3, N-4.
 *
 * @since 0.1.0
 */
public final class Amount {
  /** The unlimited amount, {@code 2^63 - 1}. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private Amount() {}

  /** {@return whether {@code amount} is {@link #UNLIMITED}} */
  public static boolean isUnlimited(long amount) {
    return amount == UNLIMITED;
  }

  /**
   * {@return {@code a + b}; unlimited if either is, else saturated at the ends of the 64-bit range}
   */
  public static long add(long a, long b) {
    if (a == UNLIMITED || b == UNLIMITED) {
      return UNLIMITED;
    }
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0) {
      return a < 0 ? Long.MIN_VALUE : UNLIMITED;
    }
    return sum;
  }

  /**
   * {@return {@code a - b}; 0 if both are unlimited, unlimited if only {@code a} is, the minimum if
   * only {@code b} is, else saturated}
   */
  public static long subtract(long a, long b) {
    if (a == UNLIMITED) {
      return b == UNLIMITED ? 0 : UNLIMITED;
    }
    if (b == UNLIMITED) {
      return Long.MIN_VALUE;
    }
    long difference = a - b;
    if (((a ^ b) & (a ^ difference)) < 0) {
      return a < 0 ? Long.MIN_VALUE : UNLIMITED;
    }
    return difference;
  }

  /** {@return {@code amount * count}, saturated at the ends of the 64-bit range} */
  public static long multiply(long amount, long count) {
    long high = Math.multiplyHigh(amount, count);
    long low = amount * count;
    if ((high == 0 && low >= 0) || (high == -1 && low < 0)) {
      return low;
    }
    return high < 0 ? Long.MIN_VALUE : UNLIMITED;
  }
}
