package io.kueue4j.core.testkit.reference.placement;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The leaves found for pods.
 *
 * <p>Rules: T-50.
 *
 * @param pods the pods of each leaf
 * @param ofLeader the leaf of the leader with 1, empty if there is no leader
 */
record Found(Map<Leaf, Integer> pods, Map<Leaf, Integer> ofLeader) {
  static Found of(List<Domain> leaves) {
    Map<Leaf, Integer> pods = new LinkedHashMap<>();
    Map<Leaf, Integer> ofLeader = new LinkedHashMap<>();
    for (Domain domain : leaves) {
      Leaf leaf = Objects.requireNonNull(domain.leaf);
      if (domain.takenPods > 0) {
        pods.put(leaf, (int) domain.takenPods);
      }
      if (domain.takesLeader) {
        ofLeader.put(leaf, 1);
      }
    }
    return new Found(pods, ofLeader);
  }

  int count() {
    return pods.values().stream().mapToInt(Integer::intValue).sum();
  }
}
