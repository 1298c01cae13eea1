package io.kueue4j.core.internal.topology;

import java.util.Arrays;

/**
 * The capacity of the domains of one level, in units of a number of pods.
 *
 * <p>Rules: T-39, T-47, T-48, T-60.
 */
final class LevelCapacity {
  private final FitCounts counts;
  private final int level;
  private final int unit;
  private final boolean inSlices;

  private LevelCapacity(FitCounts counts, int level, int unit, boolean inSlices) {
    this.counts = counts;
    this.level = level;
    this.unit = unit;
    this.inSlices = inSlices;
  }

  /** {@return the capacity in slices, for a level at or above the level of the slices} */
  static LevelCapacity inSlices(FitCounts counts, int level) {
    return new LevelCapacity(counts, level, counts.key().slices().size(), true);
  }

  /**
   * {@return the capacity by fitting pods, in the units in which they are distributed below a
   * parent. Above the level of slices it may exceed the capacity in slices, because the pods may
   * not fill them}
   */
  static LevelCapacity inPods(FitCounts counts, int level) {
    return new LevelCapacity(counts, level, counts.key().slices().unit(level), false);
  }

  int level() {
    return level;
  }

  /** {@return the number of pods in a unit} */
  int unit() {
    return unit;
  }

  /** {@return the number of units that a domain can take} */
  int units(int domain) {
    return inSlices ? counts.slices(level, domain) : counts.pods(level, domain) / unit;
  }

  /** {@return the number of units that a domain can take besides the leader} */
  int unitsBesideLeader(int domain) {
    return inSlices
        ? counts.slicesBesideLeader(level, domain)
        : counts.podsBesideLeader(level, domain) / unit;
  }

  /** {@return the number of units that a domain can take, besides the leader if it has it} */
  int units(int domain, boolean withLeader) {
    return withLeader ? unitsBesideLeader(domain) : units(domain);
  }

  /** {@return whether a domain can host the leader} */
  boolean hostsLeader(int domain) {
    return counts.hostsLeader(level, domain);
  }

  /** {@return how much the pods prefer a domain} */
  long score(int domain) {
    return counts.score(level, domain);
  }

  /** {@return whether the pods prefer some domains} */
  boolean isScored() {
    return counts.key().scores() != NodeScores.NONE;
  }

  /** {@return the elements of {@code domains} that can take anything} */
  int[] useful(int[] domains) {
    int[] useful = new int[domains.length];
    int size = 0;
    for (int domain : domains) {
      if (units(domain) > 0) {
        useful[size] = domain;
        size++;
      }
    }
    return Arrays.copyOf(useful, size);
  }
}
