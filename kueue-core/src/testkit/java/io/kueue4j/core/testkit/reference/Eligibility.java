package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Whether pods may run on a flavor at all.
 *
 * <p>Rules: F-10, F-11, F-12, M-3.
 */
enum Eligibility {
  /** They may. */
  ELIGIBLE,
  /** They may not; another flavor may be eligible. */
  INELIGIBLE,
  /** Their affinity is invalid, so no flavor is eligible (F-12). */
  UNREADABLE;

  /** {@return the first obstacle of any of {@code podSets}} */
  static Eligibility of(
      List<PodSet> podSets, ResourceFlavor flavor, TopologyRules topologies, ResourceGroup group) {
    return podSets.stream()
        .map(podSet -> topologies.allow(podSet, flavor, group) ? of(podSet, flavor) : INELIGIBLE)
        .filter(eligibility -> eligibility != ELIGIBLE)
        .findFirst()
        .orElse(ELIGIBLE);
  }

  private static Eligibility of(PodSet podSet, ResourceFlavor flavor) {
    boolean tolerated = flavor.nodeTaints().stream()
        .filter(taint -> taint.effect().excludes())
        .allMatch(taint -> isTolerated(taint, podSet, flavor));
    if (!tolerated || !matchesSelector(podSet, flavor.nodeLabels())) {
      return INELIGIBLE;
    }
    return affinity(podSet.nodeAffinity(), flavor.nodeLabels());
  }

  /** M-3: what the flavor tolerates counts as if the pods did. */
  private static boolean isTolerated(Taint taint, PodSet podSet, ResourceFlavor flavor) {
    Stream<Toleration> tolerations =
        Stream.concat(podSet.tolerations().stream(), flavor.tolerations().stream());
    return tolerations.anyMatch(toleration -> toleration.tolerates(taint));
  }

  /** F-11: only by keys that the flavor has. */
  private static boolean matchesSelector(PodSet podSet, Map<String, String> labels) {
    return podSet.nodeSelector().entrySet().stream()
        .filter(wanted -> labels.containsKey(wanted.getKey()))
        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
  }

  /** F-11, F-12: alternatives, of which one without conditions on the flavor suffices. */
  private static Eligibility affinity(List<NodeSelectorTerm> terms, Map<String, String> labels) {
    List<List<LabelRequirement>> reduced = new ArrayList<>();
    for (NodeSelectorTerm term : terms) {
      reduced.add(term.matchExpressions().stream()
          .filter(requirement -> labels.containsKey(requirement.key()))
          .toList());
    }
    if (terms.isEmpty() || reduced.stream().anyMatch(List::isEmpty)) {
      return ELIGIBLE;
    }
    Eligibility result = INELIGIBLE;
    for (List<LabelRequirement> term : reduced) {
      if (term.stream().anyMatch(requirement -> requirement.problem().isPresent())) {
        result = UNREADABLE;
      } else if (term.stream().allMatch(requirement -> requirement.matches(labels))) {
        return ELIGIBLE;
      }
    }
    return result;
  }
}
