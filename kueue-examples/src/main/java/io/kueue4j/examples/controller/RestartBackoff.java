package io.kueue4j.examples.controller;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * How long a job waits before it is queued again that was preempted as soon as it had started, and
 * that again and again.
 *
 * <p>The decisions of Kueue can go round in a circle: a job that was stopped to let another reclaim
 * its quota is queued before that one, and takes its place again, to be preempted again. Neither
 * ever gets on. Jobs that were preempted a few times are queued at once, as Kueue does; from then
 * on each run that was short makes the next wait longer. A run that was long enough makes all
 * forgotten, and so does taking away the annotation {@link JobAnnotations#RESTARTS}.
 *
 * @param freeRestarts after how many short runs in a row there is still no wait
 * @param shortRun a run that lasts less than this, until it is preempted, is short
 * @param firstDelay the first wait; each one is twice as long as the one before
 * @param maxDelay the longest wait
 */
public record RestartBackoff(
    int freeRestarts, Duration shortRun, Duration firstDelay, Duration maxDelay) {
  private static final int MAX_DOUBLINGS = 30;

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

  /** {@return no wait, however often a job is preempted} */
  public static RestartBackoff none() {
    return new RestartBackoff(Integer.MAX_VALUE, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  /** {@return how long to wait after so many short runs in a row} */
  public Duration delay(int shortRuns) {
    if (shortRuns <= freeRestarts) {
      return Duration.ZERO;
    }
    int doublings = Math.min(shortRuns - freeRestarts - 1, MAX_DOUBLINGS);
    Duration delay = firstDelay.multipliedBy(1L << doublings);
    return delay.compareTo(maxDelay) < 0 ? delay : maxDelay;
  }
}
