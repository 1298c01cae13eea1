package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableMap;
import java.util.Optional;

/**
 * The progress of a search over flavors, and its time.
 *
 * <p>Rules: F-23, F-24, F-25.
 *
 * @param triedIndexes the index of the last flavor that was tried, -1 for the last of the list; by
 *     position of the pod set and by resource
 * @param cycle the cycle of the attempt
 * @param generation the generation of the queue at that time
 * @param shape the shape of the workload at that time, if known
 */
record ScanMemory(
    ImmutableMap<Integer, ImmutableMap<String, Integer>> triedIndexes,
    long cycle,
    long generation,
    Optional<Job.Shape> shape) {
  /** The index that stands for the end of the list. */
  static final int END = -1;

  /** F-24: where the next search starts. */
  int resumeIndex(int podSet, String resource) {
    return triedIndexes.getOrDefault(podSet, ImmutableMap.of()).getOrDefault(resource, END) + 1;
  }

  /** F-24. */
  boolean hasPendingFlavors() {
    return triedIndexes.values().stream()
        .flatMap(indexes -> indexes.values().stream())
        .anyMatch(index -> index != END);
  }

  /** Unknown shapes match. */
  boolean isOfShape(Optional<Job.Shape> other) {
    return shape.isEmpty() || other.isEmpty() || shape.equals(other);
  }
}
