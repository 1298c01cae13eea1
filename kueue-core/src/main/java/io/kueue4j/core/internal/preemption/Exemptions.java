package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.PreemptionReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The candidates that the limits of preemption exempt while victims are searched for one workload.
 *
 * <p>Rules: PL-1, PL-2.
 */
public final class Exemptions {
  private final PreemptionBounds bounds;
  private final @Nullable CheapestVictims cheapest;
  private long firstEnd = Long.MAX_VALUE;
  private boolean exempted;
  private boolean refused;
  private @Nullable String detail;

  /**
   * Creates an instance.
   *
   * @param cheapest chooses victims by their cost, null if it does not count
   */
  Exemptions(PreemptionBounds bounds, @Nullable CheapestVictims cheapest) {
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
    refused = true;
    if (!unlimited.isEmpty()) {
      detail = bounds.describe(unlimited);
    }
  }

  /** {@return why searches have failed that may succeed later, null if there were none} */
  public @Nullable Refusal refusal() {
    return refused ? Refusal.of(detail, firstEnd) : null;
  }

  /** {@return when the first candidate is no longer exempt, in milliseconds since the epoch} */
  long firstEnd() {
    return firstEnd;
  }
}
