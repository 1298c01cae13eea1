package io.kueue4j.core.internal.fleet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.tpu.SliceFit;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds places for the slices of several pod sets together.
 *
 * <p>The fitter handles a single pod set. Several are placed one after another, the largest slices
 * first, each at the place that the objective prefers. If slices are aligned and may come from any
 * pools, this finds room if there is any; otherwise all combinations are tried, up to a number of
 * steps.
 *
 * <p>Rules: TPU-F-12, TPU-F-13, TPU-F-22.
 *
 * @param fitter places the slices of one pod set
 * @param state the pool set
 * @param demands the demands
 */
record JointFit(SliceFitter fitter, PoolSetState state, List<SliceDemand> demands) {
  /** The maximum number of steps tried for several pod sets. */
  private static final int MAX_STEPS = 5_000;

  static ImmutableList<SliceDemand> largestFirst(List<SliceDemand> demands) {
    return ImmutableList.sortedCopyOf(
        Comparator.comparingInt(
            (SliceDemand demand) -> -demand.request().shapes().get(0).chips()),
        demands);
  }

  /**
   * {@return the places of the slices of each demand, in the order of the demands; null if there is
   * no room}
   */
  @Nullable
  List<List<SlicePlacement>> places() {
    if (demands.size() == 1) {
      SliceFit fit = fitter.fit(state.fleet(), state.confined(demands.get(0).request()));
      return fit.isPlaced() ? List.of(fit.slices()) : null;
    }
    ImmutableList<SliceDemand> ordered = largestFirst(demands);
    List<List<SlicePlacement>> found = oneByOne(ordered);
    if (found == null) {
      found = new Combinations(ordered).find();
    }
    if (found == null) {
      return null;
    }
    List<List<SlicePlacement>> places = new ArrayList<>(demands.size());
    for (SliceDemand demand : demands) {
      places.add(found.get(ordered.indexOf(demand)));
    }
    return places;
  }

  private @Nullable List<List<SlicePlacement>> oneByOne(List<SliceDemand> ordered) {
    List<List<SlicePlacement>> places = new ArrayList<>(ordered.size());
    TpuFleet fleet = state.fleet();
    for (SliceDemand demand : ordered) {
      SliceFit fit = fitter.fit(fleet, state.confined(demand.request()));
      if (!fit.isPlaced()) {
        return null;
      }
      for (SlicePlacement placement : fit.slices()) {
        fleet = with(fleet, demand, placement);
      }
      places.add(fit.slices());
    }
    return places;
  }

  private static TpuFleet with(TpuFleet fleet, SliceDemand demand, SlicePlacement placement) {
    String pool = placement.pool().id();
    return fleet.allocate(
        TpuSlice.of(demand.podSet() + "/" + pool + "/" + placement.origin(), placement));
  }

  /**
   * Tries all combinations of places for the slices of all demands but the last, which the fitter
   * places.
   */
  private final class Combinations {
    private final List<SliceDemand> ordered;
    private final List<List<SlicePlacement>> places = new ArrayList<>();
    private int steps;

    Combinations(List<SliceDemand> ordered) {
      this.ordered = ordered;
    }

    @Nullable
    List<List<SlicePlacement>> find() {
      return find(state.fleet(), 0) ? places : null;
    }

    private boolean find(TpuFleet fleet, int index) {
      SliceDemand demand = ordered.get(index);
      SliceRequest request = state.confined(demand.request());
      SliceFit fit = fitter.fit(fleet, request);
      if (!fit.isPlaced() || index == ordered.size() - 1) {
        places.addAll(fit.isPlaced() ? List.of(fit.slices()) : List.of());
        return fit.isPlaced();
      }
      return request.shapes().stream()
          .anyMatch(shape ->
              choose(fleet, index, fitter.places(fleet, request, shape), 0, new ArrayList<>()));
    }

    /** Chooses places from {@code from} on, so that equal slices are tried in one order only. */
    private boolean choose(
        TpuFleet fleet,
        int index,
        List<SlicePlacement> candidates,
        int from,
        List<SlicePlacement> chosen) {
      SliceDemand demand = ordered.get(index);
      if (chosen.size() == demand.request().count()) {
        places.add(ImmutableList.copyOf(chosen));
        if (find(fleet, index + 1)) {
          return true;
        }
        places.remove(places.size() - 1);
        return false;
      }
      for (int i = from; i < candidates.size() && steps < MAX_STEPS; i++) {
        SlicePlacement place = candidates.get(i);
        if (!demand.request().allows(place.pool(), Lists.transform(chosen, SlicePlacement::pool))
            || !PoolSetState.isUntaken(fleet, place)) {
          continue;
        }
        steps++;
        chosen.add(place);
        TpuFleet without = with(fleet, demand, place);
        // For whole cubes only the next place is listed.
        boolean takesCubes = place.pool().kind() == TpuPool.Kind.CUBES_OCS
            && place.shape().chips() >= place.pool().chips().chips();
        boolean found = takesCubes
            ? choose(
                without,
                index,
                fitter.places(without, state.confined(demand.request()), place.shape()),
                0,
                chosen)
            : choose(without, index, candidates, i + 1, chosen);
        if (found) {
          return true;
        }
        chosen.remove(chosen.size() - 1);
      }
      return false;
    }
  }
}
