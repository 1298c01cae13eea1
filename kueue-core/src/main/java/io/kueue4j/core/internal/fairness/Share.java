package io.kueue4j.core.internal.fairness;

import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.quota.TreeLayout;
import io.kueue4j.core.resource.Amount;

/**
 * The dominant resource share of a queue or cohort: the largest ratio, over all resources, of what
 * it borrows to what its parent could lend, in thousandths.
 *
 * <p>Rules: H-1, H-2, H-3, H-4, H-5, H-6, H-7, H-8.
 *
 * @param borrows whether it uses more than its own quota of any resource
 * @param ratio the share without regard to the weight
 * @param weight the weight
 */
public record Share(boolean borrows, double ratio, double weight) implements Comparable<Share> {
  private static final double SCALE = 1000;

  /** {@return the current share of a node} */
  public static Share of(QuotaTree tree, int node) {
    TreeLayout layout = tree.layout();
    double weight = layout.weight(node);
    if (!tree.hasParent(node)) {
      return new Share(false, 0, weight);
    }
    long[] borrowed = new long[layout.resourceCount()];
    boolean borrows = false;
    for (int column = 0; column < tree.columnCount(); column++) {
      long excess = Amount.subtract(tree.usage(node, column), tree.subtree(node, column));
      if (excess > 0 && tree.isDeclared(node, column)) {
        borrows = true;
        int resource = layout.resourceOfColumn(column);
        borrowed[resource] = Amount.add(borrowed[resource], excess);
      }
    }
    double ratio = 0;
    if (borrows) {
      int parent = tree.parent(node);
      for (int resource = 0; resource < borrowed.length; resource++) {
        long lendable = layout.lendable(parent, resource);
        if (lendable > 0) {
          ratio = Math.max(ratio, borrowed[resource] * SCALE / lendable);
        }
      }
    }
    return new Share(borrows, ratio, weight);
  }

  /** {@return whether the node borrows with weight 0, which exceeds every other share} */
  public boolean isInfinite() {
    return weight == 0 && ratio != 0;
  }

  /** {@return the share divided by the weight} */
  public double weighted() {
    if (ratio == 0) {
      return 0;
    }
    return weight == 0 ? Double.POSITIVE_INFINITY : ratio / weight;
  }

  /**
   * {@return the weighted share as reported: rounded up, {@link Long#MAX_VALUE} for an infinite
   * one}
   */
  public long reported() {
    return (long) Math.ceil(weighted());
  }

  @Override
  public int compareTo(Share other) {
    if (isInfinite() && other.isInfinite()) {
      return Double.compare(ratio, other.ratio);
    }
    return Double.compare(weighted(), other.weighted());
  }
}
