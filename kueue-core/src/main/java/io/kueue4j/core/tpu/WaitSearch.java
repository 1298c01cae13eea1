package io.kueue4j.core.tpu;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Finds the place that becomes free first. Rules: TPU-F-20. */
final class WaitSearch {
  private final SliceFitter fitter;
  private final TpuFleet fleet;
  private final SliceRequest request;

  WaitSearch(SliceFitter fitter, TpuFleet fleet, SliceRequest request) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
  }

  /** A place and the time when it becomes free. */
  private record Candidate(SlicePlacement placement, long freeAtMillis) {}

  Optional<WindowReservation> earliest() {
    SliceFit fit = fitter.fit(fleet, request);
    if (fit.isPlaced()) {
      return Optional.of(new WindowReservation(fit.slices().get(0), OptionalLong.empty()));
    }
    return Stream.concat(boxes(), wholeCubes())
        .filter(candidate -> candidate.freeAtMillis() < Long.MAX_VALUE)
        .min(Comparator.comparingLong(Candidate::freeAtMillis))
        .map(candidate -> new WindowReservation(
            candidate.placement(), OptionalLong.of(candidate.freeAtMillis())));
  }

  private Stream<Candidate> boxes() {
    return Window.boxes(fleet, request).stream()
        .map(window -> new Candidate(window.placement(), freeAt(window)));
  }

  /** For each pool, the cubes that become free first. */
  private Stream<Candidate> wholeCubes() {
    return fleet.states().stream()
        .flatMap(state -> request.shapes().stream()
            .filter(shape -> request.problem(fleet.generation(), shape).isEmpty())
            .flatMap(shape -> wholeCubes(state, shape)));
  }

  private Stream<Candidate> wholeCubes(PoolState state, SliceShape shape) {
    TpuPool pool = state.layout().pool();
    if (!pool.takesWholeCubes(shape)) {
      return Stream.empty();
    }
    int needed = shape.chips() / TpuGeneration.CUBE_CHIPS;
    List<Window> cubes = Window.cubes(state, request).stream()
        .sorted(Comparator.comparingLong(WaitSearch::freeAt))
        .limit(needed)
        .toList();
    if (cubes.size() < needed) {
      return Stream.empty();
    }
    List<Integer> ids =
        cubes.stream().map(window -> window.placement().cubes().get(0)).sorted().toList();
    return Stream.of(
        new Candidate(SlicePlacement.ofCubes(pool, shape, ids), freeAt(cubes.get(needed - 1))));
  }

  private static long freeAt(Window window) {
    return window.inTheWay().stream()
        .mapToLong(slice -> slice.expectedEndMillis().orElse(Long.MAX_VALUE))
        .max()
        .orElse(Long.MIN_VALUE);
  }
}
