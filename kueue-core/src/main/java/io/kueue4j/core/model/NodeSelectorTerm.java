package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;

/**
 * One alternative of the required node affinity of a pod. A node matches it if all conditions hold.
 *
 * @param matchExpressions conditions on node labels
 * @param matchFields conditions on node fields; ignored in the choice of flavors
 * @since 0.1.0
 */
public record NodeSelectorTerm(
    ImmutableList<LabelRequirement> matchExpressions, ImmutableList<LabelRequirement> matchFields) {

  /** {@return the term with these conditions on node labels} */
  public static NodeSelectorTerm of(LabelRequirement... matchExpressions) {
    return new NodeSelectorTerm(ImmutableList.copyOf(matchExpressions), ImmutableList.of());
  }
}
