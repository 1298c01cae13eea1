package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.tpu.Defragmentation;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.SliceEviction;
import io.kueue4j.core.tpu.SliceFit;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SlicePlanner;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Places requests one after the other on a fleet, and searches for repairs if one does not fit. */
public final class FitSession {
  private final SliceFitter fitter = SliceFitter.create();
  private final SlicePlanner planner = SlicePlanner.using(fitter);
  private final ImmutableSet<String> permanent;
  private final int maxMoves;

  private TpuFleet fleet;

  /**
   * Creates a session.
   *
   * @param fleet the pools with running slices
   * @param permanent owners of slices that must not be stopped
   * @param maxMoves the maximum number of slices to move for one request
   */
  public FitSession(TpuFleet fleet, ImmutableSet<String> permanent, int maxMoves) {
    this.fleet = fleet;
    this.permanent = permanent;
    this.maxMoves = maxMoves;
  }

  /** {@return the current pools} */
  public TpuFleet fleet() {
    return fleet;
  }

  /**
   * Finds slices on hosts that are down, in the order of their ids.
   *
   * @param move whether to move them where possible
   * @return the slices, and where each could be moved
   */
  public ImmutableList<FailedSlice> failed(boolean move) {
    ImmutableList.Builder<FailedSlice> failed = ImmutableList.builder();
    for (TpuSlice slice : fleet.slices()) {
      if (fleet.hasFailed(slice.placement())) {
        Optional<SlicePlacement> to = planner.failover(fleet, slice.id());
        if (move && to.isPresent()) {
          fleet = fleet.release(slice.id()).allocate(slice.withPlacement(to.get()));
        }
        failed.add(new FailedSlice(slice, to));
      }
    }
    return failed.build();
  }

  /**
   * Places a request if it fits.
   *
   * @param named the request
   * @param defragment whether to move slices for it if that makes room
   */
  public FitAnswer place(NamedRequest named, boolean defragment) {
    SliceRequest request = named.request();
    SliceFit fit = fitter.fit(fleet, request);
    if (fit.isPlaced()) {
      allocate(named, fit.slices());
      return FitAnswer.placed(named, fit.slices(), Optional.empty());
    }
    FitFailure failure = fitter.explain(fleet, request).orElseThrow();
    if (request.count() > 1) {
      return new FitAnswer(
          named,
          ImmutableList.of(),
          Optional.empty(),
          Optional.of(failure),
          most(request),
          Optional.empty(),
          Optional.empty());
    }
    Optional<Defragmentation> moves =
        planner.defragmentation(fleet, request, maxMoves, Integer.MAX_VALUE);
    if (defragment && moves.isPresent()) {
      fleet = moves.get().applyTo(fleet);
      List<SlicePlacement> place = ImmutableList.of(moves.get().placement());
      allocate(named, place);
      return FitAnswer.placed(named, place, moves);
    }
    ToLongFunction<String> chips = owner -> cost(owner);
    Optional<SliceEviction> eviction = planner.cheapestVictims(fleet, request, chips);
    return new FitAnswer(
        named, ImmutableList.of(), Optional.empty(), Optional.of(failure), 0, moves, eviction);
  }

  /** {@return the cost of stopping an owner: the chips of all its slices} */
  private long cost(String owner) {
    return permanent.contains(owner)
        ? SlicePlanner.PROTECTED
        : fleet.slices().stream()
            .filter(slice -> slice.owner().equals(owner))
            .mapToLong(slice -> slice.placement().shape().chips())
            .sum();
  }

  /** {@return the largest number of slices that fit; if a number fits, smaller ones fit, too} */
  private int most(SliceRequest request) {
    int fits = 0;
    int fails = request.count();
    while (fails - fits > 1) {
      int middle = (fits + fails) / 2;
      if (fitter.fit(fleet, request.withCount(middle)).isPlaced()) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return fits;
  }

  private void allocate(NamedRequest named, List<SlicePlacement> placements) {
    for (int number = 0; number < placements.size(); number++) {
      TpuSlice slice =
          TpuSlice.of(named.sliceId(number), placements.get(number)).withOwner(named.name());
      slice = named.movable() ? slice : slice.withoutMoving();
      fleet = fleet.allocate(named.request().mayTurn() ? slice.withTurning() : slice);
    }
  }
}
