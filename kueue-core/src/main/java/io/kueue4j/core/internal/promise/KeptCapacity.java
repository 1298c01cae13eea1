package io.kueue4j.core.internal.promise;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.fleet.NodesAndFleets;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
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
  private final long[] usedNow;

  /** What beneficiaries use at the time that the trial has reached, by pair. */
  private long[] used;

  private boolean isOpen;

  /**
   * Creates it for the present state.
   *
   * @param queue the ClusterQueue of the window, null if it keeps nodes
   * @param users the beneficiaries that hold quota of the ClusterQueue now
   * @param isBeneficiary whether a workload of the ClusterQueue is a beneficiary
   */
  public KeptCapacity(
      CapacityWindow window,
      @Nullable QueueQuota queue,
      List<QuotaHolder> users,
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
    this.usedNow = new long[pairs.length];
    for (QuotaHolder user : users) {
      for (int i = 0; i < pairs.length; i++) {
        usedNow[i] = Amount.add(usedNow[i], user.amountOf(pairs[i]));
      }
    }
    this.used = usedNow.clone();
  }

  /** {@return the window} */
  CapacityWindow window() {
    return window;
  }

  /** Returns to the present, at the begin of a trial. */
  void reset() {
    used = usedNow.clone();
    isOpen = false;
  }

  /** Begins the window in a trial. */
  public void open() {
    isOpen = true;
    for (int i = 0; i < pairs.length; i++) {
      charge(i, kept(i));
    }
    nodes.setClosed(window.nodeLabels(), true);
  }

  /** Ends the window in a trial. */
  void close() {
    for (int i = 0; i < pairs.length; i++) {
      charge(i, -kept(i));
    }
    nodes.setClosed(window.nodeLabels(), false);
    isOpen = false;
  }

  /** Counts a workload of a queue that starts or ends in a trial. */
  void count(@Nullable QueueQuota ofQueue, QuotaHolder holder, boolean isStart) {
    if (queue == null || ofQueue != queue || !isBeneficiary.test(holder)) {
      return;
    }
    for (int i = 0; i < pairs.length; i++) {
      long before = kept(i);
      long amount = holder.amountOf(pairs[i]);
      used[i] = isStart ? Amount.add(used[i], amount) : Amount.subtract(used[i], amount);
      if (isOpen) {
        charge(i, kept(i) - before);
      }
    }
  }

  private long kept(int i) {
    KeptAmount amount = window.amounts().get(i);
    return Math.max(0, Amount.subtract(amount.amount(), used[i]));
  }

  private void charge(int i, long change) {
    if (queue == null) {
      return;
    }
    int column = queue.tree().column(pairs[i]);
    if (column >= 0 && change > 0) {
      queue.tree().add(queue.node(), column, change);
    } else if (column >= 0 && change < 0) {
      queue.tree().remove(queue.node(), column, -change);
    }
  }
}
