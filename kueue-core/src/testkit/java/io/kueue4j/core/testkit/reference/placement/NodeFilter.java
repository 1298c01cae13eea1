package io.kueue4j.core.testkit.reference.placement;

import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether pods may run on a node, and how much they prefer it.
 *
 * <p>Rules: T-13, T-61; field conditions support one field, the name.
 */
final class NodeFilter {
  private static final String NAME_FIELD = "metadata.name";

  private NodeFilter() {}

  /** {@return the first reason against it, as worded in the statistics (T-64)} */
  static Optional<String> obstacle(PodSet podSet, ResourceFlavor flavor, Node node) {
    Optional<Taint> untolerated = node.taints().stream()
        .filter(taint -> taint.effect().excludes())
        .filter(taint -> Stream.concat(podSet.tolerations().stream(), flavor.tolerations().stream())
            .noneMatch(toleration -> toleration.tolerates(taint)))
        .findFirst();
    if (untolerated.isPresent()) {
      return Optional.of("taint \"" + untolerated.get() + "\"");
    }
    if (!node.labels().entrySet().containsAll(podSet.nodeSelector().entrySet())) {
      return Optional.of("nodeSelector");
    }
    boolean isLiked = podSet.nodeAffinity().isEmpty()
        || podSet.nodeAffinity().stream().anyMatch(term -> matches(term, node));
    return isLiked ? Optional.empty() : Optional.of("affinity");
  }

  /** T-61: the preference of pods for a node. */
  static long score(PodSet podSet, Node node) {
    return podSet.preferredNodeAffinity().stream()
        .filter(term -> matches(term.preference(), node))
        .mapToLong(PreferredNodeTerm::weight)
        .sum();
  }

  /** A term without conditions matches no node. */
  private static boolean matches(NodeSelectorTerm term, Node node) {
    boolean isEmpty = term.matchExpressions().isEmpty() && term.matchFields().isEmpty();
    return !isEmpty
        && term.matchExpressions().stream()
            .allMatch(requirement -> requirement.matches(node.labels()))
        && term.matchFields().stream().allMatch(requirement -> matchesField(requirement, node));
  }

  private static boolean matchesField(LabelRequirement requirement, Node node) {
    return requirement.key().equals(NAME_FIELD)
        && new LabelRequirement(NAME_FIELD, requirement.operator(), requirement.values())
            .matches(Map.of(NAME_FIELD, node.name()));
  }
}
