package io.kueue4j.core.tpu;

import io.kueue4j.core.tpu.SlicePlanner.WindowReservation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the place that becomes free first. Rules: TPU-F-20.
 *
 * @param fitter places slices
 * @param fleet the fleet
 * @param request the request
 */
record WaitSearch(SliceFitter fitter, TpuFleet fleet, SliceRequest request) {
  /** A place and the time when it becomes free. */
  private record Candidate(SlicePlacement placement, long freeAtMillis) {}

  Optional<WindowReservation> earliest() {
    SliceFit fit = fitter.fit(fleet, request);
    if (fit.isPlaced()) {
      return Optional.of(new WindowReservation(fit.slices().get(0), OptionalLong.empty()));
    }
    return Stream.concat(candidates(false), candidates(true))
        .filter(candidate -> candidate.freeAtMillis() < Long.MAX_VALUE)
        .min(Comparator.comparingLong(Candidate::freeAtMillis))
        .map(candidate -> new WindowReservation(
            candidate.placement(), OptionalLong.of(candidate.freeAtMillis())));
  }

  /** {@return the places for slices of whole cubes, or for boxes} */
  private Stream<Candidate> candidates(boolean whole) {
    return fleet.states().stream()
        .flatMap(state -> request.shapes().stream()
            .filter(shape -> state.layout().pool().takesWholeCubes(shape) == whole)
            .filter(shape -> request.problem(fleet.generation(), shape).isEmpty())
            .flatMap(shape -> whole ? cubes(state, shape) : boxes(state, shape)));
  }

  private Stream<Candidate> boxes(PoolState state, SliceShape shape) {
    PlaceTable table = state.layout().places(PlaceTable.Key.of(shape, request));
    return table
        .inside(state.allowed(request, shape))
        .map(place -> new Candidate(place, freeAt(state, new HostMask(state.layout(), place))));
  }

  /** The cubes of a pool that become free first. */
  private Stream<Candidate> cubes(PoolState state, SliceShape shape) {
    TpuPool pool = state.layout().pool();
    long[] allowed = state.allowed(request, pool.chips());
    List<Integer> first = IntStream.range(0, pool.cubes())
        .filter(cube -> allowed[cube] == HostBits.CUBE)
        .boxed()
        .sorted(Comparator.comparingLong(cube -> freeAt(state, HostMask.ofCubes(new int[] {cube}))))
        .limit(shape.chips() / TpuGeneration.CUBE_CHIPS)
        .sorted()
        .toList();
    if (first.size() < shape.chips() / TpuGeneration.CUBE_CHIPS) {
      return Stream.empty();
    }
    SlicePlacement place = SlicePlacement.ofCubes(pool, shape, first);
    return Stream.of(new Candidate(place, freeAt(state, new HostMask(state.layout(), place))));
  }

  private static long freeAt(PoolState state, HostMask hosts) {
    return hosts.meshList().stream()
        .flatMap(mesh -> Arrays.stream(state.residents(mesh)))
        .filter(resident -> hosts.intersectsInMesh(resident))
        .mapToLong(resident -> resident.slice().expectedEndMillis().orElse(Long.MAX_VALUE))
        .max()
        .orElse(Long.MIN_VALUE);
  }
}
