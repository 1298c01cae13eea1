package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.attempt.Refusal;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.PreemptionReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The candidates that the limits of preemption exempt while victims are searched for one workload,
 * and why a search has failed because of them or of strict settings.
 *
 * <p>Rules: PL-1, PL-2, SP-1, SP-2.
 */
public final class Exemptions {
  private final @Nullable PreemptionBounds bounds;
  private final @Nullable CheapestVictims cheapest;
  private long firstEnd = Long.MAX_VALUE;
  private boolean exempted;
  private boolean mayEnd;
  private @Nullable String detail;

  /**
   * Creates an instance.
   *
   * @param bounds the limits, null if there are none
   * @param cheapest chooses victims by their cost, null if it does not count
   */
  Exemptions(@Nullable PreemptionBounds bounds, @Nullable CheapestVictims cheapest) {
    this.bounds = bounds;
    this.cheapest = cheapest;
  }

  /** {@return what chooses victims by their cost, null if it does not count} */
  @Nullable
  CheapestVictims cheapest() {
    return cheapest;
  }

  /** {@return whether a candidate is exempt from preemption by a rule} */
  boolean include(QuotaHolder holder, PreemptionReason reason) {
    if (bounds == null) {
      return false;
    }
    long end = bounds.exemptUntil(holder, reason);
    if (end <= bounds.nowMillis()) {
      return false;
    }
    exempted = true;
    firstEnd = Math.min(firstEnd, end);
    return true;
  }

  /** Begins a search. */
  void begin() {
    exempted = false;
  }

  /** {@return whether a candidate of the current search was exempt} */
  boolean any() {
    return exempted;
  }

  /**
   * Records that the current search has failed.
   *
   * @param unlimited its result if nothing were exempt. Fewer candidates may suffice where more do
   *     not, because the first ones that are taken decide whether others may be; so even if it is
   *     empty, the search may succeed later
   */
  void refuse(List<Victim> unlimited) {
    mayEnd = true;
    if (!unlimited.isEmpty() && bounds != null) {
      detail = bounds.describe(unlimited);
    }
  }

  /**
   * Records that a strict setting refuses the result of a search. Time does not change that.
   *
   * @param victims what it would preempt, in words
   * @param setting the name of the setting
   */
  void refuse(String victims, String setting) {
    detail = victims + ", which " + setting + " does not allow";
  }

  /** {@return why searches have failed that would succeed otherwise or later, null if none have} */
  public @Nullable Refusal refusal() {
    return mayEnd || detail != null ? Refusal.of(detail, mayEnd ? firstEnd : Long.MAX_VALUE) : null;
  }

  /** {@return when the first candidate is no longer exempt, in milliseconds since the epoch} */
  long firstEnd() {
    return firstEnd;
  }
}
