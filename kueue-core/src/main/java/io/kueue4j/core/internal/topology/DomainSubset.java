package io.kueue4j.core.internal.topology;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fewest domains that suffice for pods, and optionally their leader, with the least spare
 * room, by dynamic programming over the pods left to place.
 *
 * <p>Rules: T-58.
 */
final class DomainSubset {
  private final FitCounts counts;
  private final LevelCapacity capacity;
  private final int level;
  private final int sliceCount;
  private final boolean hasLeader;

  /** A list of domains, the last one first. */
  private record Choice(@Nullable Choice before, int domain) {}

  /**
   * The results reachable with a number of domains: for each number of pods left to place, the
   * domains that leave it. A negative number is spare room.
   *
   * @param withLeaderLeft the results with the leader left to place
   * @param withoutLeader the results without the leader left to place
   */
  private record States(
      NavigableMap<Integer, Choice> withLeaderLeft, NavigableMap<Integer, Choice> withoutLeader) {
    States() {
      this(new TreeMap<>(), new TreeMap<>());
    }
  }

  DomainSubset(FitCounts counts, int level, int sliceCount) {
    this.counts = counts;
    this.capacity = LevelCapacity.inSlices(counts, level, null);
    this.level = level;
    this.sliceCount = sliceCount;
    this.hasLeader = counts.key().leader() != null;
  }

  /**
   * {@return the domains in the order in which they were chosen, null if all together do not
   * suffice}
   *
   * @param byEntropy whether domains that take the most slices and are filled evenly come first,
   *     else domains are ordered by name
   */
  int @Nullable [] find(int[] domains, boolean byEntropy) {
    Greedy greedy = Greedy.of(counts, level, domains, sliceCount);
    if (greedy == null) {
      return null;
    }
    int domainCount = greedy.domainCount();
    List<Integer> ordered = new ArrayList<>(Ints.asList(domains));
    // Domains are numbered in the order of names.
    ordered.sort(byEntropy ? evenlyFilledFirst() : Comparator.naturalOrder());
    List<States> states = new ArrayList<>();
    for (int i = 0; i <= domainCount; i++) {
      states.add(new States());
    }
    Choice nothing = new Choice(null, -1);
    States start = states.get(0);
    (hasLeader ? start.withLeaderLeft : start.withoutLeader)
        .put(sliceCount * capacity.unit(), nothing);
    for (int domain : ordered) {
      for (int i = domainCount; i > 0; i--) {
        add(domain, states.get(i - 1), states.get(i));
      }
    }
    Map.Entry<Integer, Choice> best = states.get(domainCount).withoutLeader.floorEntry(0);
    return best == null ? null : domains(best.getValue(), domainCount);
  }

  private void add(int domain, States before, States after) {
    int pods = counts.pods(level, domain);
    ImmutableSortedMap.copyOf(before.withoutLeader).forEach((left, choice) -> {
      if (left > 0 && capacity.units(domain) > 0) {
        after.withoutLeader.putIfAbsent(left - pods, new Choice(choice, domain));
      }
    });
    ImmutableSortedMap.copyOf(before.withLeaderLeft).forEach((left, choice) -> {
      Choice chosen = new Choice(choice, domain);
      if (capacity.hostsLeader(domain)) {
        after.withoutLeader.putIfAbsent(left - counts.podsBesideLeader(level, domain), chosen);
      }
      if (capacity.units(domain) > 0) {
        after.withLeaderLeft.putIfAbsent(left - pods, chosen);
      }
    });
  }

  private static int[] domains(Choice last, int count) {
    int[] domains = new int[count];
    Choice choice = last;
    for (int i = count - 1; i >= 0 && choice != null; i--) {
      domains[i] = choice.domain;
      choice = choice.before;
    }
    return domains;
  }

  private Comparator<Integer> evenlyFilledFirst() {
    Comparator<Integer> byLeader = Comparator.comparing(capacity::hostsLeader);
    Comparator<Integer> bySlices = Comparator.comparingInt(capacity::unitsBesideLeader);
    Comparator<Integer> byEntropy = Comparator.comparingDouble(this::entropy);
    return byLeader
        .thenComparing(bySlices)
        .thenComparing(byEntropy)
        .reversed()
        .thenComparing(Comparator.naturalOrder());
  }

  /** {@return the entropy of the distribution of the pods that fit a domain over its children} */
  private double entropy(int domain) {
    DomainTree tree = counts.tree();
    if (level == tree.lowestLevel()) {
      return 0;
    }
    int end = tree.endOfChildren(level, domain);
    long total = 0;
    for (int child = tree.firstChild(level, domain); child < end; child++) {
      total += counts.pods(level + 1, child);
    }
    double entropy = 0;
    for (int child = tree.firstChild(level, domain); child < end; child++) {
      double share = (double) counts.pods(level + 1, child) / total;
      entropy -= share > 0 ? share * (StrictMath.log(share) / StrictMath.log(2)) : 0;
    }
    return entropy;
  }
}
