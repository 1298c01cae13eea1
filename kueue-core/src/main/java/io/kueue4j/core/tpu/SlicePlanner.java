package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.kueue4j.core.tpu.FitFailure.SliceRepair;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Plans for slices that do not fit: which owners to evict, which slices to move, which place
 * becomes free first; and for failed slices: where they fit. Only answers questions; fleets do not
 * change.
 *
 * <pre>{@code
 * SlicePlanner planner = SlicePlanner.create();
 * planner.defragmentation(fleet, SliceRequest.of("8x8"), 2, 64)
 *     .ifPresent(plan -> plan.moves().forEach(move -> ...));
 * }</pre>
 *
 * <p>Not thread-safe, since it reuses its working memory between calls.
 *
 * <p>Rules: TPU-F-18, TPU-F-19, TPU-F-20, TPU-F-21.
 *
 * @since 0.1.0
 */
public final class SlicePlanner {
  /** The cost of owners that must not be evicted. */
  public static final long PROTECTED = Long.MAX_VALUE;

  private final SliceFitter fitter;

  private SlicePlanner(SliceFitter fitter) {
    this.fitter = fitter;
  }

  /** {@return a planner that places slices with the default fitter} */
  public static SlicePlanner create() {
    return using(SliceFitter.create());
  }

  /** {@return a planner that places slices with {@code fitter}, which it uses from then on} */
  public static SlicePlanner using(SliceFitter fitter) {
    return new SlicePlanner(fitter);
  }

  /**
   * Finds the cheapest owners whose eviction makes room. Among equally cheap sets it chooses the
   * fewest owners, then those with the fewest chips, then the first by pool and place.
   *
   * @param fleet the fleet
   * @param request a request for one slice or several
   * @param costOf the cost of evicting an owner with all its slices, 0 or more; {@link #PROTECTED}
   *     for owners that must not be evicted
   * @return the owners, none if the request fits already; empty if evicting all owners does not
   *     suffice
   * @throws IllegalArgumentException if a cost is negative
   */
  public Optional<SliceEviction> cheapestVictims(
      TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
    return new CheapestEvictions(fitter, fleet, request, costOf).cheapest();
  }

  /**
   * Finds the fewest moves of movable slices that make room; among those, the ones with the fewest
   * chips. Displaced slices may displace others in turn, up to {@code maxMoves}. The search misses
   * a plan only if there are too many combinations, more than some ten thousand. Among equal plans
   * it chooses the first by place, with slices where the fitter's objective prefers them.
   *
   * @param fleet the fleet
   * @param request a request for one slice or several
   * @param maxMoves the maximum number of slices to move
   * @param maxChips the maximum number of chips of all slices to move
   * @return the plan, without moves if the request fits already; empty if no plan was found
   */
  public Optional<Defragmentation> defragmentation(
      TpuFleet fleet, SliceRequest request, int maxMoves, int maxChips) {
    return MoveSearch.first(fitter, fleet, request, maxMoves, maxChips);
  }

  /**
   * Finds the place that becomes free first if nothing is moved or evicted.
   *
   * @param fleet the fleet; slices without expected end stay forever
   * @param request a request for one slice
   * @return the place; empty if every place has a slice without expected end
   * @throws IllegalArgumentException if several slices are requested
   */
  public Optional<WindowReservation> reserveWindow(TpuFleet fleet, SliceRequest request) {
    checkOne(request);
    return new WaitSearch(fitter, fleet, request).earliest();
  }

  /**
   * Finds a new place for a failed slice, of which a host or partition is down. A slice of whole
   * cubes keeps the cubes that are not down, and their order, if its pool has enough others. Any
   * other slice stays in its cube if possible, else in its pool. Otherwise the slice goes to
   * another pool.
   *
   * @param fleet the fleet
   * @param sliceId the id of the slice
   * @return the new place, or the old one if the slice has not failed; empty if there is no place
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
   * Explains why a request does not fit, like {@link SliceFitter#explain}, and what would make
   * room.
   *
   * @param fleet the fleet
   * @param request the request
   * @param costOf the cost of evicting an owner, as for {@link #cheapestVictims}
   * @param maxMoves the most slices to move
   * @return the constraint that prevents the fit, with a repair if moves or evictions help; empty
   *     if the request fits
   * @throws IllegalArgumentException if a cost is negative
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

  /**
   * A place reserved for a slice until the slices in it have ended.
   *
   * <p>Rules: TPU-F-20.
   *
   * @param placement the place
   * @param freeAtMillis when the last slice in it is expected to end; absent if it is free now
   * @since 0.1.0
   */
  public record WindowReservation(SlicePlacement placement, OptionalLong freeAtMillis) {
    /**
     * {@return a request that avoids the reserved place, unless it is expected to end before the
     * place is free}
     *
     * @param request the request
     * @param expectedEndMillis when the slices of the request are expected to end; absent for never
     */
    public SliceRequest restrict(SliceRequest request, OptionalLong expectedEndMillis) {
      if (freeAtMillis.isPresent()
          && expectedEndMillis.isPresent()
          && expectedEndMillis.getAsLong() <= freeAtMillis.getAsLong()) {
        return request;
      }
      Map<String, Set<Integer>> avoid = new HashMap<>(request.avoid());
      avoid.merge(
          placement.pool().id(),
          ImmutableSet.copyOf(placement.hosts()),
          (before, reserved) -> Sets.union(before, reserved));
      return request.withAvoid(avoid);
    }
  }
}
