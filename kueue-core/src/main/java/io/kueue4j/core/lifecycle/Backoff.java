package io.kueue4j.core.lifecycle;

import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;

/**
 * How long a workload waits whose pods were not ready in time.
 *
 * <p>Rules: L-17.
 */
public final class Backoff {
  private Backoff() {}

  /**
   * {@return the delay}
   *
   * @param count how often the pods were not ready in time, this time included; at least 1
   */
  public static Duration delay(PodsReadyPolicy policy, WorkloadId workload, int count) {
    Duration delay = policy.backoffBase();
    for (int i = 1; i < count && canGrow(delay, policy); i++) {
      Duration doubled = delay.multipliedBy(2);
      delay = isCapped(policy) && doubled.compareTo(policy.backoffMax()) > 0
          ? policy.backoffMax()
          : doubled;
    }
    double jitter = policy.jitter().of(workload, count);
    if (!(jitter >= 0 && jitter <= PodsReadyPolicy.MAX_JITTER)) {
      throw new IllegalArgumentException("the jitter of workload " + workload + " is " + jitter
          + "; expected 0 to " + PodsReadyPolicy.MAX_JITTER);
    }
    return delay.plusNanos(Math.round(jitter * 1e6 * delay.toMillis()));
  }

  private static boolean isCapped(PodsReadyPolicy policy) {
    return !policy.backoffMax().isZero();
  }

  /** {@return whether another time makes a difference, and can still be reckoned} */
  private static boolean canGrow(Duration delay, PodsReadyPolicy policy) {
    return isCapped(policy)
        ? !delay.equals(policy.backoffMax())
        : !delay.isZero() && delay.toDays() < LONGEST_DAYS;
  }

  /** Some hundred years; beyond that delays do not double any more. */
  private static final long LONGEST_DAYS = 50_000;
}
