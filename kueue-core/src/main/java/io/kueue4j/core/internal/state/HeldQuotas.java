package io.kueue4j.core.internal.state;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.internal.compiled.FlavorResource;
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

  private @Nullable QuotaHolder last;
  private ImmutableList<HeldQuota> ofLast = ImmutableList.of();

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

  private static ImmutableList<HeldQuota> held(QuotaHolder holder) {
    List<HeldQuota> held = new ArrayList<>(holder.size());
    for (int i = 0; i < holder.size(); i++) {
      FlavorResource pair = holder.pair(i);
      held.add(new HeldQuota(pair.flavor(), pair.resource().name(), holder.amount(i)));
    }
    // The order of pairs depends on how the workload got them, which a restart or a fork changes.
    return ImmutableList.sortedCopyOf(BY_NAME, held);
  }
}
