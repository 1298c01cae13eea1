package io.kueue4j.core.internal.topology;

/**
 * A range of consecutive leaves.
 *
 * @param first the first leaf
 * @param end the leaf after the last
 */
record LeafRange(int first, int end) {
  /** {@return the leaves of a domain} */
  static LeafRange of(DomainTree tree, int level, int domain) {
    return new LeafRange(tree.firstLeaf(level, domain), tree.endOfLeaves(level, domain));
  }

  boolean isEmpty() {
    return first >= end;
  }
}
