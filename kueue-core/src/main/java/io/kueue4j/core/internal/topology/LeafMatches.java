package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableSortedMap;
import java.util.BitSet;
import java.util.TreeMap;

/**
 * The leaves of an inventory that pods may use according to taints, selectors and affinity, and why
 * the others are excluded. Immutable.
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

  /** {@return a copy with one more leaf excluded} */
  LeafMatches without(int leaf, String reason) {
    Builder fewer = new Builder();
    fewer.excluded.or(excluded);
    fewer.exclusions.putAll(exclusions);
    if (passes(leaf)) {
      fewer.exclude(leaf, reason);
    }
    return fewer.build();
  }

  /** {@return the number of excluded leaves by reason} */
  ImmutableSortedMap<String, Integer> exclusions() {
    return exclusions;
  }

  /** Collects excluded leaves. */
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
