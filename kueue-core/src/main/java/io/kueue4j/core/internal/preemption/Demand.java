package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.attempt.Refusal;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.Quantity;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The room for which victims are searched: the columns that lack it, and all amounts that must fit
 * in the end.
 *
 * <p>Rules: P-1, P-2, P-13, P-14, H-23, T-71, SP-2.
 */
final class Demand {
  /** Amounts below are far from saturation, so that they can be added in any order. */
  private static final long BOUND = 1L << 60;

  private final QueueQuota queue;
  private final QuotaTree tree;
  private final NeededPairs needed;
  private final int[] columns;

  private final long[] amounts;
  private final @Nullable BooleanSupplier fitsOtherwise;

  /**
   * Creates a demand.
   *
   * @param queue the queue of the preemptor
   * @param neededPairs the pairs that lack room
   * @param pairs all requested pairs
   * @param amounts the requested amounts
   * @param fitsOtherwise whether the demand fits apart from quota, null if only quota counts
   */
  Demand(
      QueueQuota queue,
      FlavorResource[] neededPairs,
      FlavorResource[] pairs,
      long[] amounts,
      @Nullable BooleanSupplier fitsOtherwise) {
    this.queue = queue;
    this.tree = queue.tree();
    this.needed = new NeededPairs(tree, neededPairs);
    this.columns = NeededPairs.columns(tree, pairs);
    this.amounts = amounts;
    this.fitsOtherwise = fitsOtherwise;
  }

  QueueQuota queue() {
    return queue;
  }

  int size() {
    return columns.length;
  }

  int column(int i) {
    return columns[i];
  }

  long amount(int i) {
    return amounts[i];
  }

  /** {@return the pairs that lack room} */
  NeededPairs needed() {
    return needed;
  }

  /** {@return whether all requested amounts fit now} */
  boolean fits(boolean allowsBorrowing) {
    for (int i = 0; i < columns.length; i++) {
      if (!allowsBorrowing && tree.borrowsWith(queue.node(), columns[i], amounts[i])) {
        return false;
      }
      if (amounts[i] > tree.available(queue.node(), columns[i])) {
        return false;
      }
    }
    return fitsOtherwise == null || fitsOtherwise.getAsBoolean();
  }

  /**
   * {@return whether the demand may fit without borrowing} Victims in other queues do not help.
   *
   * @param own the candidates in the queue of the preemptor
   */
  boolean mayFitWithoutBorrowing(Supplier<Iterator<QuotaHolder>> own) {
    for (int i = 0; i < columns.length; i++) {
      long used = tree.usage(queue.node(), columns[i]);
      if (tree.borrowsWith(queue.node(), columns[i], amounts[i])
          && used < BOUND
          && amounts[i] < BOUND
          && Amount.subtract(Amount.add(used, amounts[i]), tree.subtree(queue.node(), columns[i]))
              > held(own.get(), columns[i])) {
        return false;
      }
    }
    return true;
  }

  /** {@return an upper bound of what any of some workloads hold of a column} */
  private long held(Iterator<QuotaHolder> holders, int column) {
    long held = 0;
    while (holders.hasNext()) {
      held = Amount.add(held, Math.max(0, holders.next().amountOf(tree.pair(column))));
    }
    return held;
  }

  void charge() {
    for (int i = 0; i < columns.length; i++) {
      tree.add(queue.node(), columns[i], amounts[i]);
    }
  }

  void uncharge() {
    for (int i = 0; i < columns.length; i++) {
      tree.remove(queue.node(), columns[i], amounts[i]);
    }
  }

  /** Removes everything that {@code holder} holds; its nodes only if not only quota counts. */
  void takeOut(QuotaHolder holder) {
    if (fitsOtherwise == null) {
      queueOf(holder).unchargeQuota(holder);
    } else {
      queueOf(holder).uncharge(holder);
    }
  }

  /** Undoes {@link #takeOut}. */
  void putBack(QuotaHolder holder) {
    if (fitsOtherwise == null) {
      queueOf(holder).chargeQuota(holder);
    } else {
      queueOf(holder).charge(holder);
    }
  }

  private QueueQuota queueOf(QuotaHolder holder) {
    return tree.layout().queueOf(holder);
  }

  /**
   * Removes from {@code victims}, all of which are taken out, those that are not needed for this
   * demand to fit, and puts them back.
   */
  void fillBack(List<Victim> victims, boolean allowsBorrowing) {
    for (int i = victims.size() - 2; i >= 0; i--) {
      putBack(victims.get(i).holder());
      if (fits(allowsBorrowing)) {
        victims.set(i, victims.get(victims.size() - 1));
        victims.remove(victims.size() - 1);
      } else {
        takeOut(victims.get(i).holder());
      }
    }
  }

  /**
   * {@return by how much victims of the own queue would make it, or a cohort above it, borrow more
   * than now; null if not at all}
   */
  @Nullable
  String raisedBorrowing(List<Victim> victims) {
    long own = victims.stream()
        .filter(victim -> victim.reason() == PreemptionReason.IN_CLUSTER_QUEUE)
        .count();
    if (own == 0) {
      return null;
    }
    List<Long> before = borrowed();
    return tree.inTrial(() -> {
      victims.forEach(victim -> takeOut(victim.holder()));
      charge();
      List<Long> after = borrowed();
      for (int i = 0; i < before.size(); i++) {
        if (after.get(i) > before.get(i)) {
          FlavorResource pair = tree.pair(columns[i % columns.length]);
          String more =
              Quantity.format(pair.resource().name(), Amount.subtract(after.get(i), before.get(i)));
          return Refusal.wouldPreempt(own) + " of its own ClusterQueue and "
              + (i < columns.length ? "borrow " : "let a cohort above it borrow ") + more + " more "
              + pair.resource() + " of flavor " + pair.flavor();
        }
      }
      return null;
    });
  }

  /** {@return what the queue and the cohorts above it use beyond their quotas} */
  private List<Long> borrowed() {
    List<Long> borrowed = new ArrayList<>();
    for (int node = queue.node(); node > 0; node = tree.parent(node)) {
      for (int column : columns) {
        long quota = tree.subtree(node, column);
        borrowed.add(Math.max(0, Amount.subtract(tree.usage(node, column), quota)));
      }
    }
    return borrowed;
  }
}
