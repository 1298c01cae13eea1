package io.kueue4j.core.internal.usage;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.google.common.collect.Ordering;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.internal.usage.UsageDecay.DecayStep;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import org.immutables.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The usage of one LocalQueue: a decaying history, the present usage, and penalties for workloads
 * that hold quota and are not part of the history yet.
 *
 * <p>Rules: W-3, W-4, W-5, W-6, W-7.
 *
 * @param spec the LocalQueue
 * @param consumed the history: the decayed usage of the past
 * @param inUse the present usage
 * @param pendingPenalty the sum of the penalties
 * @param lastUpdate when the history was last updated, null if it has not begun
 * @param isSampled whether the history continues
 * @param countsReservations whether the present usage counts from reservation, not admission
 * @param penalties the penalties by workload
 */
@Value.Builder
public record UsageAccount(
    LocalQueue spec,
    FractionalAmounts consumed,
    FractionalAmounts inUse,
    FractionalAmounts pendingPenalty,
    @Nullable Instant lastUpdate,
    boolean isSampled,
    boolean countsReservations,
    @Value.PlainAttribute ImmutableMap<WorkloadId, FractionalAmounts> penalties) {
  /** The maximum number of sampling steps that are made one by one. */
  static final int MAX_STEPS = 1000;

  /** {@return an account without usage, which is not sampled} */
  static UsageAccount of(LocalQueue spec) {
    FractionalAmounts none = FractionalAmounts.NONE;
    return new UsageAccount(spec, none, none, none, null, false, false, ImmutableMap.of());
  }

  /** {@return this account after a change of the LocalQueue} */
  UsageAccount withSpec(LocalQueue changed) {
    return copy().spec(changed).build();
  }

  /** {@return this account with another present usage, and what it counts from now on} */
  UsageAccount withInUse(FractionalAmounts changed, boolean countReservations) {
    return copy().inUse(changed).countsReservations(countReservations).build();
  }

  /** {@return this account with another history} */
  UsageAccount withHistory(FractionalAmounts changed, @Nullable Instant at) {
    return copy().consumed(changed).lastUpdate(at).build();
  }

  private UsageAccountBuilder copy() {
    return new UsageAccountBuilder().from(this);
  }

  /**
   * {@return this account, sampled or not} A new history begins empty; one that continues after a
   * pause fills the pause with the present usage.
   */
  UsageAccount withSampling(boolean wanted, Instant now, Duration interval, UsageDecay decay) {
    UsageAccount next = this;
    if (wanted && !isSampled) {
      if (lastUpdate == null) {
        next = withHistory(consumed, now);
      } else if (Duration.between(lastUpdate, now).compareTo(interval) >= 0) {
        next = step(decay.over(Duration.between(lastUpdate, now)));
      }
    }
    return next.copy().isSampled(wanted).build();
  }

  /** {@return this account at the last sampling instant that is not after {@code now}} */
  UsageAccount sampledUntil(Instant now, DecayStep sampling) {
    Duration interval = sampling.time();
    Duration elapsed = lastUpdate == null ? Duration.ZERO : Duration.between(lastUpdate, now);
    UsageAccount account = this;
    long due = TimeMath.boundedQuotient(elapsed, interval, MAX_STEPS + 1L);
    if (due > MAX_STEPS) {
      // All steps but the last, combined.
      Duration last = TimeMath.saturatedMultiply(interval, MAX_STEPS);
      Duration whole = TimeMath.saturatedSubtract(elapsed, TimeMath.remainder(elapsed, interval));
      account = account.step(sampling.decay().over(TimeMath.saturatedSubtract(whole, last)));
      due = MAX_STEPS;
    }
    for (long left = due; left > 0; left--) {
      UsageAccount next = account.step(sampling);
      if (next.consumed.equals(account.consumed)) {
        // The step is a fixed point, so repeating it changes nothing.
        Duration rest = TimeMath.saturatedMultiply(interval, left - 1);
        return next.withHistory(next.consumed, next.after(rest));
      }
      account = next;
    }
    return account;
  }

  private UsageAccount step(DecayStep step) {
    return withHistory(
        step.decay().halfLife().isZero() ? FractionalAmounts.NONE : step.apply(consumed, inUse),
        after(step.time()));
  }

  private @Nullable Instant after(Duration time) {
    return lastUpdate == null ? null : TimeMath.saturatedAdd(lastUpdate, time);
  }

  UsageAccount penalized(WorkloadId workload, FractionalAmounts penalty) {
    UsageAccount before = withoutPenalty(workload);
    return before
        .copy()
        .pendingPenalty(before.pendingPenalty.plus(penalty))
        .penalties(ImmutableMap.<WorkloadId, FractionalAmounts>builder()
            .putAll(before.penalties)
            .put(workload, penalty)
            .buildOrThrow())
        .build();
  }

  /** {@return this account without the penalty of a workload; the same if there is none} */
  UsageAccount withoutPenalty(WorkloadId workload) {
    FractionalAmounts penalty = penalties.get(workload);
    return penalty == null
        ? this
        : copy()
            .pendingPenalty(pendingPenalty.minus(penalty))
            .penalties(
                ImmutableMap.copyOf(Maps.filterKeys(penalties, other -> !other.equals(workload))))
            .build();
  }

  /** {@return this account with the penalty of a workload in the history} */
  UsageAccount settled(WorkloadId workload, Instant now, UsageDecay decay) {
    Instant latest = lastUpdate == null ? now : Ordering.natural().max(lastUpdate, now);
    FractionalAmounts history = lastUpdate == null
        ? consumed
        : decay.apply(consumed, inUse, Duration.between(lastUpdate, latest));
    FractionalAmounts penalty = penalties.getOrDefault(workload, FractionalAmounts.NONE);
    return withoutPenalty(workload).withHistory(history.plus(penalty), latest);
  }
}
