package io.kueue4j.core.testkit.reference.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pods that prefer a level, spread evenly over few domains of it. Works on copies of the domains,
 * so that a failure has no effect.
 *
 * <p>Rules: T-53, T-54, T-55, T-56, T-57, T-58, T-59, T-60; T-44 as section 17 of the rule index
 * has it.
 */
final class Balance {
  /**
   * Siblings to spread over, pruned.
   *
   * @param domains copies of them
   * @param threshold the minimum number of slices in each used domain
   * @param count the number of used domains if the largest are taken first
   */
  private record Group(List<Domain> domains, long threshold, int count) {}

  /**
   * The result of taking the largest domains first (T-55).
   *
   * @param count q, the number of domains used
   * @param leaderHost ℓ, null without a leader
   * @param last w, null if the domain of the leader suffices
   */
  private record Greedy(
      int count, @Nullable Domain leaderHost, @Nullable Domain last) {}

  /** A state of the search for a subset: what is left to place; the first one by leaders, pods. */
  private record Left(int leaders, long pods) {
    static final Comparator<Left> ORDER =
        Comparator.comparingInt(Left::leaders).thenComparingLong(Left::pods);
  }

  private final DomainTree tree;
  private final Wish wish;
  private final long slices;

  Balance(DomainTree tree, Wish wish, long slices) {
    this.tree = tree;
    this.wish = wish;
    this.slices = slices;
  }

  /** {@return the leaves, each with its assigned pods; empty if the pods cannot be balanced} */
  List<Domain> leaves() {
    Optional<Group> best = bestGroup();
    if (best.isEmpty()) {
      return List.of();
    }
    List<Domain> domains = best.get().domains();
    if (isAboveSlices()) {
      domains = below(subset(domains, mostEvenFirst()));
    }
    List<Domain> chosen = subset(domains, Order.BY_PATH);
    return chosen.isEmpty() || !share(chosen, best.get().threshold())
        ? List.of()
        : new Descent(wish, Order.BEST_FIT, slices * wish.sliceSize(), tree.hasLeader())
            .leavesOfBalanced(inOrderOfLeader(chosen));
  }

  private boolean isAboveSlices() {
    return wish.searchLevel() < wish.sliceLevel();
  }

  private static List<Domain> below(List<Domain> parents) {
    return parents.stream().flatMap(parent -> parent.children.stream()).toList();
  }

  private static List<Domain> inOrderOfLeader(List<Domain> domains) {
    return Order.BEST_FIT.sortedWithLeader(domains);
  }

  // ----- groups

  /** T-54, T-57. */
  private Optional<Group> bestGroup() {
    List<List<Domain>> siblings = wish.searchLevel() == 0
        ? List.of(tree.atLevel(0))
        : Order.byPath(tree.atLevel(wish.searchLevel() - 1)).stream()
            .map(parent -> parent.children)
            .toList();
    Optional<Group> best = Optional.empty();
    for (List<Domain> each : siblings) {
      long toBeat = best.map(Group::threshold).orElse(0L);
      Optional<Group> group = group(each, toBeat);
      if (group.isPresent()
          && (group.get().threshold() > toBeat
              || (best.isPresent() && group.get().count() < best.get().count()))) {
        best = group;
      }
    }
    return best;
  }

  /**
   * T-55, T-56.
   *
   * @return the group, empty if its threshold is below {@code toBeat}
   */
  private Optional<Group> group(List<Domain> siblings, long toBeat) {
    List<Domain> tested = isAboveSlices() ? below(siblings) : siblings;
    Optional<Greedy> greedy = greedy(tested);
    if (greedy.isEmpty()) {
      return Optional.empty();
    }
    long threshold = threshold(greedy.get());
    if (threshold < toBeat) {
      return Optional.empty();
    }
    Optional<Group> pruned = pruned(siblings, threshold);
    if (pruned.isPresent() || !tree.hasLeader() || greedy.get().last() == null) {
      return pruned;
    }
    long reserving = Math.min(threshold, greedy.get().last().slicesWithLeader);
    return reserving < threshold && reserving > 0 && reserving >= toBeat
        ? pruned(siblings, reserving)
        : Optional.empty();
  }

  /** T-55. */
  private Optional<Greedy> greedy(List<Domain> domains) {
    List<Domain> rest = new ArrayList<>(domains);
    long missing = slices;
    int count = 0;
    @Nullable Domain leaderHost = null;
    if (tree.hasLeader()) {
      Optional<Domain> first =
          inOrderOfLeader(rest).stream().findFirst().filter(domain -> domain.hostsLeader);
      if (first.isEmpty()) {
        return Optional.empty();
      }
      leaderHost = first.get();
      rest.remove(leaderHost);
      missing -= leaderHost.slicesWithLeader;
      count++;
    }
    @Nullable Domain last = null;
    for (Domain next : Order.BEST_FIT.sorted(rest)) {
      // Preferred domains come first (T-61), so one without slices may end the search.
      if (missing <= 0 || next.slices == 0) {
        break;
      }
      last = next;
      missing -= next.slices;
      count++;
    }
    return missing > 0 ? Optional.empty() : Optional.of(new Greedy(count, leaderHost, last));
  }

  /** T-55. */
  private long threshold(Greedy greedy) {
    long threshold = slices / greedy.count();
    if (greedy.leaderHost() != null) {
      threshold = Math.min(threshold, greedy.leaderHost().slicesWithLeader);
    }
    return greedy.last() == null ? threshold : Math.min(threshold, greedy.last().slices);
  }

  /**
   * T-56.
   *
   * @return the remaining group, empty if it does not suffice
   */
  private Optional<Group> pruned(List<Domain> siblings, long threshold) {
    List<Domain> copies = siblings.stream().map(Domain::copy).toList();
    below(copies).forEach(child -> prune(child, threshold));
    for (Domain domain : copies) {
      tree.countAgain(domain);
      prune(domain, threshold);
    }
    return greedy(copies).map(greedy -> new Group(copies, threshold, greedy.count()));
  }

  private void prune(Domain domain, long threshold) {
    if (domain.slices < threshold) {
      clear(domain);
    } else if (domain.hostsLeader && domain.slicesWithLeader < threshold) {
      clearLeader(domain);
    }
  }

  private void clear(Domain domain) {
    domain.pods = 0;
    domain.slices = 0;
    domain.podsWithLeader = 0;
    domain.slicesWithLeader = 0;
    domain.hostsLeader = false;
    domain.children.forEach(this::clear);
  }

  private void clearLeader(Domain domain) {
    domain.podsWithLeader = 0;
    domain.slicesWithLeader = 0;
    domain.hostsLeader = false;
    domain.children.forEach(this::clearLeader);
  }

  // ----- the domains to use

  /**
   * T-58.
   *
   * @return as few domains as possible, with the least excess capacity, empty if none suffice
   */
  private List<Domain> subset(List<Domain> domains, Comparator<Domain> order) {
    Optional<Greedy> greedy = greedy(domains);
    if (greedy.isEmpty()) {
      return List.of();
    }
    int count = greedy.get().count();
    List<Map<Left, List<Domain>>> found = new ArrayList<>();
    for (int used = 0; used <= count; used++) {
      found.add(new TreeMap<>(Left.ORDER));
    }
    Left all = new Left(tree.hasLeader() ? 1 : 0, slices * wish.sliceSize());
    found.get(0).put(all, List.of());
    for (Domain domain : domains.stream().sorted(order).toList()) {
      for (int used = count; used > 0; used--) {
        Map<Left, List<Domain>> after = found.get(used);
        found.get(used - 1).forEach((left, chosen) -> use(domain, left, chosen, after));
      }
    }
    List<Domain> best = List.of();
    for (Map.Entry<Left, List<Domain>> each : found.get(count).entrySet()) {
      if (each.getKey().leaders() == 0 && each.getKey().pods() <= 0) {
        best = each.getValue();
      }
    }
    return best;
  }

  /** T-58: the first way to a state is kept. */
  private static void use(
      Domain domain, Left left, List<Domain> chosen, Map<Left, List<Domain>> after) {
    if (left.leaders() == 0 && left.pods() <= 0) {
      return;
    }
    List<Domain> more = new ArrayList<>(chosen);
    more.add(domain);
    if (left.leaders() > 0 && domain.hostsLeader) {
      after.putIfAbsent(new Left(0, left.pods() - domain.podsWithLeader), more);
    }
    if (domain.slices > 0) {
      after.putIfAbsent(new Left(left.leaders(), left.pods() - domain.pods), more);
    }
  }

  private static Comparator<Domain> mostEvenFirst() {
    return Comparator.comparing((Domain domain) -> !domain.hostsLeader)
        .thenComparingLong(domain -> -domain.slicesWithLeader)
        .thenComparingDouble(domain -> -entropy(domain))
        .thenComparing(Order.BY_PATH);
  }

  /** T-58: the more evenly capacity is spread over the children, the higher. */
  private static double entropy(Domain parent) {
    double total = parent.children.stream().mapToLong(child -> child.pods).sum();
    double entropy = 0;
    for (Domain child : Order.byPath(parent.children)) {
      if (child.pods > 0) {
        double share = child.pods / total;
        entropy -= share * log2(share);
      }
    }
    return entropy;
  }

  /** As Go computes it: exact for powers of two. */
  private static double log2(double x) {
    int exponent = Math.getExponent(x) + 1;
    double fraction = x / Math.scalb(1.0, exponent);
    return fraction == 0.5
        ? exponent - 1
        : StrictMath.log(fraction) * (1 / StrictMath.log(2)) + exponent;
  }

  /**
   * T-59.
   *
   * @return whether all slices were distributed, at least the threshold to each
   */
  private boolean share(List<Domain> chosen, long threshold) {
    long extra = slices - chosen.size() * threshold;
    if (extra < 0) {
      return false;
    }
    boolean leaderMissing = tree.hasLeader();
    for (Domain domain : inOrderOfLeader(chosen)) {
      long more = Math.min(domain.capacity(true, leaderMissing) - threshold, extra);
      if (!leaderMissing && extra == 0) {
        more = 0;
      }
      domain.takenPods = (threshold + more) * wish.sliceSize();
      domain.takesLeader = leaderMissing;
      extra -= more;
      leaderMissing = false;
    }
    return extra == 0;
  }
}
