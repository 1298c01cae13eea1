package io.kueue4j.core.topology;

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
 * Finds as few domains as suffice for pods, and maybe their leader, with as little room to spare as
 * possible: by dynamic programming over what is left to be placed.
 *
 * <p>Rules: T-58.
 */
final class DomainSubset {
  private final FitCounts counts;
  private final NodeScores scores;
  private final LevelCapacity capacity;
  private final int level;
  private final int sliceCount;
  private final boolean hasLeader;

  /** Domains, the last one first. */
  private record Choice(@Nullable Choice before, int domain) {}

  /**
   * What so many domains can come to: for each number of pods that may be left, the domains that
   * leave so many; those of less than none are too much room.
   *
   * @param withLeaderLeft with the leader left to be placed
   * @param withoutLeader without
   */
  private record States(
      NavigableMap<Integer, Choice> withLeaderLeft, NavigableMap<Integer, Choice> withoutLeader) {
    States() {
      this(new TreeMap<>(), new TreeMap<>());
    }
  }

  DomainSubset(FitCounts counts, NodeScores scores, int level, int sliceCount) {
    this.counts = counts;
    this.scores = scores;
    this.capacity = LevelCapacity.inSlices(counts, level);
    this.level = level;
    this.sliceCount = sliceCount;
    this.hasLeader = counts.key().leader() != null;
  }

  /**
   * {@return the domains in the order in which they were chosen, null if all do not suffice}
   *
   * @param byEntropy whether domains come first that take the most slices and are filled evenly,
   *     else those whose names come first
   */
  int @Nullable [] find(int[] domains, boolean byEntropy) {
    Greedy greedy = Greedy.of(counts, scores, level, domains, sliceCount);
    if (greedy == null) {
      return null;
    }
    int domainCount = greedy.domainCount();
    List<Integer> ordered = new ArrayList<>(Ints.asList(domains));
    // The number of a domain is its place by name.
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

  /** {@return how evenly the pods that fit a domain are spread over the domains right below} */
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
