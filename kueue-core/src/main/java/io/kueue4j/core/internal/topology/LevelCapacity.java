package io.kueue4j.core.internal.topology;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of the domains of one level, in units of a number of pods.
 *
 * <p>Rules: T-39, T-47, T-48, T-60, T-93.
 *
 * @param counts the fit counts
 * @param level the level
 * @param unit the number of pods in a unit
 * @param inSlices whether the units are slices
 * @param room the room besides a smaller last slice, null if there is no such slice
 */
record LevelCapacity(
    FitCounts counts,
    int level,
    int unit,
    boolean inSlices,
    @Nullable LastSliceRoom room) {
  /**
   * {@return the capacity in slices, for a level at or above the level of the slices}
   *
   * @param room the room besides a smaller last slice, null if there is no such slice
   */
  static LevelCapacity inSlices(FitCounts counts, int level, @Nullable LastSliceRoom room) {
    return new LevelCapacity(counts, level, counts.key().slices().size(), true, room);
  }

  /**
   * {@return the capacity by fitting pods, in the units in which they are distributed below a
   * parent. Above the level of slices it may exceed the capacity in slices, because the pods may
   * not fill them}
   */
  static LevelCapacity inPods(FitCounts counts, int level) {
    return new LevelCapacity(counts, level, counts.key().slices().unit(level), false, null);
  }

  /** {@return the number of pods in a smaller last slice, 0 if there is no such slice} */
  int lastSlice() {
    return room == null ? 0 : room.lastSlice();
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

  /**
   * {@return the number of units that a domain can take besides a smaller last slice,
   * {@link LastSliceRoom#NONE} if that slice does not fit}
   */
  int unitsBesideLast(int domain, boolean withLeader) {
    return room == null ? units(domain, withLeader) : room.slices(level, domain, withLeader);
  }

  /**
   * {@return which of two domains would be filled more: negative for {@code a}, positive for
   * {@code b}}
   *
   * @param withLast whether the domain takes the smaller last slice as well
   */
  int compareSpareRoom(int a, int b, boolean withLeader, boolean withLast) {
    int byRoom = withLast
        ? Integer.compare(unitsBesideLast(a, withLeader), unitsBesideLast(b, withLeader))
        : 0;
    return byRoom != 0 ? byRoom : Integer.compare(units(a, withLeader), units(b, withLeader));
  }

  /** {@return whether a domain can host the leader} */
  boolean hostsLeader(int domain) {
    return counts.hostsLeader(level, domain);
  }

  /** {@return whether a domain can host the leader if it must} */
  boolean mayHost(int domain, boolean withLeader) {
    return !withLeader || hostsLeader(domain);
  }

  /** {@return the units that {@code domains} give up together if a given one hosts the leader} */
  IntToLongFunction costsOfLeader(int[] domains) {
    return room == null
        ? host -> units(host) - unitsBesideLeader(host)
        : room.costsOfLeader(level, Arrays.stream(domains));
  }

  /** {@return an order of the domains by capacity, with the parameters of {@link DomainOrder}} */
  DomainOrder order(boolean bestFit, boolean withLeader) {
    return new DomainOrder(counts, level, bestFit, withLeader);
  }

  /** {@return how much the pods prefer a domain} */
  long score(int domain) {
    return counts.score(level, domain);
  }

  /** {@return whether the pods prefer some domains} */
  boolean isScored() {
    return counts.key().scores() != NodeScores.NONE;
  }

  /**
   * {@return the elements of {@code domains} that can take anything; all of them if there is a
   * smaller last slice, which may need no room for a whole one}
   */
  int[] useful(int[] domains) {
    if (room != null) {
      return domains;
    }
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
