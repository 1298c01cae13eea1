package io.kueue4j.core.testkit.reference.placement;

import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.List;
import java.util.Optional;

/**
 * The topology request of a pod set in terms of the levels of a topology.
 *
 * <p>Rules: T-16, T-17, T-18, T-19.
 *
 * @param levels the levels of the topology
 * @param searchLevel the index of the level whose domains are tried first
 * @param isRequired whether one domain of that level must hold everything
 * @param isUnconstrained whether no level above is tried
 * @param slices the slices to keep together
 */
record Wish(
    List<String> levels,
    int searchLevel,
    boolean isRequired,
    boolean isUnconstrained,
    Slices slices) {

  /** T-17; only of requests without a {@link #problem}. */
  static Wish of(TopologyRequest request, List<String> levels) {
    Slices slices = Slices.of(request);
    Optional<String> named = request.required().or(request::preferred);
    int withoutLevel = slices.areRequested() ? 0 : levels.size() - 1;
    return new Wish(
        levels,
        named.map(levels::indexOf).orElse(withoutLevel),
        request.required().isPresent(),
        named.isEmpty(),
        slices);
  }

  /** T-17, T-19: the problem of a request that is visible without counting, if any. */
  static Optional<String> problem(TopologyRequest request, List<String> levels) {
    Slices slices = Slices.of(request);
    Optional<String> named = request.required().or(request::preferred);
    boolean refusesAll = request.unconstrained().equals(Optional.of(false));
    if (slices.layers().stream().anyMatch(layer -> layer.size() <= 0)) {
      return Optional.of("slice topology requested, but slice size not provided");
    }
    if (named.isEmpty() && !slices.areRequested() && refusesAll) {
      return Optional.of("topology level not specified");
    }
    if (named.isPresent() && !levels.contains(named.get())) {
      return Optional.of("no requested topology level: " + named.get());
    }
    Optional<String> outer = slices.layers().stream().findFirst().map(SliceConstraint::topology);
    if (outer.isPresent() && !levels.contains(outer.get())) {
      return Optional.of("no requested topology level for slices: " + outer.get());
    }
    if (named.isPresent()
        && outer.isPresent()
        && levels.indexOf(outer.get()) < levels.indexOf(named.get())) {
      return Optional.of(
          "podset slice topology " + outer.get() + " is above the podset topology " + named.get());
    }
    return slices.problemOfInnerLayers(levels);
  }

  /** {@return whether a level is named that need not hold everything} */
  boolean isPreferred() {
    return !isRequired && !isUnconstrained;
  }

  /** {@return whether some of {@code pods} fill no whole slice} */
  boolean leavesRest(int pods) {
    return pods % sliceSize() != 0;
  }

  /** {@return the same with other slices} */
  Wish with(Slices other) {
    return new Wish(levels, searchLevel, isRequired, isUnconstrained, other);
  }

  int sliceSize() {
    return slices.size();
  }

  int sliceLevel() {
    return slices.level(levels);
  }

  /** T-48: 1 where no inner slices are defined. */
  int innerSize(int level) {
    return slices.innerSize(level, levels);
  }
}
