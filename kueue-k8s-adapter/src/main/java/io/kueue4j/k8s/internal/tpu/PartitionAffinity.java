package io.kueue4j.k8s.internal.tpu;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.kueue4j.core.tpu.SliceShape;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether pods accept a degraded partition: they do unless their node selector or required node
 * affinity excludes it by the label of its state.
 *
 * <p>Rules: TPU-U-31.
 */
final class PartitionAffinity {
  private static final String DEGRADED = "DEGRADED";
  private static final int CUBE_EDGE = 4;

  private PartitionAffinity() {}

  static boolean allowsDegraded(@Nullable PodSpec spec, SliceShape shape) {
    if (spec == null) {
      return true;
    }
    boolean wholeCubes = Math.min(shape.x(), Math.min(shape.y(), shape.z())) >= CUBE_EDGE;
    String label = TpuLabels.partitionState(wholeCubes ? TpuNode.CUBE : shape.toString());
    String selected = Objects.requireNonNullElse(spec.getNodeSelector(), Map.<String, String>of())
        .get(label);
    List<NodeSelectorTerm> terms = Optional.ofNullable(spec.getAffinity())
        .map(Affinity::getNodeAffinity)
        .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
        .map(NodeSelector::getNodeSelectorTerms)
        .orElse(List.of());
    return (selected == null || selected.equals(DEGRADED))
        && (terms.isEmpty() || terms.stream().anyMatch(term -> allowsDegraded(term, label)));
  }

  private static boolean allowsDegraded(@Nullable NodeSelectorTerm term, String label) {
    List<NodeSelectorRequirement> expressions =
        Optional.ofNullable(term).map(NodeSelectorTerm::getMatchExpressions).orElse(List.of());
    return expressions.stream()
        .filter(expression -> expression != null && label.equals(expression.getKey()))
        .allMatch(PartitionAffinity::admitsDegraded);
  }

  private static boolean admitsDegraded(NodeSelectorRequirement expression) {
    List<String> values = Objects.requireNonNullElse(expression.getValues(), List.<String>of());
    return switch (Objects.requireNonNullElse(expression.getOperator(), "")) {
      case "In" -> values.contains(DEGRADED);
      case "NotIn" -> !values.contains(DEGRADED);
      case "DoesNotExist" -> false;
      default -> true;
    };
  }
}
