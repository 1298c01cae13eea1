package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.PodsReadyPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether the pods of a workload are ready, and for how long it has been allowed to run.
 *
 * <p>Rules: L-14a, L-15, L-17, L-18, L-21.
 */
final class Readiness {
  /** Since when it may run; also while it stops. Null if it may not. */
  private @Nullable Instant startedAt;

  private boolean ready;

  /** When its pods lost their readiness, null if they have not. */
  private @Nullable Instant lostAt;

  /** How long it was allowed to run earlier. */
  private Duration ranBefore = Duration.ZERO;

  private int timeouts;

  /** {@return whether all pods are ready} */
  boolean isReady() {
    return ready;
  }

  void started(Instant now) {
    if (startedAt == null) {
      startedAt = now;
    }
  }

  /** L-5: a workload that may no longer run has no ready pods. */
  void ended(Instant now) {
    if (startedAt != null) {
      ranBefore =
          ranBefore.plusSeconds(Math.max(0, Duration.between(startedAt, now).toSeconds()));
      startedAt = null;
      ready = false;
      lostAt = null;
    }
  }

  /** L-14a. */
  void report(boolean nowReady, Instant now) {
    if (startedAt == null) {
      return;
    }
    if (nowReady) {
      lostAt = null;
    } else if (ready) {
      lostAt = now;
    }
    ready = nowReady;
  }

  /**
   * A deadline.
   *
   * @param time the time at which it passes
   * @param cause the cause of what happens then
   */
  record Deadline(Instant time, EvictionCause cause) {}

  /**
   * L-15, L-21: of a workload that is active.
   *
   * @param most the maximum execution time
   * @param policy the policy for pods that are not ready, empty if it is evicted already
   * @return the deadline that ends first
   */
  Optional<Deadline> deadline(Optional<Duration> most, Optional<PodsReadyPolicy> policy) {
    Instant started = startedAt;
    return started == null ? Optional.empty() : deadline(started, most, policy);
  }

  private Optional<Deadline> deadline(
      Instant started, Optional<Duration> most, Optional<PodsReadyPolicy> policy) {
    Optional<Deadline> ofExecution = most.map(time -> new Deadline(
        started.plus(time.minus(ranBefore)), EvictionCause.MAXIMUM_EXECUTION_TIME_EXCEEDED));
    Optional<Deadline> ofPods =
        ready ? Optional.empty() : policy.flatMap(known -> podsReady(started, known));
    return Stream.concat(ofExecution.stream(), ofPods.stream())
        .reduce((first, second) -> second.time().isBefore(first.time()) ? second : first);
  }

  private Optional<Deadline> podsReady(Instant started, PodsReadyPolicy policy) {
    Instant lost = lostAt;
    if (lost == null) {
      return Optional.of(
          new Deadline(started.plus(policy.timeout()), EvictionCause.WAIT_FOR_START));
    }
    return policy.recoveryTimeout().isZero()
        ? Optional.empty()
        : Optional.of(
            new Deadline(lost.plus(policy.recoveryTimeout()), EvictionCause.WAIT_FOR_RECOVERY));
  }

  /**
   * L-16.
   *
   * @return whether another timeout exceeds the limit
   */
  boolean isLimitReached(PodsReadyPolicy policy) {
    return policy.backoffLimitCount().isPresent()
        && timeouts >= policy.backoffLimitCount().getAsInt();
  }

  /**
   * L-17: counts a timeout.
   *
   * @return how long the workload waits
   */
  Duration nextDelay(PodsReadyPolicy policy) {
    timeouts++;
    Duration delay = policy.backoffBase();
    for (int i = 1; i < timeouts; i++) {
      delay = delay.multipliedBy(2);
      if (!policy.backoffMax().isZero() && delay.compareTo(policy.backoffMax()) > 0) {
        delay = policy.backoffMax();
      }
    }
    return delay;
  }

  /** L-18. */
  void forgetTimeouts() {
    timeouts = 0;
  }

  /** L-21. */
  void forgetTime() {
    ranBefore = Duration.ZERO;
  }
}
