package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * One alternative of the required node affinity of a pod. A node matches it if all conditions hold.
 *
 * @param matchExpressions conditions on node labels
 * @param matchFields conditions on node fields; ignored in the choice of flavors
 * @since 0.1.0
 */
public record NodeSelectorTerm(
    List<LabelRequirement> matchExpressions, List<LabelRequirement> matchFields) {
  /** Copies what it is given. */
  public NodeSelectorTerm {
    matchExpressions = ImmutableList.copyOf(matchExpressions);
    matchFields = ImmutableList.copyOf(matchFields);
  }

  /** {@return the term with these conditions on node labels} */
  public static NodeSelectorTerm of(LabelRequirement... matchExpressions) {
    return new NodeSelectorTerm(ImmutableList.copyOf(matchExpressions), ImmutableList.of());
  }
}
