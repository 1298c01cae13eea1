package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The cheapest owners whose going makes room. Rules: TPU-F-18. */
final class VictimSearch {
  private final TpuFleet fleet;
  private final SliceRequest request;
  private final SliceFitter fitter;
  private final NavigableMap<String, Owner> owners = new TreeMap<>();
  private boolean exact = true;

  VictimSearch(
      SliceFitter fitter, TpuFleet fleet, SliceRequest request, ToLongFunction<String> costOf) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
    for (TpuSlice slice : fleet.slices()) {
      Owner owner = owners.computeIfAbsent(slice.owner(), name -> owner(name, costOf));
      owner.chips += slice.placement().shape().chips();
    }
  }

  /** Who holds slices, what it costs that all of them go, and how many chips that are. */
  static final class Owner {
    private final String name;
    private final long cost;
    private long chips;

    Owner(String name, long cost) {
      this.name = name;
      this.cost = cost;
    }

    String name() {
      return name;
    }

    long cost() {
      return cost;
    }

    long chips() {
      return chips;
    }

    boolean isProtected() {
      return cost == SlicePlanner.PROTECTED;
    }
  }

  /**
   * Owners that go together.
   *
   * @param names their names
   * @param cost the sum of their costs
   * @param chips the chips of all their slices
   */
  record Victims(ImmutableSortedSet<String> names, long cost, long chips) {
    static final Comparator<Victims> ORDER = Comparator.comparingLong(Victims::cost)
        .thenComparingInt(victims -> victims.names().size())
        .thenComparingLong(Victims::chips);
  }

  private static Owner owner(String name, ToLongFunction<String> costOf) {
    long cost = costOf.applyAsLong(name);
    checkArgument(cost >= 0, "owner %s costs %s, expected at least 0", name, cost);
    return new Owner(name, cost);
  }

  Optional<SliceEviction> cheapest() {
    Victims best = request.count() == 1 ? forOne() : forSeveral();
    return best == null ? Optional.empty() : Optional.of(eviction(best));
  }

  private @Nullable Victims forSeveral() {
    OwnerSearch search = new OwnerSearch(fitter, fleet, request, this);
    Victims best = search.cheapest();
    exact = search.isExact();
    return best;
  }

  private @Nullable Victims forOne() {
    Victims best = null;
    for (Window window : Window.boxes(fleet, request)) {
      best = better(best, victims(names(window)));
    }
    for (int pool = 0; pool < fleet.layouts().size(); pool++) {
      for (SliceShape shape : request.shapes()) {
        if (request.problem(fleet.generation(), shape).isEmpty()
            && fleet.layouts().get(pool).pool().takesWholeCubes(shape)) {
          CubeVictims cubes = new CubeVictims(this, Window.cubes(fleet.state(pool), request));
          best = better(best, cubes.cheapest(shape.chips() / TpuGeneration.CUBE_CHIPS));
          exact &= cubes.isExact();
        }
      }
    }
    return best;
  }

  private SliceEviction eviction(Victims victims) {
    SliceFit fit = fitter.fit(without(fleet, victims.names()), request);
    return new SliceEviction(
        ImmutableList.copyOf(victims.names()), victims.cost(), fit.slices(), exact);
  }

  /** {@return a fleet without the slices of some owners} */
  TpuFleet without(TpuFleet from, Set<String> names) {
    TpuFleet left = from;
    for (TpuSlice slice : from.slices()) {
      left = names.contains(slice.owner()) ? left.release(slice.id()) : left;
    }
    return left;
  }

  Collection<Owner> owners() {
    return owners.values();
  }

  private static @Nullable Victims better(@Nullable Victims one, @Nullable Victims other) {
    return one == null || (other != null && Victims.ORDER.compare(other, one) < 0) ? other : one;
  }

  static List<String> names(Window window) {
    return window.inTheWay().stream().map(TpuSlice::owner).distinct().sorted().toList();
  }

  /** {@return what it takes that owners go; nothing if one of them is protected} */
  @Nullable
  Victims victims(Collection<String> names) {
    long cost = 0;
    long chips = 0;
    for (String name : names) {
      Owner owner = owner(name);
      if (owner.isProtected()) {
        return null;
      }
      long sum = cost + owner.cost();
      cost = sum < 0 ? SlicePlanner.PROTECTED - 1 : sum;
      chips += owner.chips;
    }
    return new Victims(ImmutableSortedSet.copyOf(names), cost, chips);
  }

  Owner owner(String name) {
    Owner owner = owners.get(name);
    checkArgument(owner != null, "no owner %s", name);
    return owner;
  }
}
