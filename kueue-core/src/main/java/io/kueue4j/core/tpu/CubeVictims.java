package io.kueue4j.core.tpu;

import com.google.common.primitives.ImmutableIntArray;
import io.kueue4j.core.tpu.CubeCover.CubeGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cheapest owners whose eviction frees a number of cubes of a pool. An owner in several
 * cubes is paid once, so this is a cover problem. It splits into parts without common owners: each
 * part is searched for its cost per number of cubes, and the parts are combined as in a knapsack
 * problem.
 *
 * <p>Rules: TPU-F-18.
 */
final class CubeVictims {
  private final PoolState state;
  private final Map<String, Owner> owners;
  private final Map<ImmutableIntArray, CubeGroup> groups = new LinkedHashMap<>();
  private int freeCubes;
  private boolean exact = true;

  CubeVictims(PoolState state, SliceRequest request, Map<String, Owner> owners) {
    this.state = state;
    this.owners = owners;
    long[] allowed = state.allowed(request, state.layout().pool().chips());
    for (int cube = 0; cube < allowed.length; cube++) {
      if (allowed[cube] == HostBits.CUBE) {
        add(cube);
      }
    }
  }

  private void add(int cube) {
    List<Owner> inside = new ArrayList<>();
    for (Resident resident : state.residents(cube)) {
      Owner owner = Owner.of(resident, owners);
      if (owner.isProtected()) {
        return;
      }
      if (!inside.contains(owner)) {
        inside.add(owner);
      }
    }
    if (inside.isEmpty()) {
      freeCubes++;
      return;
    }
    int[] key = inside.stream().mapToInt(Owner::index).sorted().toArray();
    groups.merge(
        ImmutableIntArray.copyOf(key),
        new CubeGroup(inside, 1),
        (known, more) -> new CubeGroup(known.owners(), known.cubes() + 1));
  }

  /** {@return whether all relevant combinations were tried} */
  boolean isExact() {
    return exact;
  }

  /** {@return the cheapest owners; null if evicting all owners does not suffice} */
  @Nullable
  EvictionCost cheapest(long cubes) {
    if (cubes <= freeCubes) {
      return EvictionCost.NOTHING;
    }
    if (cubes > state.layout().pool().cubes()) {
      return null;
    }
    int needed = (int) cubes - freeCubes;
    @Nullable EvictionCost[] best = new @Nullable EvictionCost[needed + 1];
    best[0] = EvictionCost.NOTHING;
    for (List<CubeGroup> part : parts()) {
      CubeCover cover = new CubeCover(part);
      int most = Math.min(needed, cover.cubes());
      List<List<Owner>> cheapest = new ArrayList<>();
      for (int some = 1; some <= most; some++) {
        cheapest.add(cover.cheapest(some));
      }
      exact &= cover.isExact();
      extend(best, cheapest);
    }
    return best[needed];
  }

  /** Adds a part; among equally good combinations the one with owners of earlier parts wins. */
  private static void extend(@Nullable EvictionCost[] best, List<List<Owner>> cheapest) {
    for (int cubes = best.length - 1; cubes > 0; cubes--) {
      for (int some = 1; some <= cheapest.size(); some++) {
        EvictionCost before = best[Math.max(0, cubes - some)];
        if (before != null) {
          EvictionCost cost = before.plus(cheapest.get(some - 1));
          best[cubes] = cost.isBetterThan(best[cubes]) ? cost : best[cubes];
        }
      }
    }
  }

  /** {@return the groups, split into parts without common owners, ordered by their first cubes} */
  private Collection<List<CubeGroup>> parts() {
    int[] partOf = new int[owners.size()];
    for (int i = 0; i < partOf.length; i++) {
      partOf[i] = i;
    }
    for (CubeGroup group : groups.values()) {
      for (Owner owner : group.owners()) {
        partOf[root(partOf, owner)] = root(partOf, group.owners().get(0));
      }
    }
    Map<Integer, List<CubeGroup>> parts = new LinkedHashMap<>();
    for (CubeGroup group : groups.values()) {
      parts
          .computeIfAbsent(root(partOf, group.owners().get(0)), key -> new ArrayList<>())
          .add(group);
    }
    return parts.values();
  }

  private static int root(int[] partOf, Owner owner) {
    int root = owner.index();
    while (partOf[root] != root) {
      partOf[root] = partOf[partOf[root]];
      root = partOf[root];
    }
    return root;
  }
}
