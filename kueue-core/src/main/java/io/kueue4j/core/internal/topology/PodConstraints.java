package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The constraints that exclude the pods of a pod set from nodes. Immutable.
 *
 * <p>Rules: T-13, T-61, T-64.
 *
 * @param tolerations the taints that the pods tolerate
 * @param nodeSelector the labels that a node must have
 * @param nodeAffinity alternatives of conditions on a node, empty for none
 */
record PodConstraints(
    List<Toleration> tolerations,
    SortedMap<String, String> nodeSelector,
    List<NodeSelectorTerm> nodeAffinity) {
  private static final String NAME_FIELD = "metadata.name";

  static PodConstraints of(PodSet podSet) {
    return new PodConstraints(podSet.tolerations(), podSet.nodeSelector(), podSet.nodeAffinity());
  }

  /**
   * {@return why the pods cannot use {@code node}, null if they can}
   *
   * @param flavorTolerations the tolerations of the flavor, which apply to all pods
   */
  @Nullable
  String obstacle(Node node, List<Toleration> flavorTolerations) {
    for (Taint taint : node.taints()) {
      if (taint.effect().excludes()
          && Stream.concat(tolerations.stream(), flavorTolerations.stream())
              .noneMatch(toleration -> toleration.tolerates(taint))) {
        return "taint \"" + taint + "\"";
      }
    }
    for (Map.Entry<String, String> selected : nodeSelector.entrySet()) {
      if (!selected.getValue().equals(node.labels().get(selected.getKey()))) {
        return "nodeSelector";
      }
    }
    boolean matches =
        nodeAffinity.isEmpty() || nodeAffinity.stream().anyMatch(term -> matches(term, node));
    return matches ? null : "affinity";
  }

  /** {@return whether a term of a node affinity matches {@code node}} */
  static boolean matches(NodeSelectorTerm term, Node node) {
    if (term.matchExpressions().isEmpty() && term.matchFields().isEmpty()) {
      return false;
    }
    Map<String, String> fields = ImmutableMap.of(NAME_FIELD, node.name());
    return all(term.matchExpressions(), node.labels()) && all(term.matchFields(), fields);
  }

  private static boolean all(List<LabelRequirement> requirements, Map<String, String> values) {
    return requirements.stream().allMatch(requirement -> requirement.matches(values));
  }
}
