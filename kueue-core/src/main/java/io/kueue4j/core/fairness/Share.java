package io.kueue4j.core.fairness;

import io.kueue4j.core.quota.QuotaTree;
import io.kueue4j.core.quota.TreeLayout;
import io.kueue4j.core.resource.Amount;

/**
 * The dominant resource share of a queue or cohort: what it borrows of the resource that it borrows
 * most of, in thousandths of what its parent could lend.
 *
 * <p>Rules: H-1, H-2, H-3, H-4, H-5, H-6, H-7, H-8.
 *
 * @param borrows whether it uses more than its own of anything
 * @param ratio the share, its weight aside
 * @param weight its weight
 */
public record Share(boolean borrows, double ratio, double weight) implements Comparable<Share> {
  private static final double SCALE = 1000;

  /** {@return the share of a node now} */
  public static Share of(QuotaTree tree, TreeLayout layout, int node) {
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

  /** {@return whether it has no weight and yet borrows, which is more than any weighted share} */
  public boolean isInfinite() {
    return weight == 0 && ratio != 0;
  }

  /** {@return the share with regard to the weight} */
  public double weighted() {
    if (ratio == 0) {
      return 0;
    }
    return weight == 0 ? Double.POSITIVE_INFINITY : ratio / weight;
  }

  /** {@return the weighted share as it is shown: rounded up, the largest number for infinite} */
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
