package io.kueue4j.k8s.internal.yaml;

import com.google.common.primitives.Ints;
import io.kueue4j.core.decision.Settings.Backfill;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;

/**
 * The annotations for promised starts, which Kueue does not know.
 *
 * @see io.kueue4j.core.decision.Settings#backfill()
 * @since 0.1.0
 */
public final class BackfillAnnotations {
  /**
   * Annotation on a job or Workload: how long it is expected to run, as an ISO duration such as
   * {@code PT2H30M} or {@code P1D}.
   */
  public static final String EXPECTED_DURATION = "kueue4j.io/expected-duration";

  /**
   * Annotation on a ClusterQueue: how many of its waiting workloads are promised a start,
   * {@code 0}, {@code 1} and so on, or {@code all}.
   */
  public static final String BACKFILL_DEPTH = "kueue4j.io/backfill-depth";

  private static final String ALL = "all";

  /** The longest duration, about a thousand years. */
  private static final Duration LONGEST = Duration.ofDays(365_000);

  private BackfillAnnotations() {}

  /** {@return the duration, empty if the text is none, not positive or above 365,000 days} */
  public static Optional<Duration> duration(String text) {
    try {
      return Optional.of(Duration.parse(text))
          .filter(duration ->
              duration.compareTo(Duration.ZERO) > 0 && duration.compareTo(LONGEST) <= 0);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** {@return what is wrong with a text that is no such duration} */
  public static String durationProblem(String text) {
    return YamlScalar.quote(text) + "; expected a duration above 0 as P1D or PT1H30M, at most"
        + " P365000D";
  }

  /** {@return the depth, empty if the text is none} */
  public static Optional<Integer> depth(String text) {
    return text.equals(ALL)
        ? Optional.of(Backfill.UNLIMITED)
        : Optional.ofNullable(Ints.tryParse(text)).filter(depth -> depth >= 0);
  }

  /** {@return the text of a depth} */
  public static String depthText(int depth) {
    return depth == Backfill.UNLIMITED ? ALL : String.valueOf(depth);
  }

  /** {@return what is wrong with a text that is no depth} */
  public static String depthProblem(String text) {
    return YamlScalar.quote(text) + "; expected 0, 1, 2 and so on, or all";
  }
}
