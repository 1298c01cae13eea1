package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;

/**
 * One alternative of a pod's required node affinity; all its conditions hold together.
 *
 * @param matchExpressions conditions on node labels
 * @param matchFields conditions on node fields; never looked at when a flavor is chosen
 */
public record NodeSelectorTerm(
    ImmutableList<LabelRequirement> matchExpressions, ImmutableList<LabelRequirement> matchFields) {

  /** {@return the term with these conditions on node labels} */
  public static NodeSelectorTerm of(LabelRequirement... matchExpressions) {
    return new NodeSelectorTerm(ImmutableList.copyOf(matchExpressions), ImmutableList.of());
  }
}
