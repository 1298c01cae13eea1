package io.kueue4j.examples.controller.lease;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * The times of a lease.
 *
 * @param lease how long a candidate must observe a lease unchanged before it takes it
 * @param renewDeadline how long after the start of its last renewal a holder may work; shorter than
 *     {@code lease} by at least the time of a request
 * @param retry the time between two renewals; an attempt to acquire waits for up to 2.2 times as
 *     long
 */
public record LeaseTimes(Duration lease, Duration renewDeadline, Duration retry) {
  /**
   * Creates times.
   *
   * @throws IllegalArgumentException unless {@code 0 < 2.2 * retry < renewDeadline < lease}
   */
  public LeaseTimes {
    checkArgument(
        retry.compareTo(Duration.ZERO) > 0
            && retry.multipliedBy(11).compareTo(renewDeadline.multipliedBy(5)) < 0
            && renewDeadline.compareTo(lease) < 0,
        "lease %s, renewDeadline %s, retry %s: expected 0 < 2.2 * retry < renewDeadline < lease",
        lease,
        renewDeadline,
        retry);
  }

  /** {@return 15 s, 10 s and 2 s, as Kubernetes' own controllers use them} */
  public static LeaseTimes defaults() {
    return new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
  }
}
