package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.List;
import java.util.Optional;

/**
 * The slices of a topology request.
 *
 * <p>Rules: T-16, T-19, T-48.
 *
 * @param layers the slices and their inner slices; empty if each pod is one
 */
record Slices(List<SliceConstraint> layers) {

  /** T-16: the list takes precedence; the size is 0 if it is missing. */
  static Slices of(TopologyRequest request) {
    if (!request.sliceConstraints().isEmpty()) {
      return new Slices(request.sliceConstraints());
    }
    return new Slices(request
        .sliceTopology()
        .map(level ->
            ImmutableList.of(new SliceConstraint(level, request.sliceSize().orElse(0))))
        .orElse(ImmutableList.of()));
  }

  boolean areRequested() {
    return !layers.isEmpty();
  }

  /** T-19. */
  int size() {
    return layers.isEmpty() ? 1 : layers.get(0).size();
  }

  /** T-19. */
  int level(List<String> levels) {
    return layers.isEmpty() ? levels.size() - 1 : levels.indexOf(layers.get(0).topology());
  }

  boolean haveSeveralLayers() {
    return layers.size() > 1;
  }

  /** T-48: the size of the inner slices at a level below the outermost, else 1. */
  int innerSize(int level, List<String> levels) {
    for (int i = 1; i < layers.size(); i++) {
      boolean isBelowParent = level > levels.indexOf(layers.get(i - 1).topology());
      if (isBelowParent && level <= levels.indexOf(layers.get(i).topology())) {
        return layers.get(i).size();
      }
    }
    return 1;
  }

  /** T-19: the problem of the inner layers, if any. */
  Optional<String> problemOfInnerLayers(List<String> levels) {
    for (int i = 1; i < layers.size(); i++) {
      SliceConstraint outer = layers.get(i - 1);
      SliceConstraint inner = layers.get(i);
      if (!levels.contains(inner.topology())) {
        return Optional.of(
            "no requested topology level for additional slice layer: " + inner.topology());
      }
      if (levels.indexOf(inner.topology()) <= levels.indexOf(outer.topology())) {
        return Optional.of("additional slice layer topology " + inner.topology()
            + " must be at a lower level than " + outer.topology());
      }
      if (outer.size() % inner.size() != 0) {
        return Optional.of("additional slice layer size " + inner.size()
            + " must evenly divide parent layer size " + outer.size());
      }
    }
    return Optional.empty();
  }
}
