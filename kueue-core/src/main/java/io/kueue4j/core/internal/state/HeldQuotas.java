package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translates the holdings of workloads into names. Consecutive workloads with equal holdings share
 * one list. Not thread-safe.
 */
public final class HeldQuotas {
  private static final Comparator<HeldQuota> BY_NAME =
      Comparator.comparing(HeldQuota::flavor).thenComparing(HeldQuota::resource);

  private final Catalog catalog;
  private @Nullable QuotaHolder last;
  private ImmutableList<HeldQuota> ofLast = ImmutableList.of();

  public HeldQuotas(Catalog catalog) {
    this.catalog = catalog;
  }

  /** {@return the quota that {@code holder} holds, by flavor and resource} */
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
    List<HeldQuota> held = new ArrayList<>(holder.size());
    for (int i = 0; i < holder.size(); i++) {
      held.add(new HeldQuota(
          catalog.flavorName(catalog.flavorOfPair(holder.pair(i))),
          catalog.resourceName(catalog.resourceOfPair(holder.pair(i))),
          holder.amount(i)));
    }
    // The order of pairs depends on when names were interned, which a restart or a fork changes.
    return ImmutableList.sortedCopyOf(BY_NAME, held);
  }
}
