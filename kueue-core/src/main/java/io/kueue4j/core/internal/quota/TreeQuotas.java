package io.kueue4j.core.internal.quota;

import io.kueue4j.core.internal.compiled.ColumnMap;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.TreeNode.DeclaredQuota;
import io.kueue4j.core.resource.Amount;
import java.util.Arrays;
import java.util.List;

/**
 * The shape of one tree of cohorts with its quotas and limits, and everything that follows from
 * these alone: the subtree quota, the part that is never lent, the greatest request that could ever
 * be admitted. All of it is computed once and never changes, so that copies of a {@link QuotaTree}
 * share it.
 *
 * <p>Nodes and columns are numbered as in the {@link QuotaTree}. All amounts of a kind are in one
 * array, with the columns of a node side by side ({@link #at}). Callers must not change the arrays.
 *
 * <p>Rules: N-7, Q-1, Q-2, Q-9, Q-11.
 */
final class TreeQuotas {
  /** The parent of each node, negative for the root. */
  final int[] parent;

  /** The greatest number of ancestors of a node. */
  final int depth;

  /** The pair of each column. */
  final FlavorResource[] pairOfColumn;

  final ColumnMap<FlavorResource> columnOfPair;

  /** Whether the node or a descendant declares a quota. */
  final boolean[] declared;

  /** What the node declares itself. */
  final long[] nominal;

  /** {@link DeclaredQuota#NO_LIMIT} for none. */
  final long[] borrowingLimit;

  /** The quota of the node plus what its children lend. */
  final long[] subtree;

  /** The part of the subtree quota that the node never lends. */
  final long[] local;

  /** The greatest request that could ever be admitted at the node. */
  final long[] potential;

  /**
   * Computes the quotas of a tree.
   *
   * @param exact whether an unlimited amount is the greatest amount, of which a part may be lent
   */
  TreeQuotas(List<TreeNode> nodes, FlavorResource[] pairOfColumn, boolean exact) {
    this.parent = nodes.stream().mapToInt(TreeNode::parent).toArray();
    this.depth = depth(parent);
    this.pairOfColumn = pairOfColumn;
    this.columnOfPair = ColumnMap.indexing(pairOfColumn);
    int size = parent.length * pairOfColumn.length;
    this.declared = new boolean[size];
    this.nominal = new long[size];
    this.borrowingLimit = new long[size];
    this.subtree = new long[size];
    this.local = new long[size];
    this.potential = new long[size];
    long[] lendingLimit = new long[size];
    Arrays.fill(borrowingLimit, DeclaredQuota.NO_LIMIT);
    Arrays.fill(lendingLimit, DeclaredQuota.NO_LIMIT);
    for (int node = 0; node < parent.length; node++) {
      for (DeclaredQuota quota : nodes.get(node).quotas()) {
        int at = at(node, columnOfPair.get(quota.pair()));
        declared[at] = true;
        nominal[at] = quota.nominal();
        borrowingLimit[at] = quota.borrowingLimit();
        lendingLimit[at] = quota.lendingLimit();
      }
    }
    computeSubtrees(lendingLimit, exact);
    computePotentials();
  }

  private static int depth(int[] parent) {
    int[] above = new int[parent.length];
    int greatest = 0;
    for (int node = 0; node < parent.length; node++) {
      above[node] = parent[node] < 0 ? 0 : above[parent[node]] + 1;
      greatest = Math.max(greatest, above[node]);
    }
    return greatest;
  }

  private void computeSubtrees(long[] lendingLimit, boolean exact) {
    System.arraycopy(nominal, 0, subtree, 0, subtree.length);
    for (int node = parent.length - 1; node >= 0; node--) {
      for (int column = 0; column < pairOfColumn.length; column++) {
        int at = at(node, column);
        if (lendingLimit[at] != DeclaredQuota.NO_LIMIT) {
          local[at] = Math.max(
              0,
              exact
                  ? subtree[at] - lendingLimit[at]
                  : Amount.subtract(subtree[at], lendingLimit[at]));
        }
        if (parent[node] >= 0) {
          int above = at(parent[node], column);
          subtree[above] = Amount.add(subtree[above], lent(at));
          declared[above] |= declared[at];
        }
      }
    }
  }

  private void computePotentials() {
    for (int node = 0; node < parent.length; node++) {
      for (int column = 0; column < pairOfColumn.length; column++) {
        int at = at(node, column);
        if (parent[node] < 0) {
          potential[at] = subtree[at];
          continue;
        }
        potential[at] = Amount.add(local[at], potential[at(parent[node], column)]);
        if (borrowingLimit[at] != DeclaredQuota.NO_LIMIT) {
          potential[at] = Math.min(Amount.add(subtree[at], borrowingLimit[at]), potential[at]);
        }
      }
    }
  }

  /** {@return what the node lends, at most} */
  long lent(int at) {
    return subtree[at] - local[at];
  }

  /** {@return the index of a column of a node} */
  int at(int node, int column) {
    return node * pairOfColumn.length + column;
  }
}
