package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One weighted term of the preferred node affinity of a pod.
 *
 * <p>Kubernetes: {@code preferredDuringSchedulingIgnoredDuringExecution} of a node affinity. Rules:
 * T-61.
 *
 * @param weight the weight, from 1 to 100
 * @param preference the preferred nodes
 * @since 0.1.0
 */
public record PreferredNodeTerm(int weight, NodeSelectorTerm preference) {
  /**
   * Creates the term.
   *
   * @throws IllegalArgumentException if the weight is not 1 to 100
   */
  public PreferredNodeTerm {
    checkArgument(
        weight >= 1 && weight <= 100, "the weight is %s, expected a number from 1 to 100", weight);
  }
}
