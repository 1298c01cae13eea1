package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableMap;
import java.util.Optional;
import java.util.Set;

/**
 * A workload that is tried in a queue.
 *
 * @param job the workload
 * @param queue the ClusterQueue
 * @param memory where the walk over flavors resumes, absent to start anew
 * @param pinned the flavors to keep to, by position of the pod set and resource; absent for all
 */
record Attempt(
    Job job,
    String queue,
    Optional<ScanMemory> memory,
    Optional<ImmutableMap<Integer, ImmutableMap<String, String>>> pinned) {

  /** F-24. */
  int resumeIndex(int podSet, String resource) {
    return memory.map(known -> known.resumeIndex(podSet, resource)).orElse(0);
  }

  /** F-9. */
  boolean allows(String flavor, Set<Integer> podSets, String resource) {
    return pinned
        .map(pins -> podSets.stream()
            .map(podSet -> pins.getOrDefault(podSet, ImmutableMap.of()).get(resource))
            .anyMatch(flavor::equals))
        .orElse(true);
  }
}
