package io.kueue4j.examples.simulation;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Times and durations as users write them, within limits that leave room to calculate with them.
 */
public final class TimeText {
  /** The earliest time. */
  private static final Instant MIN = Instant.parse("0000-01-01T00:00:00Z");

  /** The latest time. */
  private static final Instant MAX = Instant.parse("9999-12-31T23:59:59.999999999Z");

  /** The longest duration, about a thousand years. */
  private static final Duration LONGEST = Duration.ofDays(365_000);

  private TimeText() {}

  /** {@return the time, empty if the text is none, or of no year from 0 to 9999} */
  public static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text)).filter(TimeText::isWithinLimits);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static boolean isWithinLimits(Instant time) {
    return !time.isBefore(MIN) && !time.isAfter(MAX);
  }

  /** {@return the duration, empty if the text is none, or one of more than 365,000 days} */
  public static Optional<Duration> duration(String text) {
    try {
      return Optional.of(Duration.parse(text))
          .filter(duration ->
              duration.compareTo(LONGEST) <= 0 && duration.compareTo(LONGEST.negated()) >= 0);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
