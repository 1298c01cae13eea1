package io.kueue4j.core.internal.fairness;

import com.google.common.collect.Ordering;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The usage of one LocalQueue: a decaying history, the present usage, and penalties for workloads
 * that hold quota and are not part of the history yet.
 *
 * <p>Rules: W-3, W-4, W-5, W-6, W-7.
 */
public final class UsageAccount {
  /** The maximum number of instants sampled one by one; earlier ones are combined into one step. */
  static final int MAX_STEPS = 1000;

  private final Map<WorkloadId, FractionalAmounts> penalties = new HashMap<>();
  private FractionalAmounts consumed = FractionalAmounts.NONE;
  private FractionalAmounts inUse = FractionalAmounts.NONE;
  private FractionalAmounts pendingPenalty = FractionalAmounts.NONE;
  private @Nullable Instant lastUpdate;
  private LocalQueue spec;
  private boolean sampled;
  private boolean countsReservations;

  UsageAccount(LocalQueue spec) {
    this.spec = spec;
  }

  /** {@return an independent copy} */
  UsageAccount copy() {
    UsageAccount copy = new UsageAccount(spec);
    copy.penalties.putAll(penalties);
    copy.consumed = consumed;
    copy.inUse = inUse;
    copy.pendingPenalty = pendingPenalty;
    copy.lastUpdate = lastUpdate;
    copy.sampled = sampled;
    copy.countsReservations = countsReservations;
    return copy;
  }

  /** {@return the history} */
  public FractionalAmounts consumed() {
    return consumed;
  }

  /** {@return the present usage} */
  public FractionalAmounts inUse() {
    return inUse;
  }

  /** {@return whether the present usage includes workloads that hold quota and may not run yet} */
  public boolean countsReservations() {
    return countsReservations;
  }

  /** {@return the sum of the penalties} */
  public FractionalAmounts pendingPenalty() {
    return pendingPenalty;
  }

  /** {@return when the history was last updated, null if it has not begun} */
  public @Nullable Instant lastUpdate() {
    return lastUpdate;
  }

  /** {@return the LocalQueue} */
  public LocalQueue spec() {
    return spec;
  }

  boolean isSampled() {
    return sampled;
  }

  void setSpec(LocalQueue newSpec) {
    spec = newSpec;
  }

  /** Sets the present usage. */
  public void setInUse(FractionalAmounts amounts) {
    inUse = amounts;
  }

  /** Sets the present usage, and what it counts from now on. */
  public void setInUse(FractionalAmounts amounts, boolean countReservations) {
    inUse = amounts;
    countsReservations = countReservations;
  }

  /**
   * Starts or stops sampling. A new history begins empty; one that continues after a pause fills
   * the pause with the present usage.
   */
  void setSampled(boolean wanted, Instant now, Duration interval, UsageDecay decay) {
    if (wanted && !sampled) {
      if (lastUpdate == null) {
        lastUpdate = now;
      } else if (Duration.between(lastUpdate, now).compareTo(interval) >= 0) {
        step(Duration.between(lastUpdate, now), decay);
      }
    }
    sampled = wanted;
  }

  /** Updates the history to the last sampling instant that is not after {@code now}. */
  void sampleUntil(Instant now, Duration interval, UsageDecay decay) {
    Instant start = lastUpdate;
    if (start == null) {
      return;
    }
    Duration elapsed = Duration.between(start, now);
    if (elapsed.isNegative()) {
      return;
    }
    long due = TimeMath.boundedQuotient(elapsed, interval, MAX_STEPS + 1L);
    if (due > MAX_STEPS) {
      // All steps but the last, combined.
      Duration last = TimeMath.saturatedMultiply(interval, MAX_STEPS);
      Duration whole = TimeMath.saturatedSubtract(elapsed, TimeMath.remainder(elapsed, interval));
      step(TimeMath.saturatedSubtract(whole, last), decay);
      due = MAX_STEPS;
    }
    for (long left = due; left > 0; left--) {
      FractionalAmounts before = consumed;
      step(interval, decay);
      if (before.equals(consumed)) {
        // The step is a fixed point, so repeating it changes nothing.
        lastUpdate = advance(TimeMath.saturatedMultiply(interval, left - 1));
        return;
      }
    }
  }

  private void step(Duration time, UsageDecay decay) {
    consumed =
        decay.halfLife().isZero() ? FractionalAmounts.NONE : decay.apply(consumed, inUse, time);
    lastUpdate = advance(time);
  }

  private @Nullable Instant advance(Duration time) {
    return lastUpdate == null ? null : TimeMath.saturatedAdd(lastUpdate, time);
  }

  void penalize(WorkloadId workload, FractionalAmounts penalty) {
    drop(workload);
    penalties.put(workload, penalty);
    pendingPenalty = pendingPenalty.plus(penalty);
  }

  /**
   * Removes the penalty of a workload.
   *
   * @return whether there was one
   */
  boolean drop(WorkloadId workload) {
    FractionalAmounts known = penalties.remove(workload);
    if (known != null) {
      pendingPenalty = pendingPenalty.minus(known);
    }
    return known != null;
  }

  void settle(WorkloadId workload, Instant now, UsageDecay decay) {
    Instant latest = lastUpdate == null ? now : Ordering.natural().max(lastUpdate, now);
    if (lastUpdate != null) {
      consumed = decay.apply(consumed, inUse, Duration.between(lastUpdate, latest));
    }
    consumed = consumed.plus(penalties.getOrDefault(workload, FractionalAmounts.NONE));
    drop(workload);
    lastUpdate = latest;
  }

  void restore(FractionalAmounts history, Instant at) {
    consumed = history;
    lastUpdate = at;
  }
}
