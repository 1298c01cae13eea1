package io.kueue4j.k8s.kueue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in the notation of Go, such as {@code 1h30m} or {@code 300ms}. */
final class GoDuration {
  private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ns|us|µs|ms|s|m|h)");
  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

  private GoDuration() {}

  /** {@return the duration, empty if {@code text} is not in that notation or out of range} */
  static Optional<Duration> parse(String text) {
    if (text.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    Matcher part = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (end < text.length()) {
      if (!part.find() || part.start() != end) {
        return Optional.empty();
      }
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit(part.group(2))));
      end = part.end();
    }
    return end == 0 || nanos.compareTo(MAX_NANOS) > 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(nanos.setScale(0, RoundingMode.DOWN).longValueExact()));
  }

  private static BigDecimal unit(String name) {
    long nanos = switch (name) {
      case "ns" -> 1L;
      case "us", "µs" -> 1_000L;
      case "ms" -> 1_000_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      default -> 3_600_000_000_000L;
    };
    return BigDecimal.valueOf(nanos);
  }
}
