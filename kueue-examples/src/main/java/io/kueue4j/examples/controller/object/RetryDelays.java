package io.kueue4j.examples.controller.object;

import java.time.Duration;
import java.util.Random;

/**
 * Delays between attempts: each is twice as long as the one before, up to a maximum, and shortened
 * by a random part of at most a half, so that clients do not all return at the same time. Not
 * thread-safe.
 */
public final class RetryDelays {
  private static final int MAX_DOUBLINGS = 20;

  private final Duration first;
  private final Duration max;
  private final Random random;
  private int failures;

  /**
   * Creates a back-off.
   *
   * @param first the first delay
   * @param max the longest delay
   * @param random the source of the random part
   */
  public RetryDelays(Duration first, Duration max, Random random) {
    this.first = first;
    this.max = max;
    this.random = random;
  }

  /** {@return the delay after that many failures, at least 1, without a random part} */
  public static Duration after(int failures, Duration first, Duration max) {
    Duration delay = first.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
    return delay.compareTo(max) < 0 ? delay : max;
  }

  /** {@return the delay before the next attempt} */
  public Duration next() {
    failures++;
    long nanos = after(failures, first, max).toNanos();
    return Duration.ofNanos(nanos - (long) (nanos / 2.0 * random.nextDouble()));
  }
}
