package io.kueue4j.core.internal.topology;

import org.jspecify.annotations.Nullable;

/**
 * Distributes pods from the domains of one level down to the leaves.
 *
 * <p>Rules: T-31, T-39, T-40, T-41, T-42, T-43, T-44, T-45, T-46, T-47, T-48, T-49, T-60, T-93.
 */
final class Descent {
  private final FitCounts counts;
  private final DomainTree tree;
  private final SliceLayers slices;
  private final boolean bestFit;
  private final @Nullable LastSliceRoom room;

  /** Whether the domains took everything they were chosen for; rule T-44. */
  private boolean complete = true;

  /**
   * Creates a descent.
   *
   * @param counts the fit counts
   * @param bestFit whether the largest domains come first, and the tightest one last
   * @param room the room besides a smaller last slice, null if there is no such slice
   */
  Descent(FitCounts counts, boolean bestFit, @Nullable LastSliceRoom room) {
    this.counts = counts;
    this.tree = counts.tree();
    this.slices = counts.key().slices();
    this.bestFit = bestFit;
    this.room = room;
  }

  /**
   * {@return the placement of {@code sliceCount} slices, and of the leader, in the domains of a
   * level}
   */
  Placement fromDomains(int level, int[] domains, int sliceCount, boolean withLeader) {
    int slicedPods = sliceCount * slices.size();
    LevelCapacity capacity = LevelCapacity.inSlices(counts, level, room);
    Shares shares = new Shares(domains.length);
    DomainQueue queue = DomainQueue.asGiven(domains, capacity, bestFit);
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
    int[] children = tree.children(level, shares.domains());
    LevelCapacity capacity = LevelCapacity.inSlices(counts, level + 1, room);
    Shares below = new Shares(shares.size());
    take(ordered(children, capacity, withLeader), capacity, slicedPods, withLeader, below);
    return below;
  }

  private Shares takeFromEach(Shares shares, int level) {
    LevelCapacity capacity = LevelCapacity.inPods(counts, level + 1);
    Shares below = new Shares(shares.size());
    for (int i = 0; i < shares.size(); i++) {
      if (!shares.isEmpty(i)) {
        int[] children = tree.children(level, shares.domain(i));
        boolean withLeader = shares.hasLeader(i);
        DomainQueue queue = ordered(children, capacity, withLeader);
        take(queue, capacity, shares.pods(i), withLeader, below);
      }
    }
    return below;
  }

  private DomainQueue ordered(int[] domains, LevelCapacity capacity, boolean withLeader) {
    int[] useful = withLeader ? domains : capacity.useful(domains);
    return DomainQueue.ordered(useful, capacity, bestFit, false);
  }

  /**
   * Distributes pods over domains in their order, and optionally the leader and a smaller last
   * slice, which goes to a domain with whole slices if one has room.
   */
  private void take(
      DomainQueue queue, LevelCapacity capacity, int pods, boolean withLeader, Shares shares) {
    int remaining = pods / capacity.unit();
    boolean leader = withLeader;
    int lastSlice = capacity.lastSlice();
    if (leader) {
      queue.putLeaderFirst(remaining);
    }
    while ((leader || remaining > 0 || (lastSlice > 0 && shares.size() == 0)) && !queue.isEmpty()) {
      int domain = queue.take(remaining, leader, lastSlice > 0);
      boolean hosts = leader && capacity.hostsLeader(domain);
      int units = Math.min(capacity.units(domain, leader), remaining);
      int last = capacity.unitsBesideLast(domain, hosts) >= units ? lastSlice : 0;
      shares.add(domain, units * capacity.unit() + last, hosts);
      remaining -= units;
      leader &= !hosts;
      lastSlice -= last;
    }
    if (lastSlice > 0 && !leader && remaining == 0) {
      int domain = queue.takeForLast();
      if (domain >= 0) {
        shares.add(domain, lastSlice, false);
        lastSlice = 0;
      }
    }
    complete &= !leader && remaining == 0 && lastSlice == 0;
  }
}
