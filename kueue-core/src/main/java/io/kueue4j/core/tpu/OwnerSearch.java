package io.kueue4j.core.tpu;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cheapest owners whose eviction makes room for several slices: branch and bound over
 * which owners are evicted, limited to a number of steps. The fitter decides whether a set of
 * owners suffices; a larger set never fits less.
 *
 * <p>Rules: TPU-F-18.
 */
final class OwnerSearch {
  private static final int NODES = 3_000;

  private final SliceFitter fitter;
  private final TpuFleet fleet;
  private final SliceRequest request;
  private final List<Owner> owners;
  private int nodesLeft = NODES;
  private boolean certain = true;
  private @Nullable EvictionCost best;

  OwnerSearch(SliceFitter fitter, TpuFleet fleet, SliceRequest request, Collection<Owner> owners) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
    this.owners = owners.stream()
        .filter(owner -> !owner.isProtected())
        .sorted(Comparator.comparingLong(Owner::cost)
            .reversed()
            .thenComparingLong(Owner::chips)
            .thenComparing(Owner::name))
        .toList();
  }

  /** {@return the cheapest owners; null if evicting all of them does not suffice} */
  @Nullable
  EvictionCost cheapest() {
    Set<Owner> all = new LinkedHashSet<>(owners);
    if (fits(all)) {
      best = cost(pruned(all));
      search(0, new LinkedHashSet<>(), all);
    }
    return best;
  }

  /** {@return whether all relevant combinations were tried} */
  boolean isExact() {
    return certain && nodesLeft > 0;
  }

  private static EvictionCost cost(Set<Owner> gone) {
    return EvictionCost.NOTHING.plus(List.copyOf(gone));
  }

  private boolean fits(Set<Owner> gone) {
    SliceFit fit = fitter.fit(CheapestEvictions.without(fleet, gone), request);
    certain &= !(fit instanceof SliceFit.Undecided);
    return fit.isPlaced();
  }

  /** Removes owners that need not be evicted, the most expensive first. */
  private Set<Owner> pruned(Set<Owner> gone) {
    Set<Owner> needed = new LinkedHashSet<>(gone);
    for (Owner owner : owners) {
      needed.remove(owner);
      if (!fits(needed)) {
        needed.add(owner);
      }
    }
    return needed;
  }

  /**
   * Decides which of the owners from an index on are evicted.
   *
   * @param going the owners to evict
   * @param possible {@code going} and all undecided owners, which together suffice
   */
  private void search(int from, Set<Owner> going, Set<Owner> possible) {
    EvictionCost cost = cost(going);
    if (!cost.isBetterThan(best) || nodesLeft <= 0) {
      return;
    }
    nodesLeft--;
    if (fits(going)) {
      best = cost;
      return;
    }
    if (from == owners.size()) {
      return;
    }
    Owner next = owners.get(from);
    Set<Owner> others = new LinkedHashSet<>(possible);
    others.remove(next);
    if (fits(others)) {
      search(from + 1, going, others);
    }
    Set<Owner> more = new LinkedHashSet<>(going);
    more.add(next);
    search(from + 1, more, possible);
  }
}
