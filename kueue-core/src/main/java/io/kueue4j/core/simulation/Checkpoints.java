package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * How a job saves its progress, which decides what it loses when it is preempted or evicted.
 * Immutable.
 *
 * <p>A checkpoint is written each time the job has made progress for the interval. When the job
 * stops, it loses its progress since the last checkpoint; when it starts again, it makes no
 * progress for the restart cost. Writing a checkpoint takes no time.
 *
 * @param interval the progress between two checkpoints, positive
 * @param restartCost how long each start after the first takes until the job makes progress
 * @since 0.1.0
 */
public record Checkpoints(Duration interval, Duration restartCost) {
  /**
   * Creates the value.
   *
   * @throws IllegalArgumentException if {@code interval} is less than a millisecond, or
   *     {@code restartCost} is negative
   */
  public Checkpoints {
    checkArgument(
        interval.compareTo(Duration.ofMillis(1)) >= 0,
        "the interval of checkpoints is %s; expected at least 1 ms",
        interval);
    checkArgument(
        !restartCost.isNegative(), "the restart cost is %s; expected 0 or more", restartCost);
  }

  /** {@return checkpoints at that interval, from which a restart costs nothing} */
  public static Checkpoints every(Duration interval) {
    return new Checkpoints(interval, Duration.ZERO);
  }
}
