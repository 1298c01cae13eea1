package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.Comparators;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The order of domains, and the choice among them.
 *
 * <p>Rules: T-27, T-28, T-29, T-30, T-31, T-61.
 */
enum Order {
  /** The domain that everything fits into with the least capacity. */
  BEST_FIT,
  /** The smallest domains first. */
  LEAST_FREE_CAPACITY;

  /** T-27. */
  static final Comparator<Domain> BY_PATH =
      Comparator.comparing(domain -> domain.path, Comparators.lexicographical(String::compareTo));

  /** T-28, T-29. */
  List<Domain> sorted(List<Domain> domains) {
    return domains.stream()
        .sorted(Comparator.comparingLong((Domain domain) -> -domain.score)
            .thenComparingLong(domain -> directed(domain.slices))
            .thenComparingLong(domain -> domain.pods)
            .thenComparing(BY_PATH))
        .toList();
  }

  /** T-30. */
  List<Domain> sortedWithLeader(List<Domain> domains) {
    return domains.stream()
        .sorted(Comparator.comparing((Domain domain) -> !domain.hostsLeader)
            .thenComparingLong(domain -> -domain.score)
            .thenComparingLong(domain -> directed(domain.slicesWithLeader))
            .thenComparingLong(domain -> domain.podsWithLeader)
            .thenComparing(BY_PATH))
        .toList();
  }

  private long directed(long slices) {
    return this == BEST_FIT ? -slices : slices;
  }

  static List<Domain> byPath(List<Domain> domains) {
    return domains.stream().sorted(BY_PATH).toList();
  }

  /** T-31: the first of {@code domains} if none with the same preference is large enough. */
  static Domain bestFit(List<Domain> domains, long need, boolean withLeader, boolean inSlices) {
    long bestScore = domains.get(0).score;
    return domains.stream()
        .takeWhile(domain -> domain.score == bestScore)
        .filter(domain -> domain.hostsLeader || !withLeader)
        .filter(domain -> domain.capacity(inSlices, withLeader) >= need)
        .min(Comparator.comparingLong(domain -> domain.capacity(inSlices, withLeader)))
        .orElse(domains.get(0));
  }

  /** T-40: moves the first domain with enough capacity for a leader to the front. */
  static List<Domain> leaderFirst(List<Domain> domains, long need, boolean inSlices) {
    long total =
        domains.stream().mapToLong(domain -> domain.capacity(inSlices, false)).sum();
    return domains.stream()
        .filter(domain -> domain.hostsLeader)
        .filter(domain -> total - domain.leaderPenalty(inSlices) >= need)
        .findFirst()
        .map(host -> Stream.concat(
                Stream.of(host), domains.stream().filter(domain -> !domain.equals(host)))
            .toList())
        .orElse(domains);
  }
}
