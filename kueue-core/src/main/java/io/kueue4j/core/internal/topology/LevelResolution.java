package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.topology.LevelRequest.Mode;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of resolving a topology request against the levels of a topology: a request, or why it
 * is invalid there.
 *
 * <p>Rules: T-17, T-19.
 *
 * @param request the request, null if it is invalid
 * @param problem why it is invalid, empty if it is valid
 */
record LevelResolution(@Nullable LevelRequest request, String problem) {
  /** Ends the resolution of an invalid request. */
  private static final class Problem extends Exception {
    private static final long serialVersionUID = 1L;

    Problem(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * {@return the resolution of {@code request} for a topology with {@code levels}}
   *
   * @param implied whether pods are placed even if they do not request it
   */
  static LevelResolution of(TopologyRequest request, List<String> levels, boolean implied) {
    try {
      return new LevelResolution(resolve(request, levels, implied), "");
    } catch (Problem problem) {
      return new LevelResolution(null, String.valueOf(problem.getMessage()));
    }
  }

  private static LevelRequest resolve(TopologyRequest request, List<String> levels, boolean implied)
      throws Problem {
    List<SliceConstraint> constraints = constraints(request);
    Mode mode = Mode.UNCONSTRAINED;
    String level;
    if (request.required().isPresent()) {
      mode = Mode.REQUIRED;
      level = request.required().get();
    } else if (request.preferred().isPresent()) {
      mode = Mode.PREFERRED;
      level = request.preferred().get();
    } else if (!constraints.isEmpty()) {
      level = levels.get(0);
    } else if (request.unconstrained().orElse(false) || implied) {
      level = levels.get(levels.size() - 1);
    } else {
      throw new Problem("topology level not specified");
    }
    int search = levels.indexOf(level);
    if (search < 0) {
      throw new Problem("no requested topology level: " + level);
    }
    SliceLayers slices = constraints.isEmpty()
        ? SliceLayers.none(levels.size())
        : slices(constraints, levels, search);
    return new LevelRequest(search, mode, slices);
  }

  /** {@return the requested slices, coarsest first, with 0 for a missing size} */
  private static List<SliceConstraint> constraints(TopologyRequest request) {
    if (!request.sliceConstraints().isEmpty()) {
      return request.sliceConstraints();
    }
    return request
        .sliceTopology()
        .map(level ->
            ImmutableList.of(new SliceConstraint(level, request.sliceSize().orElse(0))))
        .orElse(ImmutableList.of());
  }

  private static SliceLayers slices(
      List<SliceConstraint> constraints, List<String> levels, int search) throws Problem {
    SliceConstraint outer = constraints.get(0);
    if (outer.size() <= 0) {
      throw new Problem("slice topology requested, but slice size not provided");
    }
    int at = levels.indexOf(outer.topology());
    if (at < 0) {
      throw new Problem("no requested topology level for slices: " + outer.topology());
    }
    if (at < search) {
      throw new Problem("podset slice topology " + outer.topology()
          + " is above the podset topology " + levels.get(search));
    }
    ImmutableList.Builder<SliceLayers.Layer> layers = ImmutableList.builder();
    layers.add(new SliceLayers.Layer(at, outer.size()));
    int above = at;
    int sizeAbove = outer.size();
    for (SliceConstraint inner : constraints.subList(1, constraints.size())) {
      int below = levels.indexOf(inner.topology());
      if (below < 0) {
        throw new Problem(
            "no requested topology level for additional slice layer: " + inner.topology());
      }
      if (below <= above) {
        throw new Problem("additional slice layer topology " + inner.topology()
            + " must be at a lower level than " + levels.get(above));
      }
      if (inner.size() <= 0 || sizeAbove % inner.size() != 0) {
        throw new Problem("additional slice layer size " + inner.size()
            + " must evenly divide parent layer size " + sizeAbove);
      }
      layers.add(new SliceLayers.Layer(below, inner.size()));
      above = below;
      sizeAbove = inner.size();
    }
    return SliceLayers.of(layers.build());
  }
}
