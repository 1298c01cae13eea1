package io.kueue4j.core.internal.lifecycle;

import io.kueue4j.core.internal.support.TimeMath;
import java.time.Duration;
import java.time.Instant;

/**
 * When the placement of a workload that holds quota already is tried again.
 *
 * <p>Rules: U-25.
 *
 * @param attempts the number of failed attempts
 * @param retryTime the time of the next attempt
 */
public record SecondPass(int attempts, Instant retryTime) {
  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

  /** {@return the first attempt, due at once} */
  public static SecondPass first(Instant now) {
    return new SecondPass(0, now);
  }

  /** {@return the attempt after this one has failed: 1, 2, 4 … 30 seconds later} */
  public SecondPass next(Instant now) {
    Duration delay = TimeMath.saturatedMultiply(FIRST_DELAY, 1L << Math.min(attempts, 5));
    return new SecondPass(
        attempts + 1,
        TimeMath.saturatedAdd(now, delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay));
  }

  /** {@return whether the attempt is due at {@code now}} */
  public boolean isDue(Instant now) {
    return !retryTime.isAfter(now);
  }
}
