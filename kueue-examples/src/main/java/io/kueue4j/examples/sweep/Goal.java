package io.kueue4j.examples.sweep;

import com.google.common.base.Ascii;
import com.google.common.base.Joiner;
import com.google.common.primitives.Doubles;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.TimeText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the result of a point is to reach: a figure that is at most so large.
 *
 * @param figure the figure
 * @param atMost the limit; waits in seconds
 * @param text the limit as the user gave it
 */
public record Goal(Figure figure, double atMost, String text) {
  /** A figure of a result. */
  public enum Figure {
    /** The mean wait. */
    MEAN,
    /** The median wait. */
    P50,
    /** The 90th percentile of waits. */
    P90,
    /** The 95th percentile of waits. */
    P95,
    /** The 99th percentile of waits. */
    P99,
    /** The longest wait. */
    MAX,
    /** The mean bounded slowdown. */
    SLOWDOWN,
    /** The number of preemptions. */
    PREEMPTIONS;

    /** {@return the value of the figure; waits in seconds} */
    double of(JobSummary jobs) {
      return switch (this) {
        case MEAN -> seconds(jobs.meanWait());
        case P50 -> seconds(jobs.p50Wait());
        case P90 -> seconds(jobs.p90Wait());
        case P95 -> seconds(jobs.p95Wait());
        case P99 -> seconds(jobs.p99Wait());
        case MAX -> seconds(jobs.maxWait());
        case SLOWDOWN -> jobs.meanBoundedSlowdown();
        case PREEMPTIONS -> jobs.preemptions();
      };
    }

    private boolean isWait() {
      return this != SLOWDOWN && this != PREEMPTIONS;
    }

    private static double seconds(Duration wait) {
      return wait.toMillis() / 1000.0;
    }

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /**
   * {@return the goal in a text such as {@code p95=PT1H} or {@code slowdown=2}}
   *
   * @throws InputException if the text is no goal
   */
  public static Goal parse(String text) {
    int equals = text.indexOf('=');
    String name = equals < 0 ? text : text.substring(0, equals);
    String limit = equals < 0 ? "" : text.substring(equals + 1);
    Figure figure = Arrays.stream(Figure.values())
        .filter(each -> Ascii.equalsIgnoreCase(each.toString(), name))
        .findFirst()
        .orElseThrow(() -> new InputException("--goal: '" + text
            + "'; expected FIGURE=LIMIT with one of " + Joiner.on(", ").join(Figure.values())));
    Optional<Double> atMost = figure.isWait()
        ? TimeText.duration(limit).map(duration -> duration.toMillis() / 1000.0)
        : Optional.ofNullable(Doubles.tryParse(limit));
    return new Goal(
        figure,
        atMost
            .filter(value -> value >= 0)
            .orElseThrow(() -> new InputException("--goal: '" + limit + "'; expected "
                + (figure.isWait()
                    ? "a duration such as PT1H, at most P365000D"
                    : "a number, 0 or more"))),
        limit);
  }

  /**
   * {@return whether a result reaches the goal}
   *
   * @param result the result
   * @param unfinished how many jobs may be left that never finish
   */
  boolean isMet(PointResult result, int unfinished) {
    return unfinished(result) <= unfinished && figure.of(result.total()) <= atMost;
  }

  /** {@return the number of jobs that never finish} */
  static int unfinished(PointResult result) {
    return result.total().jobs() - result.total().finished();
  }

  /** {@return the goal for users} */
  @Override
  public String toString() {
    return figure + " <= " + text;
  }
}
