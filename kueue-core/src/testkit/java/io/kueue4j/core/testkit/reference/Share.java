package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.resource.Amount;
import java.util.Map;
import java.util.TreeMap;

/**
 * The borrowed part of what could be lent to a queue or cohort.
 *
 * <p>Rules: H-2, H-3, H-4, H-5, H-6, H-7.
 *
 * @param isBorrowing whether it borrows anything
 * @param ratio thousandths of what could be lent, for the resource with the highest value
 * @param weight divides the ratio
 */
record Share(boolean isBorrowing, double ratio, double weight) {

  static Share of(Node node) {
    if (node.parent == null) {
      return new Share(false, 0, node.weight);
    }
    boolean borrows = false;
    Map<String, Long> borrowed = new TreeMap<>();
    for (FlavorResource pair : node.knownPairs()) {
      long amount = Math.max(0, Amount.subtract(node.usage(pair), node.subtree(pair)));
      borrowed.merge(pair.resource(), amount, Amount::add);
      borrows |= amount > 0;
    }
    Map<String, Long> lendable = new TreeMap<>();
    if (borrows) {
      for (FlavorResource pair : node.root().knownPairs()) {
        lendable.merge(pair.resource(), node.parent.potential(pair), Amount::add);
      }
    }
    double ratio = 0;
    for (Map.Entry<String, Long> entry : borrowed.entrySet()) {
      long lent = lendable.getOrDefault(entry.getKey(), 0L);
      if (lent > 0) {
        ratio = Math.max(ratio, (double) entry.getValue() * 1000.0 / (double) lent);
      }
    }
    return new Share(borrows, ratio, node.weight);
  }

  /** H-6: borrowing at weight 0. */
  boolean isInfinite() {
    return weight == 0 && ratio != 0;
  }

  /**
   * H-7.
   *
   * @return negative if this is lower, 0 if they are equal
   */
  int compareWith(Share other) {
    if (isInfinite() && other.isInfinite()) {
      return Double.compare(ratio, other.ratio);
    }
    return Double.compare(weighted(), other.weighted());
  }

  private double weighted() {
    return ratio == 0 ? 0 : ratio / weight;
  }
}
