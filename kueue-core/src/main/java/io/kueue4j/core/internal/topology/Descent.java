package io.kueue4j.core.internal.topology;

import java.util.Arrays;

/**
 * Distributes pods from the domains of one level down to the leaves.
 *
 * <p>Rules: T-31, T-39, T-40, T-41, T-42, T-43, T-44, T-45, T-46, T-47, T-48, T-49, T-60.
 */
final class Descent {
  private final FitCounts counts;
  private final DomainTree tree;
  private final SliceLayers slices;
  private final boolean bestFit;

  /** Whether the domains took everything they were chosen for; rule T-44. */
  private boolean complete = true;

  Descent(FitCounts counts, SliceLayers slices, boolean bestFit) {
    this.counts = counts;
    this.tree = counts.tree();
    this.slices = slices;
    this.bestFit = bestFit;
  }

  /**
   * {@return the placement of {@code sliceCount} slices, and of the leader, in the domains of a
   * level}
   */
  Placement fromDomains(int level, int[] domains, int sliceCount, boolean withLeader) {
    int slicedPods = sliceCount * slices.size();
    LevelCapacity capacity = LevelCapacity.inSlices(counts, level);
    Shares shares = new Shares(domains.length);
    DomainQueue queue = DomainQueue.asGiven(domains, capacity);
    take(queue, capacity, slicedPods, withLeader, shares);
    for (int at = level; at < tree.lowestLevel(); at++) {
      shares = at < slices.level()
          ? takeFromAll(shares, at, slicedPods, withLeader)
          : takeFromEach(shares, at);
    }
    return placement(shares, level);
  }

  /** {@return the placement of pods whose shares of the domains of the level are given} */
  Placement fromShares(int level, Shares given) {
    Shares shares = given;
    for (int at = level; at < tree.lowestLevel(); at++) {
      shares = takeFromEach(shares, at);
    }
    return placement(shares, level);
  }

  private Placement placement(Shares shares, int level) {
    return complete ? shares.toPlacement() : new Placement.DoesNotFit(0, level);
  }

  /** Above the level of slices only the set of domains counts, not the share of each (T-46). */
  private Shares takeFromAll(Shares shares, int level, int slicedPods, boolean withLeader) {
    int count = 0;
    for (int i = 0; i < shares.size(); i++) {
      count += tree.childCount(level, shares.domain(i));
    }
    int[] children = new int[count];
    int size = 0;
    for (int i = 0; i < shares.size(); i++) {
      int end = tree.endOfChildren(level, shares.domain(i));
      for (int child = tree.firstChild(level, shares.domain(i)); child < end; child++) {
        children[size] = child;
        size++;
      }
    }
    LevelCapacity capacity = LevelCapacity.inSlices(counts, level + 1);
    Shares below = new Shares(shares.size());
    take(ordered(children, capacity, withLeader), capacity, slicedPods, withLeader, below);
    return below;
  }

  private Shares takeFromEach(Shares shares, int level) {
    LevelCapacity capacity = LevelCapacity.inPods(counts, level + 1);
    Shares below = new Shares(shares.size());
    for (int i = 0; i < shares.size(); i++) {
      if (!shares.isEmpty(i)) {
        int[] children = new int[tree.childCount(level, shares.domain(i))];
        int first = tree.firstChild(level, shares.domain(i));
        Arrays.setAll(children, child -> first + child);
        boolean withLeader = shares.hasLeader(i);
        DomainQueue queue = ordered(children, capacity, withLeader);
        take(queue, capacity, shares.pods(i), withLeader, below);
      }
    }
    return below;
  }

  private DomainQueue ordered(int[] domains, LevelCapacity capacity, boolean withLeader) {
    DomainOrder order = DomainOrder.plain(counts, capacity.level(), bestFit);
    int[] useful = withLeader ? domains : capacity.useful(domains);
    return DomainQueue.ordered(useful, capacity, order);
  }

  /** Distributes pods, and optionally the leader, over domains in their order. */
  private void take(
      DomainQueue queue, LevelCapacity capacity, int pods, boolean withLeader, Shares shares) {
    int remaining = pods / capacity.unit();
    boolean leader = withLeader;
    if (leader) {
      queue.putLeaderFirst(remaining);
    }
    while (leader && !queue.isEmpty()) {
      int first = queue.first();
      boolean suffices =
          capacity.hostsLeader(first) && capacity.unitsBesideLeader(first) >= remaining;
      int domain = bestFit && suffices ? queue.takeBestFit(remaining, true) : queue.takeFirst();
      boolean hosts = capacity.hostsLeader(domain);
      int units = Math.min(capacity.unitsBesideLeader(domain), remaining);
      shares.add(domain, units * capacity.unit(), hosts);
      remaining -= units;
      leader = !hosts;
    }
    while (remaining > 0 && !queue.isEmpty()) {
      int domain = bestFit && capacity.units(queue.first()) >= remaining
          ? queue.takeBestFit(remaining, false)
          : queue.takeFirst();
      int units = Math.min(capacity.units(domain), remaining);
      shares.add(domain, units * capacity.unit(), false);
      remaining -= units;
    }
    complete &= !leader && remaining == 0;
  }
}
