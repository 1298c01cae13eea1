package io.kueue4j.core.tpu;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
  private final CheapestEvictions costs;
  private final List<Owner> owners;
  private int nodesLeft = NODES;
  private boolean certain = true;
  private @Nullable EvictionCost best;

  OwnerSearch(SliceFitter fitter, TpuFleet fleet, SliceRequest request, CheapestEvictions costs) {
    this.fitter = fitter;
    this.fleet = fleet;
    this.request = request;
    this.costs = costs;
    this.owners = costs.owners().stream()
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
    Set<String> all = new TreeSet<>();
    owners.forEach(owner -> all.add(owner.name()));
    if (fits(all)) {
      best = costs.cost(pruned(all));
      search(0, new TreeSet<>(), all);
    }
    return best;
  }

  /** {@return whether all relevant combinations were tried} */
  boolean isExact() {
    return certain && nodesLeft > 0;
  }

  private boolean fits(Set<String> gone) {
    SliceFit fit = fitter.fit(CheapestEvictions.without(fleet, gone), request);
    certain &= !(fit instanceof SliceFit.Undecided);
    return fit.isPlaced();
  }

  /** Removes owners that need not be evicted, the most expensive first. */
  private Set<String> pruned(Set<String> gone) {
    Set<String> needed = new TreeSet<>(gone);
    for (Owner owner : owners) {
      needed.remove(owner.name());
      if (!fits(needed)) {
        needed.add(owner.name());
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
  private void search(int from, Set<String> going, Set<String> possible) {
    EvictionCost cost = costs.cost(going);
    if (cost == null || !cost.isBetterThan(best) || nodesLeft <= 0) {
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
    String next = owners.get(from).name();
    Set<String> others = new TreeSet<>(possible);
    others.remove(next);
    if (fits(others)) {
      search(from + 1, going, others);
    }
    Set<String> more = new TreeSet<>(going);
    more.add(next);
    search(from + 1, more, possible);
  }
}
