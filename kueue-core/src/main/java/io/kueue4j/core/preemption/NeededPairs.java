package io.kueue4j.core.preemption;

import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.quota.QuotaTree;
import java.util.Arrays;

/**
 * The pairs of flavor and resource in one tree that lack room.
 *
 * <p>Rules: P-4, Q-15.
 */
final class NeededPairs {
  private final QuotaTree tree;
  private final int[] pairs;
  private final int[] columns;

  NeededPairs(QuotaTree tree, int[] pairs) {
    this.tree = tree;
    this.pairs = pairs;
    this.columns = columns(tree, pairs);
  }

  static int[] columns(QuotaTree tree, int[] pairs) {
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

  /** {@return whether giving up what {@code holder} holds could help} */
  boolean concerns(QuotaHolder holder) {
    for (int pair : pairs) {
      if (holder.holds(pair)) {
        return true;
      }
    }
    return false;
  }

  /** {@return whether a column is one of those that are needed} */
  boolean contains(int column) {
    for (int needed : columns) {
      if (needed == column) {
        return true;
      }
    }
    return false;
  }

  /** {@return whether the node uses no more than its own quota of everything that is needed} */
  boolean isWithinNominal(int node) {
    for (int column : columns) {
      if (tree.borrowsWith(node, column, 0)) {
        return false;
      }
    }
    return true;
  }

  /** {@return whether the queue uses less than its nominal quota of everything that is needed} */
  boolean isBelowNominal(int queue) {
    for (int column : columns) {
      if (tree.usage(queue, column) >= tree.nominal(queue, column)) {
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
    for (int column : columns) {
      int ofColumn = tree.borrowers().next(node, column);
      next = ofColumn < 0 ? next : Math.min(next, ofColumn);
    }
    return next;
  }
}
