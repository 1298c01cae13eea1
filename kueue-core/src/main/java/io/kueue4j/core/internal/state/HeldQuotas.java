package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.quota.QuotaHolder;
import org.jspecify.annotations.Nullable;

/**
 * Translates the holdings of workloads into names. Consecutive workloads with equal holdings share
 * one list. Not thread-safe.
 */
public final class HeldQuotas {
  private final Catalog catalog;
  private @Nullable QuotaHolder last;
  private ImmutableList<HeldQuota> ofLast = ImmutableList.of();

  public HeldQuotas(Catalog catalog) {
    this.catalog = catalog;
  }

  /** {@return the quota that {@code holder} holds} */
  public ImmutableList<HeldQuota> of(QuotaHolder holder) {
    if (last == null || !holdsSame(last, holder)) {
      last = holder;
      ofLast = held(holder);
    }
    return ofLast;
  }

  private static boolean holdsSame(QuotaHolder some, QuotaHolder other) {
    if (some.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      if (some.pair(i) != other.pair(i) || some.amount(i) != other.amount(i)) {
        return false;
      }
    }
    return true;
  }

  private ImmutableList<HeldQuota> held(QuotaHolder holder) {
    ImmutableList.Builder<HeldQuota> held = ImmutableList.builderWithExpectedSize(holder.size());
    for (int i = 0; i < holder.size(); i++) {
      held.add(new HeldQuota(
          catalog.flavorName(catalog.flavorOfPair(holder.pair(i))),
          catalog.resourceName(catalog.resourceOfPair(holder.pair(i))),
          holder.amount(i)));
    }
    return held.build();
  }
}
