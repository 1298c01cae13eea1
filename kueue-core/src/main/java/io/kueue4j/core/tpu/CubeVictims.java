package io.kueue4j.core.tpu;

import io.kueue4j.core.tpu.VictimSearch.Victims;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest owners whose going makes so many cubes of a pool free. An owner in several cubes is
 * paid once, so this is a cover problem: branch and bound over groups of cubes with the same
 * owners, up to a number of steps.
 *
 * <p>Rules: TPU-F-18.
 */
final class CubeVictims {
  private static final int NODES = 5_000;

  private final VictimSearch costs;
  private final List<Group> groups = new ArrayList<>();
  private final Map<String, Integer> cubesOf = new TreeMap<>();
  private int needed;
  private int nodesLeft = NODES;
  private @Nullable Victims best;

  /** Cubes with the same owners. */
  private static final class Group {
    private final List<String> owners;
    private int cubes;

    Group(List<String> owners) {
      this.owners = owners;
    }
  }

  CubeVictims(VictimSearch costs, List<Window> cubes) {
    this.costs = costs;
    Map<String, Group> byOwners = new TreeMap<>();
    for (Window cube : cubes) {
      List<String> owners = VictimSearch.names(cube);
      if (owners.stream().noneMatch(name -> costs.owner(name).isProtected())) {
        byOwners.computeIfAbsent(owners.toString(), key -> new Group(owners)).cubes++;
        owners.forEach(name -> cubesOf.merge(name, 1, Integer::sum));
      }
    }
    groups.addAll(byOwners.values());
  }

  /** {@return the cheapest owners; nothing if no owners are enough} */
  @Nullable
  Victims cheapest(int cubes) {
    needed = cubes;
    search(new TreeSet<>(), groups);
    return best;
  }

  /** {@return whether all combinations were tried, as far as they matter} */
  boolean isExact() {
    return nodesLeft > 0;
  }

  private void search(Set<String> paid, List<Group> allowed) {
    Victims victims = costs.victims(paid);
    if (victims == null || nodesLeft <= 0) {
      return;
    }
    nodesLeft--;
    int covered = 0;
    List<Group> open = new ArrayList<>();
    for (Group group : allowed) {
      if (paid.containsAll(group.owners)) {
        covered += group.cubes;
      } else {
        open.add(group);
      }
    }
    if (covered >= needed) {
      best = best == null || Victims.ORDER.compare(victims, best) < 0 ? victims : best;
      return;
    }
    open.sort(Comparator.comparingLong((Group group) -> share(group, paid)));
    if (!canImprove(victims, open, needed - covered, paid)) {
      return;
    }
    Set<String> more = new TreeSet<>(paid);
    more.addAll(open.get(0).owners);
    search(more, allowed);
    List<Group> fewer = new ArrayList<>(allowed);
    fewer.remove(open.get(0));
    search(paid, fewer);
  }

  /** What an owner costs is shared among its cubes, so the sum never exceeds the true cost. */
  private long share(Group group, Set<String> paid) {
    long share = 0;
    for (String name : group.owners) {
      share += paid.contains(name) ? 0 : costs.owner(name).cost() / cubesOf.getOrDefault(name, 1);
    }
    return share;
  }

  private boolean canImprove(Victims victims, List<Group> open, int missing, Set<String> paid) {
    long least = victims.cost();
    int left = missing;
    for (Group group : open) {
      long share = share(group, paid);
      int taken = Math.min(left, group.cubes);
      least += share * taken;
      left -= taken;
    }
    return left == 0
        && (best == null
            || least < best.cost()
            || (least == best.cost() && paid.size() < best.names().size()));
  }
}
