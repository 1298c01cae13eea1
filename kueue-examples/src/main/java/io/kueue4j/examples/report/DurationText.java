package io.kueue4j.examples.report;

import java.time.Duration;
import java.util.Locale;

/** Writes durations for readers. */
public final class DurationText {
  private DurationText() {}

  /** {@return the duration in its two largest units} */
  public static String text(Duration duration) {
    if (duration.toDays() > 0) {
      return duration.toDays() + "d" + rest(duration.toHoursPart(), "h");
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + "h" + rest(duration.toMinutesPart(), "m");
    }
    if (duration.toMinutes() > 0) {
      return duration.toMinutes() + "m" + rest(duration.toSecondsPart(), "s");
    }
    double seconds = duration.toMillis() / 1000.0;
    return seconds == Math.rint(seconds)
        ? (long) seconds + "s"
        : String.format(Locale.ROOT, "%.1fs", seconds);
  }

  private static String rest(int amount, String unit) {
    return amount == 0 ? "" : amount + unit;
  }
}
