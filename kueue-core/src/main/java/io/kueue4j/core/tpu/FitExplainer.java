package io.kueue4j.core.tpu;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.tpu.FitFailure.Constraint;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds the constraint that prevents a request from fitting. Rules: TPU-F-6, TPU-F-7.
 *
 * @param fitter places slices
 * @param fleet the fleet
 * @param request the request
 */
record FitExplainer(SliceFitter fitter, TpuFleet fleet, SliceRequest request) {
  Optional<FitFailure> failure() {
    ImmutableList<SliceShape> shapes = request.shapes().stream()
        .filter(shape -> request.problem(fleet.generation(), shape).isEmpty())
        .collect(ImmutableList.toImmutableList());
    if (shapes.isEmpty()) {
      String problem =
          request.problem(fleet.generation(), request.shapes().get(0)).orElseThrow();
      return Optional.of(because(Constraint.REQUEST, problem));
    }
    SliceFit fit = fitter.fit(fleet, request);
    if (fit.isPlaced()) {
      return Optional.empty();
    }
    SliceShape smallest =
        shapes.stream().min(Comparator.comparingInt(SliceShape::chips)).orElseThrow();
    if (!fitsAnEmptyPool(shapes)) {
      return Optional.of(because(
          Constraint.POOLS, smallest + " fits no pool even if it is empty, there are " + pools()));
    }
    return Optional.of(
        fit instanceof SliceFit.Undecided undecided
            ? because(
                Constraint.UNDECIDED,
                "%s: gave up after %d steps of search"
                    .formatted(asked(smallest), undecided.searchedNodes()))
            : relaxed(smallest));
  }

  private FitFailure because(Constraint constraint, String message) {
    return new FitFailure(constraint, message, LargestSlice.of(fitter, fleet, request));
  }

  private boolean fitsAnEmptyPool(ImmutableList<SliceShape> shapes) {
    SliceRequest one = SliceRequest.of(shapes.get(0)).withShapes(shapes);
    return fitter
        .fit(TpuFleet.of(fleet.pools()), request.mayTurn() ? one.withTurning() : one)
        .isPlaced();
  }

  private String pools() {
    return fleet.pools().stream()
        .map(pool -> (pool.cubes() > 1 ? pool.cubes() + " cubes " : "")
            + pool.chips()
            + " with hosts of "
            + pool.hostBox())
        .distinct()
        .collect(joining(", "));
  }

  private FitFailure relaxed(SliceShape shape) {
    if (fits(request.withAvoid(ImmutableMap.of()).withPin(ImmutableMap.of()))) {
      return because(
          Constraint.SELECTION, asked(shape) + " would fit on hosts that the request excludes");
    }
    if (fits(request.withScope(SliceRequest.Scope.ANY))) {
      return because(
          Constraint.SCOPE,
          "%s would fit if they could come from any pools, not only %s"
              .formatted(asked(shape), scope()));
    }
    if (fits(request.withRings(SliceRequest.Rings.ANY))) {
      return because(Constraint.RINGS, asked(shape) + " would fit without rings on all axes");
    }
    if (fitter.fit(fleet.healed(), request).isPlaced()) {
      long partitions = unhealthyPartitions(shape);
      return because(
          Constraint.HEALTH,
          partitions == 0
              ? "%s would fit if all hosts were healthy, %d are not"
                  .formatted(asked(shape), unhealthy())
              : "%s would fit if all hosts and partitions were healthy, %d hosts and %d partitions of this shape are not"
                  .formatted(asked(shape), unhealthy(), partitions));
    }
    return ofRoom(shape);
  }

  private FitFailure ofRoom(SliceShape shape) {
    long free = usable();
    long needed = hostsNeeded(shape);
    String figures = "%s takes %d hosts, %d are free".formatted(asked(shape), needed, free);
    return free < needed
        ? because(Constraint.CAPACITY, figures)
        : because(Constraint.GEOMETRY, figures + " but do not lie together as needed");
  }

  private boolean fits(SliceRequest weaker) {
    return !weaker.equals(request) && fitter.fit(fleet, weaker).isPlaced();
  }

  private String asked(SliceShape shape) {
    return request.count() == 1 ? shape.toString() : request.count() + " slices " + shape;
  }

  private String scope() {
    return switch (request.scope()) {
      case SAME_POOL -> "one pool";
      case SAME_FABRIC -> "one fabric";
      case SPREAD -> "at most " + request.maxPerPool() + " from each";
      case ANY -> "any";
    };
  }

  private long unhealthy() {
    return fleet.pools().stream()
        .flatMap(pool ->
            IntStream.range(0, pool.hosts()).mapToObj(host -> fleet.health(pool.id(), host)))
        .filter(health -> health != HostHealth.HEALTHY
            && (health != HostHealth.DEGRADED || !request.allowDegraded()))
        .count();
  }

  private long unhealthyPartitions(SliceShape shape) {
    return fleet.states().stream()
        .mapToLong(state -> state.health().brokenPartitions(shape, request.allowDegraded()))
        .sum();
  }

  /** If pools have hosts of different sizes, counts for those that need the fewest hosts. */
  private long hostsNeeded(SliceShape shape) {
    int most =
        fleet.pools().stream().mapToInt(pool -> pool.hostBox().chips()).max().orElseThrow();
    return (long) request.count() * ((shape.chips() + most - 1) / most);
  }

  private long usable() {
    return fleet.states().stream()
        .mapToLong(state -> HostBits.size(state.free(request)))
        .sum();
  }
}
