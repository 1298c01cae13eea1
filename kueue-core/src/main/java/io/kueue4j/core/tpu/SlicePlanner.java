package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * What to do for slices that do not fit: evict others, move others, wait in the right place; and
 * where to go with a slice whose hosts broke. Pure questions: nothing is changed.
 *
 * <pre>{@code
 * SlicePlanner planner = SlicePlanner.create();
 * planner.defragmentation(fleet, SliceRequest.of("8x8"), 2, 64)
 *     .ifPresent(plan -> plan.moves().forEach(move -> ...));
 * }</pre>
 *
 * <p>Keeps its working memory between calls: to be used by one thread at a time.
 *
 * <p>Rules: TPU-F-18, TPU-F-19, TPU-F-20, TPU-F-21.
 */
public final class SlicePlanner {
  /** The cost of owners who must stay. */
  public static final long PROTECTED = Long.MAX_VALUE;

  private final SliceFitter fitter;

  private SlicePlanner(SliceFitter fitter) {
    this.fitter = fitter;
  }

  /** {@return a planner that places slices as the default fitter does} */
  public static SlicePlanner create() {
    return using(SliceFitter.create());
  }

  /** {@return a planner that places slices as a fitter does, which it uses from then on} */
  public static SlicePlanner using(SliceFitter fitter) {
    return new SlicePlanner(fitter);
  }

  /**
   * Finds the cheapest owners whose going makes room. Of equally cheap ones the fewest, then those
   * with the fewest chips, then the first by pool and place.
   *
   * @param fleet the fleet
   * @param request a request for one slice or several
   * @param costOf what it costs that an owner goes, with all slices; not negative;
   *     {@link #PROTECTED} for those who must stay
   * @return the owners; none of them if the slice fits already; nothing if no owners are enough
   * @throws IllegalArgumentException if a cost is negative
   */
  public Optional<SliceEviction> cheapestVictims(
      TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
    return new CheapestEvictions(fitter, fleet, request, costOf).cheapest();
  }

  /**
   * Finds the fewest moves of movable slices that make room; of as few those with the fewest chips.
   * Slices that must leave may put others out in turn, as long as no more are moved than allowed.
   * No plan is missed unless there are too many combinations to try, some ten thousand. Of plans
   * with as few moves and chips it is the first one by place, with slices where the fitter's
   * objective likes them best.
   *
   * @param fleet the fleet
   * @param request a request for one slice or several
   * @param maxMoves the most slices to move
   * @param maxChips the most chips of all slices to move
   * @return the moves; none if the request fits already; nothing if no plan was found
   */
  public Optional<Defragmentation> defragmentation(
      TpuFleet fleet, SliceRequest request, int maxMoves, int maxChips) {
    return MoveSearch.first(fitter, fleet, request, maxMoves, maxChips);
  }

  /**
   * Finds the place that is free earliest if nothing is moved or evicted.
   *
   * @param fleet the fleet; slices without expected end stay forever
   * @param request a request for one slice
   * @return the place; nothing if every place has a slice that stays forever
   * @throws IllegalArgumentException if several slices are requested
   */
  public Optional<WindowReservation> reserveWindow(TpuFleet fleet, SliceRequest request) {
    checkOne(request);
    return new WaitSearch(fitter, fleet, request).earliest();
  }

  /**
   * Finds a new place for a slice that has failed: a host or partition of it is down. A slice of
   * whole cubes keeps the cubes that are not down, and their order, if its pool has enough others;
   * another one stays in its cube if it can, else in its pool if it can. Otherwise both go to
   * another pool.
   *
   * @param fleet the fleet
   * @param sliceId the slice
   * @return the new place, the old one if it has not failed; nothing if there is no place
   * @throws IllegalArgumentException if there is no slice with that id
   */
  public Optional<SlicePlacement> failover(TpuFleet fleet, String sliceId) {
    TpuSlice slice = fleet
        .slice(sliceId)
        .orElseThrow(() -> new IllegalArgumentException("no slice with id " + sliceId));
    SlicePlacement old = slice.placement();
    return fleet.hasFailed(old) ? new Failover(fitter, fleet, slice).place() : Optional.of(old);
  }

  /**
   * Says why a request does not fit, as {@link SliceFitter#explain} does, and what would make room.
   *
   * @param fleet the fleet
   * @param request the request
   * @param costOf what it costs that an owner goes, as for {@link #cheapestVictims}
   * @param maxMoves the most slices to move
   * @return nothing if it fits; else what stands in the way, with a repair if moves or evictions
   *     help
   */
  public Optional<FitFailure> explain(
      TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf, int maxMoves) {
    return fitter.explain(fleet, request).map(failure -> {
      SliceRepair repair = new SliceRepair(
          defragmentation(fleet, request, maxMoves, Integer.MAX_VALUE),
          cheapestVictims(fleet, request, costOf));
      return repair.moves().isEmpty() && repair.eviction().isEmpty()
          ? failure
          : failure.withRepair(repair);
    });
  }

  private static void checkOne(SliceRequest request) {
    checkArgument(
        request.count() == 1,
        "a reservation for %s slices, expected a request for one",
        request.count());
  }
}
