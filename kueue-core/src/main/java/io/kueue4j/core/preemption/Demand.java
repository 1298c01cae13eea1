package io.kueue4j.core.preemption;

import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What room is searched for: the columns that lack it, and all amounts that have to fit in the end.
 *
 * <p>Rules: P-1, P-2, P-13, T-71.
 */
final class Demand {
  private final QueueQuota queue;
  private final QuotaTree tree;
  private final NeededPairs needed;
  private final int[] columns;

  /** The pairs that decide whether this fits, and who may be taken for it. */
  private final int[] counted;

  private final long[] amounts;
  private final @Nullable BooleanSupplier fitsOtherwise;

  /**
   * Creates a demand.
   *
   * @param queue the queue that asks
   * @param neededPairs the pairs that lack room
   * @param pairs all pairs asked for
   * @param amounts how much of each of those
   * @param fitsOtherwise whether what is not quota suffices now, null if only quota counts
   */
  Demand(
      QueueQuota queue,
      int[] neededPairs,
      int[] pairs,
      long[] amounts,
      @Nullable BooleanSupplier fitsOtherwise) {
    this.queue = queue;
    this.tree = queue.tree();
    this.needed = new NeededPairs(tree, neededPairs);
    this.columns = NeededPairs.columns(tree, pairs);
    // Most searches are for one pair, and there are many of them.
    this.counted = Arrays.equals(neededPairs, pairs)
        ? pairs
        : IntStream.concat(IntStream.of(neededPairs), IntStream.of(pairs))
            .distinct()
            .toArray();
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

  /** {@return what lacks room} */
  NeededPairs needed() {
    return needed;
  }

  /** {@return whether everything asked for fits now} */
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

  /**
   * Takes out what {@code holder} holds, as far as this demand has to do with it; all of it if more
   * than quota counts.
   */
  void takeOut(QuotaHolder holder) {
    if (fitsOtherwise != null) {
      holder.uncharge();
      return;
    }
    int node = holder.queue().node();
    for (int pair : counted) {
      tree.remove(node, tree.column(pair), holder.amountOf(pair));
    }
  }

  /** Puts back what {@link #takeOut} took out. */
  void putBack(QuotaHolder holder) {
    if (fitsOtherwise != null) {
      holder.charge();
      return;
    }
    int node = holder.queue().node();
    for (int pair : counted) {
      tree.add(node, tree.column(pair), holder.amountOf(pair));
    }
  }

  /** Takes out all that {@code holder} holds, because shares are about all of it. */
  void takeOutWhole(QuotaHolder holder) {
    if (fitsOtherwise == null) {
      holder.unchargeQuota();
    } else {
      holder.uncharge();
    }
  }

  /** Puts back what {@link #takeOutWhole} took out. */
  void putBackWhole(QuotaHolder holder) {
    if (fitsOtherwise == null) {
      holder.chargeQuota();
    } else {
      holder.charge();
    }
  }
}
