package io.kueue4j.core.preemption;

import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;

/**
 * What room is searched for: the columns that lack it, and all amounts that have to fit in the end.
 *
 * <p>Rules: P-2, P-4, P-13, Q-15.
 */
final class Demand {
  private final QueueQuota queue;
  private final QuotaTree tree;
  private final int[] neededPairs;
  private final int[] needed;
  private final int[] columns;
  private final long[] amounts;

  /**
   * Creates a demand.
   *
   * @param queue the queue that asks
   * @param neededPairs the pairs that lack room
   * @param pairs all pairs asked for
   * @param amounts how much of each of those
   */
  Demand(QueueQuota queue, int[] neededPairs, int[] pairs, long[] amounts) {
    this.queue = queue;
    this.tree = queue.tree();
    this.neededPairs = neededPairs;
    this.needed = columns(tree, neededPairs);
    this.columns = columns(tree, pairs);
    this.amounts = amounts;
  }

  private static int[] columns(QuotaTree tree, int[] pairs) {
    int[] columns = new int[pairs.length];
    for (int i = 0; i < pairs.length; i++) {
      columns[i] = tree.column(pairs[i]);
    }
    return columns;
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

  /** {@return whether giving up what {@code holder} holds could help} */
  boolean concerns(QuotaHolder holder) {
    for (int pair : neededPairs) {
      if (holder.holds(pair)) {
        return true;
      }
    }
    return false;
  }

  /** {@return whether the node uses no more than its own quota of everything that is needed} */
  boolean isWithinNominal(int node) {
    for (int column : needed) {
      if (tree.borrowsWith(node, column, 0)) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return the first node from {@code node} on that uses more than its own quota of something
   * that is needed, beyond all nodes if there is none}
   */
  int nextBorrowing(int node) {
    int next = tree.nodeCount();
    for (int column : needed) {
      next = Math.min(next, tree.nextBorrowing(node, column));
    }
    return next;
  }

  /** {@return whether the queue uses less than its nominal quota of everything that is needed} */
  boolean isBelowNominal() {
    for (int column : needed) {
      if (tree.usage(queue.node(), column) >= tree.nominal(queue.node(), column)) {
        return false;
      }
    }
    return true;
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
    return true;
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
}
