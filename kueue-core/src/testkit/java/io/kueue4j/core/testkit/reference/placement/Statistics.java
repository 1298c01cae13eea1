package io.kueue4j.core.testkit.reference.placement;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The reasons why leaves cannot be used.
 *
 * <p>Rules: T-64.
 */
final class Statistics {
  private final SortedMap<String, Integer> excluded = new TreeMap<>();
  private final int leaves;

  Statistics(int leaves) {
    this.leaves = leaves;
  }

  void exclude(String reason) {
    excluded.merge(reason, 1, Integer::sum);
  }

  /** {@return the end of a failure message, empty if no leaf was excluded} */
  String suffix() {
    if (excluded.isEmpty()) {
      return "";
    }
    return ". Total nodes: " + leaves + "; excluded: "
        + excluded.entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue())
            .collect(Collectors.joining(", "));
  }
}
