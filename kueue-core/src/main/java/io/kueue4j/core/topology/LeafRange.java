package io.kueue4j.core.topology;

/**
 * Leaves that follow one another.
 *
 * @param first the first of them
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
