package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeAffinityBuilder;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Restricts pods to nodes with one of several values of a label; always on copies. */
final class SliceAffinity {
  private SliceAffinity() {}

  /** {@return the affinity with requirements added to every alternative} */
  static @Nullable Affinity add(
      @Nullable Affinity affinity, ImmutableList<NodeSelectorRequirement> requirements) {
    if (requirements.isEmpty()) {
      return affinity;
    }
    Optional<NodeAffinity> ofNodes =
        Optional.ofNullable(affinity).flatMap(of -> Optional.ofNullable(of.getNodeAffinity()));
    List<NodeSelectorTerm> terms = ofNodes
        .flatMap(of -> Optional.ofNullable(of.getRequiredDuringSchedulingIgnoredDuringExecution()))
        .map(NodeSelector::getNodeSelectorTerms)
        .map(Elements::<NodeSelectorTerm>of)
        .filter(given -> !given.isEmpty())
        .orElse(ImmutableList.of(new NodeSelectorTerm()));
    NodeSelector required = new NodeSelectorBuilder()
        .withNodeSelectorTerms(terms.stream()
            .map(term -> new NodeSelectorTermBuilder(term)
                .addAllToMatchExpressions(requirements)
                .build())
            .toList())
        .build();
    NodeAffinity edited = ofNodes
        .map(NodeAffinityBuilder::new)
        .orElseGet(NodeAffinityBuilder::new)
        .withRequiredDuringSchedulingIgnoredDuringExecution(required)
        .build();
    return Optional.ofNullable(affinity)
        .map(AffinityBuilder::new)
        .orElseGet(AffinityBuilder::new)
        .withNodeAffinity(edited)
        .build();
  }
}
