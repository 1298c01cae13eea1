package io.kueue4j.core.internal.topology;

/**
 * The order in which the domains of a level are considered.
 *
 * <p>Rules: T-28, T-29, T-30, T-43, T-61.
 *
 * @param counts the fit counts
 * @param level the level
 * @param bestFit whether the largest domain comes first, else the smallest
 * @param withLeader whether the capacity besides a leader counts, and domains that can host the
 *     leader come first
 */
record DomainOrder(FitCounts counts, int level, boolean bestFit, boolean withLeader) {
  /** {@return whether {@code a} comes before {@code b}} */
  boolean isBefore(int a, int b) {
    if (withLeader && counts.hostsLeader(level, a) != counts.hostsLeader(level, b)) {
      return counts.hostsLeader(level, a);
    }
    int byScore = Long.compare(counts.score(level, b), counts.score(level, a));
    if (byScore != 0) {
      return byScore < 0;
    }
    int bySlices = Integer.compare(slices(a), slices(b));
    if (bySlices != 0) {
      return bestFit == (bySlices > 0);
    }
    int byPods = Integer.compare(pods(a), pods(b));
    return byPods != 0 ? byPods < 0 : a < b;
  }

  private int slices(int domain) {
    return withLeader ? counts.slicesBesideLeader(level, domain) : counts.slices(level, domain);
  }

  private int pods(int domain) {
    return withLeader ? counts.podsBesideLeader(level, domain) : counts.pods(level, domain);
  }
}
