package io.kueue4j.examples.report;

import io.kueue4j.core.simulation.Comparison.Divergence;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/** Results of simulations in words. */
public final class Texts {
  private static final String NONE = "–";

  private Texts() {}

  /** {@return the first difference of two simulations} */
  public static String difference(Divergence first) {
    return "at " + first.time() + ", "
        + first.job().map(job -> "job " + job.name()).orElse("the cluster") + " was "
        + first.event() + " only " + (first.inBase() ? "before" : "after") + " the change"
        + (first.reasons().isEmpty()
            ? ""
            : "; otherwise it waited: "
                + first.reasons().stream().map(Object::toString).collect(Collectors.joining("; ")));
  }

  /** {@return a whole number} */
  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** {@return a number with two decimals; a dash for NaN} */
  static String ratio(double value) {
    return Double.isNaN(value) ? NONE : String.format(Locale.ROOT, "%,.2f", value);
  }

  /** {@return a part of a whole; a dash for NaN} */
  static String percent(double part) {
    return Double.isNaN(part) ? NONE : String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  /** {@return a duration with its sign} */
  static String signed(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    return (duration.isNegative() ? "−" : "+") + DurationText.text(duration.abs());
  }

  /** {@return both texts, or one if they are equal} */
  public static String change(String before, String after) {
    return before.equals(after) ? before : before + " → " + after;
  }
}
