package io.kueue4j.core.internal.promise;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.fleet.NodesAndFleets;
import io.kueue4j.core.internal.quota.AmountOverTime;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.UsageForecast;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.CapacityWindow.KeptAmount;
import io.kueue4j.core.resource.Amount;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a capacity window keeps free of others in trials: its amounts less what its beneficiaries
 * use, or its nodes. So a beneficiary that starts or ends in the window changes nothing for others.
 *
 * <p>Rules: PS-11.
 */
public final class KeptCapacity {
  private final CapacityWindow window;
  private final @Nullable QueueQuota queue;
  private final NodesAndFleets nodes;
  private final Predicate<QuotaHolder> isBeneficiary;
  private final FlavorResource[] pairs;

  /**
   * Creates it.
   *
   * @param queue the ClusterQueue of the window, null if it keeps nodes
   * @param isBeneficiary whether a workload of the ClusterQueue is a beneficiary
   */
  public KeptCapacity(
      CapacityWindow window,
      @Nullable QueueQuota queue,
      Predicate<QuotaHolder> isBeneficiary,
      Catalog catalog,
      NodesAndFleets nodes) {
    this.window = window;
    this.queue = queue;
    this.nodes = nodes;
    this.isBeneficiary = isBeneficiary;
    this.pairs = window.amounts().stream()
        .map(kept -> catalog.pair(kept.flavor(), kept.resource()))
        .toArray(FlavorResource[]::new);
  }

  /** {@return the window} */
  CapacityWindow window() {
    return window;
  }

  /** Begins the window in a trial. */
  public void open() {
    setNodesClosed(true);
    if (queue == null) {
      return;
    }
    List<QuotaHolder> users = queue.holders().stream()
        .filter(holder -> !queue.isSetAside(holder) && isBeneficiary.test(holder))
        .toList();
    for (int i = 0; i < pairs.length; i++) {
      long used = 0;
      for (QuotaHolder user : users) {
        used = Amount.add(used, user.amountOf(pairs[i]));
      }
      int column = queue.tree().column(pairs[i]);
      if (column >= 0) {
        queue.tree().add(queue.node(), column, kept(i, used));
      }
    }
  }

  /** Lets nodes that it keeps take no pods in a trial, or take pods again. */
  void setNodesClosed(boolean isClosed) {
    nodes.setClosed(window.nodeLabels(), isClosed);
  }

  /**
   * Counts in a forecast what it keeps from a time until before another one, or no longer.
   *
   * @param stays who uses something then
   */
  void count(UsageForecast forecast, long from, long to, List<Stay> stays, boolean isCounted) {
    if (queue == null) {
      return;
    }
    for (int i = 0; i < pairs.length; i++) {
      int index = i;
      AmountOverTime used = new AmountOverTime(0);
      for (Stay stay : stays) {
        if (stay.queue() == queue && isBeneficiary.test(stay.holder())) {
          used.add(stay.startMillis(), stay.endMillis(), stay.holder().amountOf(pairs[i]));
        }
      }
      used.forEach(from, to, (begin, end, amount) -> {
        long kept = kept(index, amount);
        forecast.add(queue, pairs[index], begin, end, isCounted ? kept : -kept);
      });
    }
  }

  private long kept(int i, long used) {
    KeptAmount amount = window.amounts().get(i);
    return Math.max(0, Amount.subtract(amount.amount(), used));
  }
}
