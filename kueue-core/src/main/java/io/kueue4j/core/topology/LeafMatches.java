package io.kueue4j.core.topology;

import com.google.common.collect.ImmutableSortedMap;
import java.util.BitSet;
import java.util.TreeMap;

/**
 * Which leaves of an inventory pods may use, by taints, selectors and affinity, and what keeps them
 * from the others. Never changes.
 *
 * <p>Rules: T-13, T-15, T-64.
 */
final class LeafMatches {
  private final BitSet excluded;
  private final ImmutableSortedMap<String, Integer> exclusions;

  private LeafMatches(BitSet excluded, ImmutableSortedMap<String, Integer> exclusions) {
    this.excluded = excluded;
    this.exclusions = exclusions;
  }

  boolean passes(int leaf) {
    return !excluded.get(leaf);
  }

  /** {@return the same but for one leaf, which may not be used either} */
  LeafMatches without(int leaf, String reason) {
    Builder fewer = new Builder();
    fewer.excluded.or(excluded);
    fewer.exclusions.putAll(exclusions);
    if (passes(leaf)) {
      fewer.exclude(leaf, reason);
    }
    return fewer.build();
  }

  /** {@return how many leaves are excluded for which reason} */
  ImmutableSortedMap<String, Integer> exclusions() {
    return exclusions;
  }

  /** Collects what is excluded. */
  static final class Builder {
    private final BitSet excluded = new BitSet();
    private final TreeMap<String, Integer> exclusions = new TreeMap<>();

    void exclude(int leaf, String reason) {
      excluded.set(leaf);
      exclusions.merge(reason, 1, Integer::sum);
    }

    LeafMatches build() {
      return new LeafMatches(excluded, ImmutableSortedMap.copyOf(exclusions));
    }
  }
}
