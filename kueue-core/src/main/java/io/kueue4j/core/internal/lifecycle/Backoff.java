package io.kueue4j.core.internal.lifecycle;

import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.internal.support.UserCode;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The delay before a workload is tried again after its pods were not ready in time.
 *
 * <p>Rules: L-17, L-18.
 */
public final class Backoff {
  private Backoff() {}

  /**
   * {@return the delay; it has no jitter if the policy's {@link PodsReadyPolicy#jitter} fails}
   *
   * @param count how often the pods were not ready in time, this time included; at least 1
   * @param onFailure receives the failure of the jitter
   */
  public static Duration delay(
      PodsReadyPolicy policy,
      WorkloadId workload,
      int count,
      Consumer<? super RuntimeException> onFailure) {
    Duration delay = policy.backoffBase();
    for (int i = 1; i < count && canGrow(delay, policy); i++) {
      Duration doubled = TimeMath.saturatedAdd(delay, delay);
      delay = isCapped(policy) && doubled.compareTo(policy.backoffMax()) > 0
          ? policy.backoffMax()
          : doubled;
    }
    double jitter = jitter(policy, workload, count, onFailure);
    return TimeMath.saturatedAdd(
        delay, Duration.ofNanos(Math.round(jitter * 1e6 * TimeMath.saturatedMillis(delay))));
  }

  private static double jitter(
      PodsReadyPolicy policy,
      WorkloadId workload,
      int count,
      Consumer<? super RuntimeException> onFailure) {
    double jitter = UserCode.call(
        () -> policy.jitter().of(workload, count),
        0.0,
        failure -> onFailure.accept(new IllegalStateException(
            "the jitter of workload " + workload + " for requeue " + count
                + " threw an exception; the delay has no jitter",
            failure)));
    if (jitter >= 0 && jitter <= PodsReadyPolicy.MAX_JITTER) {
      return jitter;
    }
    onFailure.accept(new IllegalArgumentException("the jitter of workload " + workload
        + " for requeue " + count + " is " + jitter + "; expected 0 to "
        + PodsReadyPolicy.MAX_JITTER + "; the delay has no jitter"));
    return 0;
  }

  private static boolean isCapped(PodsReadyPolicy policy) {
    return !policy.backoffMax().isZero();
  }

  /** {@return whether another retry lengthens the delay, and the result can be represented} */
  private static boolean canGrow(Duration delay, PodsReadyPolicy policy) {
    return isCapped(policy)
        ? !delay.equals(policy.backoffMax())
        : !delay.isZero() && delay.toDays() < LONGEST_DAYS;
  }

  /** More than a hundred years; longer delays are not doubled any more. */
  private static final long LONGEST_DAYS = 50_000;
}
