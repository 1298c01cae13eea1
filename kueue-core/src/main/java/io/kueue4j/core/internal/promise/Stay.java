package io.kueue4j.core.internal.promise;

import com.google.common.math.LongMath;
import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.quota.AmountOverTime;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.UsageForecast;
import io.kueue4j.core.model.WorkloadId;
import org.jspecify.annotations.Nullable;

/**
 * From when until when a workload is expected to hold what it holds.
 *
 * @param queue its queue in the tree, null if it only uses nodes or TPU slices of the tree
 * @param holder what it holds
 * @param isRunning whether it holds that already
 * @param startMillis its promised start, {@link Long#MIN_VALUE} if it runs
 * @param endMillis its expected end, {@link AmountOverTime#NEVER} if that is unknown
 */
public record Stay(
    @Nullable QueueQuota queue,
    QuotaHolder holder,
    boolean isRunning,
    long startMillis,
    long endMillis) {
  /** {@return the stay of a promised workload, which starts now if it is late} */
  public static Stay promised(@Nullable QueueQuota queue, PromisedStart promise, long nowMillis) {
    long late = Math.max(0, LongMath.saturatedSubtract(nowMillis, promise.startMillis()));
    return new Stay(
        queue,
        promise.holder(),
        false,
        promise.startMillis() + late,
        LongMath.saturatedAdd(promise.endMillis(), late));
  }

  /** {@return the identity of the workload} */
  WorkloadId id() {
    return holder.id();
  }

  /** {@return whether its end is a guess and not a limit} */
  boolean isGuess() {
    return !holder.workload().isExpectedAtMost();
  }

  /** Counts it in a forecast, which rests on the present usage, or no longer. */
  void count(UsageForecast forecast, boolean isCounted) {
    if (queue == null) {
      return;
    }
    if (isRunning) {
      forecast.add(queue, holder, endMillis, AmountOverTime.NEVER, !isCounted);
    } else {
      forecast.add(queue, holder, startMillis, endMillis, isCounted);
    }
  }
}
