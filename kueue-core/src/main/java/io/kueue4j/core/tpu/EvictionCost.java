package io.kueue4j.core.tpu;

import com.google.common.math.LongMath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cost of evicting some distinct owners.
 *
 * @param cost the sum of their costs, less than the cost of a protected owner
 * @param size the number of owners
 * @param chips the number of chips of all their slices
 * @param last the owners added last
 * @param before the cost before that
 */
record EvictionCost(
    long cost,
    int size,
    long chips,
    List<Owner> last,
    @Nullable EvictionCost before) {
  static final EvictionCost NOTHING = new EvictionCost(0, 0, 0, List.of(), null);

  /** Lowest cost first, then fewest owners, then fewest chips. */
  static final Comparator<EvictionCost> ORDER = Comparator.comparingLong(EvictionCost::cost)
      .thenComparingInt(EvictionCost::size)
      .thenComparingLong(EvictionCost::chips);

  /** {@return this cost plus the cost of more owners, none of which is protected} */
  EvictionCost plus(List<Owner> more) {
    long sum = cost;
    long all = chips;
    for (Owner owner : more) {
      sum = sum(sum, owner.cost());
      all += owner.chips();
    }
    return new EvictionCost(sum, size + more.size(), all, more, this);
  }

  /** {@return the sum of two costs, saturated just below the cost of a protected owner} */
  static long sum(long one, long other) {
    return Math.min(LongMath.saturatedAdd(one, other), SlicePlanner.PROTECTED - 1);
  }

  boolean isBetterThan(@Nullable EvictionCost other) {
    return other == null || ORDER.compare(this, other) < 0;
  }

  List<Owner> owners() {
    List<Owner> all = new ArrayList<>(size);
    for (EvictionCost cost = this; cost != null; cost = cost.before()) {
      all.addAll(cost.last());
    }
    return all;
  }
}
