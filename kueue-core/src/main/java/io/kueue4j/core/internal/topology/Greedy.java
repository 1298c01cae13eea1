package io.kueue4j.core.internal.topology;

import org.jspecify.annotations.Nullable;

/**
 * The result of taking the largest domains first.
 *
 * <p>Rules: T-55.
 *
 * @param domainCount the number of domains used
 * @param leaderDomain the domain that hosts the leader, negative if there is none
 * @param lastDomain the last used domain that does not host the leader, negative if there is none
 */
record Greedy(int domainCount, int leaderDomain, int lastDomain) {
  /**
   * {@return the result for {@code sliceCount} slices, null if all domains together do not suffice}
   */
  static @Nullable Greedy of(FitCounts counts, int level, int[] domains, int sliceCount) {
    LevelCapacity capacity = LevelCapacity.inSlices(counts, level, null);
    int[] rest = domains;
    int remaining = sliceCount;
    int count = 0;
    int leaderDomain = -1;
    if (counts.key().leader() != null) {
      DomainQueue queue = DomainQueue.ordered(rest, capacity, true, true);
      if (queue.isEmpty() || !capacity.hostsLeader(queue.first())) {
        return null;
      }
      leaderDomain = queue.takeFirst();
      remaining -= capacity.unitsBesideLeader(leaderDomain);
      count++;
      rest = queue.rest();
    }
    DomainQueue queue = DomainQueue.ordered(rest, capacity, true, false);
    int lastDomain = -1;
    // A preferred domain without room may come before others with room, which are then not used.
    while (remaining > 0 && !queue.isEmpty() && capacity.units(queue.first()) > 0) {
      lastDomain = queue.takeFirst();
      remaining -= capacity.units(lastDomain);
      count++;
    }
    return remaining > 0 ? null : new Greedy(count, leaderDomain, lastDomain);
  }

  /** {@return the greatest number of slices that every used domain can have} */
  int threshold(FitCounts counts, int level, int sliceCount) {
    int threshold = sliceCount / domainCount;
    if (leaderDomain >= 0) {
      threshold = Math.min(threshold, counts.slicesBesideLeader(level, leaderDomain));
    }
    return lastDomain < 0 ? threshold : Math.min(threshold, counts.slices(level, lastDomain));
  }
}
