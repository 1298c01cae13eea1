package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Nodes that a pod would rather run on.
 *
 * <p>Kubernetes: {@code preferredDuringSchedulingIgnoredDuringExecution} of a node affinity. Rules:
 * T-61.
 *
 * @param weight how much rather, from 1 to 100
 * @param preference the nodes
 */
public record PreferredNodeTerm(int weight, NodeSelectorTerm preference) {
  /** Refuses weights that Kubernetes refuses. */
  public PreferredNodeTerm {
    checkArgument(
        weight >= 1 && weight <= 100, "the weight is %s, expected a number from 1 to 100", weight);
  }
}
