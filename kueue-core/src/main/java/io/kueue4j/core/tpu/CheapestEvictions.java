package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the cheapest owners whose eviction makes room. Rules: TPU-F-18. */
final class CheapestEvictions {
  private final TpuFleet fleet;
  private final SliceRequest request;
  private final SliceFitter fitter;
  private final Map<String, Owner> owners = new LinkedHashMap<>();
  private boolean exact = true;
  private @Nullable EvictionCost best;

  CheapestEvictions(
      SliceFitter fitter, TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
    Map<String, Long> chips = new LinkedHashMap<>();
    for (PoolState state : fleet.states()) {
      for (Resident resident : state.slices()) {
        chips.merge(resident.slice().owner(), (long) resident.chips(), Long::sum);
      }
    }
    chips.forEach((name, ofOwner) -> {
      long cost = costOf.applyAsLong(name);
      checkArgument(cost >= 0, "owner %s costs %s, expected at least 0", name, cost);
      owners.put(name, new Owner(name, cost, owners.size(), ofOwner));
    });
  }

  Optional<SliceEviction> cheapest() {
    if (request.count() == 1 || takesCubesOfOnePool()) {
      offer(false);
      offer(true);
    } else {
      OwnerSearch search = new OwnerSearch(fitter, fleet, request, owners.values());
      best = search.cheapest();
      exact = search.isExact();
    }
    return Optional.ofNullable(best).map(this::eviction);
  }

  /** If so, it does not matter which cubes belong to which slice. */
  private boolean takesCubesOfOnePool() {
    return fleet.states().size() == 1
        && request.maxPerPool() >= request.count()
        && request.shapes().stream().allMatch(fleet.pools().get(0)::takesWholeCubes);
  }

  /** Offers the cheapest evictions in each pool for slices of whole cubes, or for boxes. */
  private void offer(boolean whole) {
    for (PoolState state : fleet.states()) {
      for (SliceShape shape : request.shapes()) {
        if (state.layout().pool().takesWholeCubes(shape) == whole
            && request.problem(fleet.generation(), shape).isEmpty()) {
          if (whole) {
            offerCubes(state, shape);
          } else {
            offerBoxes(state, shape);
          }
        }
      }
    }
  }

  private void offer(@Nullable EvictionCost cost) {
    if (cost != null && cost.isBetterThan(best)) {
      best = cost;
    }
  }

  private void offerCubes(PoolState state, SliceShape shape) {
    CubeVictims cubes = new CubeVictims(state, request, owners);
    offer(cubes.cheapest((long) shape.chips() / TpuGeneration.CUBE_CHIPS * request.count()));
    exact &= cubes.isExact();
  }

  /** Examines all places of a box, so no cheaper owners exist. */
  private void offerBoxes(PoolState state, SliceShape shape) {
    PlaceTable table = state.layout().places(PlaceTable.Key.of(shape, request));
    long[] allowed = state.allowed(request, shape);
    for (int mesh = 0; mesh < state.layout().pool().cubes(); mesh++) {
      Resident[] residents = state.residents(mesh);
      Owner[] holders =
          Stream.of(residents).map(each -> Owner.of(each, owners)).toArray(Owner[]::new);
      for (int place = 0; place < table.size(); place++) {
        if (table.isInside(mesh, place, allowed)) {
          offer(inTheWay(table, place, residents, holders));
        }
      }
    }
  }

  /** {@return the owners in the way of a place; null if one is protected, or they cost too much} */
  private @Nullable EvictionCost inTheWay(
      PlaceTable table, int place, Resident[] residents, Owner[] holders) {
    List<Owner> going = new ArrayList<>();
    long cost = 0;
    for (int i = 0; i < residents.length; i++) {
      Owner owner = holders[i];
      if (table.overlaps(place, residents[i]) && !going.contains(owner)) {
        cost = EvictionCost.sum(cost, owner.cost());
        if (owner.isProtected() || (best != null && cost > best.cost())) {
          return null;
        }
        going.add(owner);
      }
    }
    return EvictionCost.NOTHING.plus(going);
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
