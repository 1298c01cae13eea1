package io.kueue4j.core.internal.topology;

import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The number of whole slices that fit the domains besides a smaller last slice, for the level of
 * the slices and those above.
 *
 * <p>Rules: T-93.
 */
final class LastSliceRoom {
  /** The last slice does not fit. */
  static final int NONE = -1;

  /** More than any costs. */
  private static final long IMPOSSIBLE = 1L << 40;

  private final FitCounts counts;
  private final DomainTree tree;
  private final int sliceSize;
  private final int lastSlice;
  private final int[][] slices;
  private final int[][] slicesBesideLeader;

  /**
   * The costs of the last slice, in slices that a domain gives up: in the domain with the lowest
   * costs, and in the best other one, which counts where the first is used otherwise.
   */
  private static final class Costs {
    private int cheapest = -1;
    private long best = IMPOSSIBLE;
    private long second = IMPOSSIBLE;

    void add(int domain, long costs) {
      if (costs < best) {
        second = best;
        best = costs;
        cheapest = domain;
      } else {
        second = Math.min(second, costs);
      }
    }

    /** {@return the lowest costs of a domain other than {@code domain}} */
    long bestExcept(int domain) {
      return domain == cheapest ? second : best;
    }
  }

  /** Counts the room besides a last slice of {@code lastSlice} pods. */
  LastSliceRoom(FitCounts counts, int lastSlice) {
    this.counts = counts;
    this.tree = counts.tree();
    this.sliceSize = counts.key().slices().size();
    this.lastSlice = lastSlice;
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

  /** {@return the number of pods in the last slice} */
  int lastSlice() {
    return lastSlice;
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

  /**
   * {@return the slices that {@code domains} give up for the leader in a given one, and for the
   * last slice anywhere}
   */
  IntToLongFunction costsOfLeader(int level, IntStream domains) {
    Costs last = costsOfLast(level, domains);
    return host -> costsOfLeader(level, host, last);
  }

  private long costsOfLeader(int level, int host, Costs last) {
    int fitting = counts.slices(level, host);
    int besideBoth = slicesBesideLeader[level][host];
    long together = besideBoth == NONE ? IMPOSSIBLE : fitting - besideBoth;
    long apart = fitting - counts.slicesBesideLeader(level, host) + last.bestExcept(host);
    return Math.min(together, apart);
  }

  private Costs costsOfLast(int level, IntStream domains) {
    Costs costs = new Costs();
    domains
        .filter(domain -> slices[level][domain] != NONE)
        .forEach(domain -> costs.add(domain, counts.slices(level, domain) - slices[level][domain]));
    return costs;
  }

  private int besideLastSlice(int pods) {
    return pods < lastSlice ? NONE : (pods - lastSlice) / sliceSize;
  }

  private void rollUp(int level, int domain) {
    int first = tree.firstChild(level, domain);
    int end = tree.endOfChildren(level, domain);
    Costs last = costsOfLast(level + 1, IntStream.range(first, end));
    long sum = 0;
    long both = IMPOSSIBLE;
    for (int child = first; child < end; child++) {
      sum += counts.slices(level + 1, child);
      if (counts.hostsLeader(level + 1, child)) {
        both = Math.min(both, costsOfLeader(level + 1, child, last));
      }
    }
    slices[level][domain] = left(sum, last.best, counts.pods(level, domain));
    slicesBesideLeader[level][domain] = left(sum, both, counts.podsBesideLeader(level, domain));
  }

  private int left(long sum, long costs, int pods) {
    return costs >= IMPOSSIBLE ? NONE : (int) Math.min(sum - costs, besideLastSlice(pods));
  }
}
