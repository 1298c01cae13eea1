package io.kueue4j.examples.controller.object;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * The delay before a job is queued again after it was repeatedly preempted shortly after its start.
 *
 * <p>The decisions of Kueue can form a cycle: a job that was preempted so that another could
 * reclaim its quota is queued before that one, and takes its place again, to be preempted again.
 * Neither makes progress. The first preemptions cause no delay, as in Kueue; after that each short
 * run doubles the delay. A long enough run resets the history, and so does the removal of the
 * annotation {@link JobAnnotations#RESTARTS}.
 *
 * @param freeRestarts the number of consecutive short runs without a delay
 * @param shortRun a run that is preempted within this time is short
 * @param firstDelay the first delay; each one is twice the previous one
 * @param maxDelay the maximum delay
 */
public record RestartBackoff(
    int freeRestarts, Duration shortRun, Duration firstDelay, Duration maxDelay) {

  /** Checks the amounts. */
  public RestartBackoff {
    checkArgument(freeRestarts >= 0, "freeRestarts is %s; expected 0 or more", freeRestarts);
    checkArgument(!shortRun.isNegative(), "shortRun is %s; expected 0 or more", shortRun);
    checkArgument(
        !firstDelay.isNegative() && firstDelay.compareTo(maxDelay) <= 0,
        "firstDelay is %s and maxDelay %s; expected 0 or more, and no more than maxDelay",
        firstDelay,
        maxDelay);
  }

  /** {@return three free restarts, runs of a minute, waits of 10 seconds to 10 minutes} */
  public static RestartBackoff defaults() {
    return new RestartBackoff(
        3, Duration.ofMinutes(1), Duration.ofSeconds(10), Duration.ofMinutes(10));
  }

  /** {@return no delay, however often a job is preempted} */
  public static RestartBackoff none() {
    return new RestartBackoff(Integer.MAX_VALUE, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  /** {@return the delay after that many consecutive short runs} */
  public Duration delay(int shortRuns) {
    return shortRuns <= freeRestarts
        ? Duration.ZERO
        : RetryDelays.after(shortRuns - freeRestarts, firstDelay, maxDelay);
  }
}
