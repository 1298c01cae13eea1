package io.kueue4j.core.internal.preemption;

import com.google.common.primitives.Ints;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The pairs of flavor and resource in one tree that lack room.
 *
 * <p>Rules: P-4, Q-15.
 */
final class NeededPairs {
  private final QuotaTree tree;
  private final FlavorResource[] pairs;
  private final int[] columns;

  NeededPairs(QuotaTree tree, FlavorResource[] pairs) {
    this.tree = tree;
    this.pairs = pairs;
    this.columns = columns(tree, pairs);
  }

  static int[] columns(QuotaTree tree, FlavorResource[] pairs) {
    int[] columns = new int[pairs.length];
    for (int i = 0; i < pairs.length; i++) {
      columns[i] = tree.column(pairs[i]);
    }
    return columns;
  }

  /** {@return whether these are the same pairs, of the same tree} */
  boolean isSame(NeededPairs other) {
    return tree.equals(other.tree) && Arrays.equals(pairs, other.pairs);
  }

  /** {@return whether preempting {@code holder} could help} */
  boolean concerns(QuotaHolder holder) {
    for (FlavorResource pair : pairs) {
      if (holder.holds(pair)) {
        return true;
      }
    }
    return false;
  }

  /** {@return whether a column is needed} */
  boolean contains(int column) {
    return Ints.contains(columns, column);
  }

  /** {@return whether the usage of the node is within its own quota for all needed pairs} */
  boolean isWithinNominal(int node) {
    for (int column : columns) {
      if (tree.borrowsWith(node, column, 0)) {
        return false;
      }
    }
    return true;
  }

  /** {@return whether the usage of the queue is below its nominal quota for all needed pairs} */
  boolean isBelowNominal(int queue) {
    for (int column : columns) {
      if (tree.usage(queue, column) >= tree.nominal(queue, column)) {
        return false;
      }
    }
    return true;
  }

  /** Passes each node that borrows a needed pair to {@code action}. */
  void forEachBorrowing(IntConsumer action) {
    for (int node = nextBorrowing(0); node < tree.nodeCount(); node = nextBorrowing(node + 1)) {
      action.accept(node);
    }
  }

  /**
   * {@return the first node from {@code node} on whose usage exceeds its own quota of a needed
   * pair; the number of nodes or more if there is none}
   */
  int nextBorrowing(int node) {
    int next = tree.nodeCount();
    for (int column : columns) {
      int ofColumn = tree.borrowers().next(node, column);
      next = ofColumn < 0 ? next : Math.min(next, ofColumn);
    }
    return next;
  }
}
