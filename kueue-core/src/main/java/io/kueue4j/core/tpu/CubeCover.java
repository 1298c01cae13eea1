package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cheapest owners that together occupy a number of cubes, among groups of cubes that
 * share owners: branch and bound over the groups, limited to a number of steps.
 *
 * <p>Rules: TPU-F-18.
 */
final class CubeCover {
  /** The maximum number of groups examined before giving up. */
  private static final int STEPS = 200_000;

  /**
   * Cubes with the same owners.
   *
   * @param owners the owners of each of the cubes
   * @param cubes the number of cubes
   */
  record CubeGroup(List<Owner> owners, int cubes) {}

  private final List<CubeGroup> groups;
  private final Map<Owner, Integer> cubesOf = new HashMap<>();
  private final int cubes;
  private int stepsLeft = STEPS;
  private int needed;
  private @Nullable EvictionCost best;

  CubeCover(List<CubeGroup> groups) {
    this.groups = groups;
    int sum = 0;
    for (CubeGroup group : groups) {
      sum += group.cubes();
      group.owners().forEach(owner -> cubesOf.merge(owner, group.cubes(), Integer::sum));
    }
    this.cubes = sum;
  }

  /** {@return the number of cubes} */
  int cubes() {
    return cubes;
  }

  /** {@return whether all relevant combinations were tried} */
  boolean isExact() {
    return stepsLeft > 0;
  }

  /** {@return the owners to evict so that {@code some} cubes are free} */
  List<Owner> cheapest(int some) {
    if (groups.size() == 1) {
      return groups.get(0).owners();
    }
    needed = some;
    best = null;
    search(new LinkedHashSet<>(), EvictionCost.NOTHING, groups);
    EvictionCost found = best;
    checkState(found != null, "%s of %s cubes cannot be freed", some, cubes);
    return found.owners();
  }

  private void search(Set<Owner> paid, EvictionCost cost, List<CubeGroup> allowed) {
    if (stepsLeft <= 0 && best != null) {
      return;
    }
    stepsLeft -= allowed.size();
    int covered = 0;
    List<CubeGroup> open = new ArrayList<>();
    for (CubeGroup group : allowed) {
      if (paid.containsAll(group.owners())) {
        covered += group.cubes();
      } else {
        open.add(group);
      }
    }
    if (covered >= needed) {
      best = cost.isBetterThan(best) ? cost : best;
      return;
    }
    Map<CubeGroup, Long> shares = new HashMap<>();
    open.forEach(group -> shares.put(group, share(group, paid)));
    open.sort(Comparator.comparingLong(shares::get));
    if (!canImprove(cost, open, shares, needed - covered)) {
      return;
    }
    CubeGroup first = open.get(0);
    List<Owner> added =
        first.owners().stream().filter(owner -> !paid.contains(owner)).toList();
    Set<Owner> more = new LinkedHashSet<>(paid);
    more.addAll(added);
    search(more, cost.plus(added), allowed);
    List<CubeGroup> fewer = new ArrayList<>(allowed);
    fewer.remove(first);
    search(paid, cost, fewer);
  }

  /** Splits the cost of an owner among its cubes, so that the sum never exceeds the true cost. */
  private long share(CubeGroup group, Set<Owner> paid) {
    long share = 0;
    for (Owner owner : group.owners()) {
      long part = owner.cost() / cubesOf.getOrDefault(owner, 1);
      share = paid.contains(owner) ? share : EvictionCost.sum(share, part);
    }
    return share;
  }

  private boolean canImprove(
      EvictionCost cost, List<CubeGroup> open, Map<CubeGroup, Long> shares, int missing) {
    long least = cost.cost();
    int left = missing;
    for (CubeGroup group : open) {
      for (int taken = Math.min(left, group.cubes()); taken > 0; taken--) {
        least = EvictionCost.sum(least, shares.getOrDefault(group, 0L));
        left--;
      }
    }
    EvictionCost known = best;
    return left == 0
        && (known == null
            || least < known.cost()
            || (least == known.cost() && cost.size() < known.size()));
  }
}
