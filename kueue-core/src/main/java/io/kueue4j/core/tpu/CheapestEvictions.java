package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the cheapest owners whose eviction makes room. Rules: TPU-F-18. */
final class CheapestEvictions {
  private final TpuFleet fleet;
  private final SliceRequest request;
  private final SliceFitter fitter;
  private final Map<String, Owner> owners = new LinkedHashMap<>();
  private boolean exact = true;

  CheapestEvictions(
      SliceFitter fitter, TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
    for (PoolState state : fleet.states()) {
      for (Resident resident : state.slices()) {
        String name = resident.slice().owner();
        Owner owner = owners.get(name);
        if (owner == null) {
          long cost = costOf.applyAsLong(name);
          checkArgument(cost >= 0, "owner %s costs %s, expected at least 0", name, cost);
          owner = new Owner(name, cost, owners.size());
          owners.put(name, owner);
        }
        owner.add(resident.slice());
      }
    }
  }

  Optional<SliceEviction> cheapest() {
    EvictionCost best;
    if (request.count() == 1 || takesCubesOfOnePool()) {
      best = cheapest(true, cheapest(false, null));
    } else {
      OwnerSearch search = new OwnerSearch(fitter, fleet, request, owners.values());
      best = search.cheapest();
      exact = search.isExact();
    }
    return best == null ? Optional.empty() : Optional.of(eviction(best));
  }

  /** If so, it does not matter which cubes belong to which slice. */
  private boolean takesCubesOfOnePool() {
    return fleet.states().size() == 1
        && request.maxPerPool() >= request.count()
        && request.shapes().stream().allMatch(fleet.pools().get(0)::takesWholeCubes);
  }

  /** {@return the cheapest evictions for slices of whole cubes, or for boxes} */
  private @Nullable EvictionCost cheapest(boolean whole, @Nullable EvictionCost known) {
    EvictionCost best = known;
    for (PoolState state : fleet.states()) {
      for (SliceShape shape : request.shapes()) {
        if (state.layout().pool().takesWholeCubes(shape) == whole
            && request.problem(fleet.generation(), shape).isEmpty()) {
          best = whole ? cubes(state, shape, best) : box(state, shape, best);
        }
      }
    }
    return best;
  }

  private @Nullable EvictionCost box(
      PoolState state, SliceShape shape, @Nullable EvictionCost known) {
    return new BoxVictims(state, PlaceTable.Key.of(shape, request), request, owners)
        .cheapest(known);
  }

  private @Nullable EvictionCost cubes(
      PoolState state, SliceShape shape, @Nullable EvictionCost known) {
    CubeVictims cubes = new CubeVictims(state, request, owners);
    long needed = (long) shape.chips() / TpuGeneration.CUBE_CHIPS * request.count();
    EvictionCost cost = cubes.cheapest(needed);
    exact &= cubes.isExact();
    return cost != null && cost.isBetterThan(known) ? cost : known;
  }

  private SliceEviction eviction(EvictionCost cost) {
    ImmutableList<String> names =
        cost.owners().stream().map(Owner::name).sorted().collect(ImmutableList.toImmutableList());
    SliceFit fit = fitter.fit(without(fleet, cost.owners()), request);
    return new SliceEviction(names, cost.cost(), fit.slices(), exact);
  }

  /** {@return a fleet without the slices of some owners} */
  static TpuFleet without(TpuFleet from, Collection<Owner> owners) {
    Set<String> names = owners.stream().map(Owner::name).collect(Collectors.toSet());
    TpuFleet left = from;
    for (PoolState state : from.states()) {
      for (Resident resident : state.slices()) {
        if (names.contains(resident.slice().owner())) {
          left = left.release(resident.slice().id());
        }
      }
    }
    return left;
  }
}
