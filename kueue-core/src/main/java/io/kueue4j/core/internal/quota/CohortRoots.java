package io.kueue4j.core.internal.quota;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the roots of many cohorts while the forest does not change. Caches results, so that all
 * cohorts of a chain together cost only the length of the chain.
 */
final class CohortRoots {
  private final Map<CohortNode, CohortNode> known = new HashMap<>();

  /** {@return the root of the tree of a cohort} */
  CohortNode of(CohortNode cohort) {
    List<CohortNode> path = new ArrayList<>();
    CohortNode node = cohort;
    CohortNode root = known.get(node);
    while (root == null) {
      path.add(node);
      if (node.parent == null) {
        root = node;
      } else {
        node = node.parent;
        root = known.get(node);
      }
    }
    for (CohortNode below : path) {
      known.put(below, root);
    }
    return root;
  }
}
