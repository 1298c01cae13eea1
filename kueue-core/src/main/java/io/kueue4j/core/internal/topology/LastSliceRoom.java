package io.kueue4j.core.internal.topology;

/**
 * The number of whole slices that fit the domains besides a smaller last slice, for the level of
 * the slices and those above.
 *
 * <p>Rules: T-93.
 */
final class LastSliceRoom {
  /** The last slice does not fit. */
  static final int NONE = -1;

  private final FitCounts counts;
  private final DomainTree tree;
  private final int sliceSize;
  private final int lastSlice;
  private final boolean hasLeader;
  private final int[][] slices;
  private final int[][] slicesBesideLeader;

  /** Counts the room besides a last slice of {@code lastSlice} pods. */
  LastSliceRoom(FitCounts counts, int lastSlice) {
    this.counts = counts;
    this.tree = counts.tree();
    this.sliceSize = counts.key().slices().size();
    this.lastSlice = lastSlice;
    this.hasLeader = counts.key().leader() != null;
    int sliceLevel = counts.key().slices().level();
    this.slices = new int[sliceLevel + 1][];
    this.slicesBesideLeader = new int[sliceLevel + 1][];
    for (int level = sliceLevel; level >= 0; level--) {
      slices[level] = new int[tree.size(level)];
      slicesBesideLeader[level] = new int[tree.size(level)];
      for (int domain = 0; domain < tree.size(level); domain++) {
        if (level == sliceLevel) {
          slices[level][domain] = besideLastSlice(counts.pods(level, domain));
          slicesBesideLeader[level][domain] =
              besideLastSlice(counts.podsBesideLeader(level, domain));
        } else {
          rollUp(level, domain);
        }
      }
    }
  }

  /**
   * {@return the number of slices that fit a domain besides the last slice, {@link #NONE} if the
   * last slice does not fit}
   *
   * @param withLeader whether the domain hosts the leader, too
   */
  int slices(int level, int domain, boolean withLeader) {
    return (withLeader ? slicesBesideLeader : slices)[level][domain];
  }

  private int besideLastSlice(int pods) {
    return pods < lastSlice ? NONE : (pods - lastSlice) / sliceSize;
  }

  private void rollUp(int level, int domain) {
    long sum = 0;
    CheapestDomains last = new CheapestDomains();
    CheapestDomains leader = new CheapestDomains();
    long both = CheapestDomains.IMPOSSIBLE;
    int end = tree.endOfChildren(level, domain);
    for (int child = tree.firstChild(level, domain); child < end; child++) {
      int fitting = counts.slices(level + 1, child);
      sum += fitting;
      if (slices[level + 1][child] != NONE) {
        last.add(child, fitting - slices[level + 1][child]);
      }
      if (hasLeader && counts.hostsLeader(level + 1, child)) {
        leader.add(child, fitting - counts.slicesBesideLeader(level + 1, child));
        if (slicesBesideLeader[level + 1][child] != NONE) {
          both = Math.min(both, fitting - slicesBesideLeader[level + 1][child]);
        }
      }
    }
    slices[level][domain] = left(sum, last.best(), counts.pods(level, domain));
    slicesBesideLeader[level][domain] =
        left(sum, Math.min(both, last.bestWith(leader)), counts.podsBesideLeader(level, domain));
  }

  private int left(long sum, long costs, int pods) {
    return costs >= CheapestDomains.IMPOSSIBLE
        ? NONE
        : (int) Math.min(sum - costs, besideLastSlice(pods));
  }
}
