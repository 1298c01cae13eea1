package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.TopologyAssignment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The leaves for pods of which the last ones fill no whole slice: they are a smaller slice, which
 * is in one domain, too.
 *
 * <p>Rules: T-93.
 */
final class PartialSearch {
  private final DomainTree tree;
  private final Wish wish;
  private final Order order;
  private final long slices;
  private final long rest;

  /** The whole slices that fit besides the smaller one, absent where that does not fit. */
  private final Map<Domain, OptionalLong> besideRest = new HashMap<>();

  /** The same with the leader. */
  private final Map<Domain, OptionalLong> besideBoth = new HashMap<>();

  /** The domains with slices of the level at hand, in the order they were taken. */
  private final List<Domain> taken = new ArrayList<>();

  private final Map<Domain, Long> share = new LinkedHashMap<>();

  PartialSearch(DomainTree tree, Wish wish, int pods, Placement.Options options) {
    this.tree = tree;
    this.wish = wish;
    this.order =
        wish.isUnconstrained() && options.isMixed() ? Order.LEAST_FREE_CAPACITY : Order.BEST_FIT;
    this.slices = pods / wish.sliceSize();
    this.rest = pods % wish.sliceSize();
    for (int level = wish.sliceLevel(); level >= 0; level--) {
      tree.atLevel(level).forEach(this::count);
    }
  }

  /** {@return the places of pods, those in the domain of the smaller slice last} */
  static List<TopologyAssignment.Domain> restLast(
      List<TopologyAssignment.Domain> places, FlavorNodes nodes, Wish wish) {
    Map<List<String>, Integer> pods = podsByDomain(places, nodes, wish);
    return places.stream()
        .sorted(Comparator.comparing(place ->
            Objects.requireNonNull(pods.get(domain(place, nodes, wish))) % wish.sliceSize() != 0))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return whether pods that fill no slice are in several domains} */
  static boolean splitSlice(List<TopologyAssignment.Domain> places, FlavorNodes nodes, Wish wish) {
    return podsByDomain(places, nodes, wish).values().stream()
            .filter(pods -> pods % wish.sliceSize() != 0)
            .count()
        > 1;
  }

  private static Map<List<String>, Integer> podsByDomain(
      List<TopologyAssignment.Domain> places, FlavorNodes nodes, Wish wish) {
    Map<List<String>, Integer> pods = new HashMap<>();
    places.forEach(place -> pods.merge(domain(place, nodes, wish), place.count(), Integer::sum));
    return pods;
  }

  private static List<String> domain(
      TopologyAssignment.Domain place, FlavorNodes nodes, Wish wish) {
    return nodes.leaves.stream()
        .filter(leaf -> nodes.id(leaf).equals(place.values()))
        .map(leaf -> leaf.path().subList(0, wish.sliceLevel() + 1))
        .findFirst()
        .orElseThrow();
  }

  // ----- room

  private void count(Domain domain) {
    boolean holdsSlices = domain.level() == wish.sliceLevel();
    besideRest.put(
        domain,
        holdsSlices
            ? besideRest(domain.pods)
            : less(domain, domain.pods, domain.children.stream().flatMapToLong(this::costOfRest)));
    besideBoth.put(
        domain,
        holdsSlices
            ? besideRest(domain.podsWithLeader)
            : less(
                domain,
                domain.podsWithLeader,
                domain.children.stream()
                    .filter(child -> child.hostsLeader)
                    .flatMapToLong(child -> costsOfLeader(child, domain.children))));
  }

  private OptionalLong besideRest(long pods) {
    return pods < rest ? OptionalLong.empty() : OptionalLong.of((pods - rest) / wish.sliceSize());
  }

  private OptionalLong less(Domain domain, long pods, LongStream costs) {
    long all = domain.children.stream().mapToLong(child -> child.slices).sum();
    OptionalLong least = costs.min();
    OptionalLong byPods = besideRest(pods);
    return least.isPresent() && byPods.isPresent()
        ? OptionalLong.of(Math.min(all - least.getAsLong(), byPods.getAsLong()))
        : OptionalLong.empty();
  }

  private LongStream costOfRest(Domain domain) {
    return room(domain, false).stream().map(left -> domain.slices - left);
  }

  /** The slices given up for the leader in {@code host} and the rest there or elsewhere. */
  private LongStream costsOfLeader(Domain host, List<Domain> domains) {
    LongStream together = room(host, true).stream().map(left -> host.slices - left);
    LongStream apart = domains.stream()
        .filter(domain -> domain != host)
        .flatMapToLong(this::costOfRest)
        .map(cost -> cost + host.leaderPenalty(true));
    return LongStream.concat(together, apart);
  }

  private OptionalLong room(Domain domain, boolean withLeader) {
    return Objects.requireNonNull((withLeader ? besideBoth : besideRest).get(domain));
  }

  private boolean fitsBesideRest(Domain domain, long need, boolean withLeader) {
    return room(domain, withLeader).orElse(-1) >= need && (domain.hostsLeader || !withLeader);
  }

  // ----- choice

  /** {@return the leaves, each with its assigned pods, or why there are none} */
  Search find() {
    for (int level = wish.searchLevel(); ; level--) {
      List<Domain> domains = tree.hasLeader()
          ? order.sortedWithLeader(tree.atLevel(level))
          : order.sorted(tree.atLevel(level));
      List<Domain> eligible =
          wish.isRequired() || order == Order.LEAST_FREE_CAPACITY ? domains : tier(domains);
      List<Domain> fitting = eligible.stream()
          .filter(domain -> fitsBesideRest(domain, slices, tree.hasLeader()))
          .toList();
      if (!fitting.isEmpty()) {
        Domain first = fitting.get(0);
        boolean isBest = order == Order.BEST_FIT;
        return descend(level, List.of(isBest ? tightest(fitting, tree.hasLeader()) : first));
      }
      if (wish.isRequired()) {
        return failed(level, domains.get(0).slices);
      }
      if (level == 0 || wish.isUnconstrained()) {
        return several(level, domains);
      }
    }
  }

  private static Search failed(int level, long fitting) {
    return new Search(new LevelChoice.Result(level, ImmutableList.of(), fitting), List.of());
  }

  private static List<Domain> tier(List<Domain> domains) {
    long score = domains.get(0).score;
    return domains.stream().takeWhile(domain -> domain.score == score).toList();
  }

  /** {@return of domains with room, the first of the smallest with the best preference} */
  private Domain tightest(List<Domain> fitting, boolean withLeader) {
    return tier(fitting).stream()
        .min(
            Comparator.comparingLong((Domain domain) -> room(domain, withLeader).orElseThrow())
                .thenComparingLong(domain -> domain.capacity(true, withLeader)))
        .orElseThrow();
  }

  private Search several(int level, List<Domain> domains) {
    share.clear();
    List<Domain> left = leaderFirst(domains);
    long missing = slices;
    @Nullable Domain host = null;
    if (tree.hasLeader()) {
      host = left.get(0);
      if (!host.hostsLeader) {
        return failed(level, 0);
      }
      if (order == Order.BEST_FIT && host.slicesWithLeader >= missing) {
        host = Order.bestFit(left, missing, true, true);
      }
      share.put(host, Math.min(missing, host.slicesWithLeader));
      missing -= host.slicesWithLeader;
      left = left.subList(1, left.size());
    }
    left = order.sorted(left);
    for (int i = 0; missing > 0 && i < left.size(); i++) {
      Domain next = left.get(i);
      if (order == Order.BEST_FIT && next.slices >= missing) {
        next = Order.bestFit(left.subList(i, left.size()), missing, false, true);
      }
      share.put(next, Math.min(missing, next.slices));
      missing -= next.slices;
    }
    if (missing > 0) {
      return failed(level, slices - missing);
    }
    @Nullable Domain leads = host;
    List<Domain> chosen = new ArrayList<>(share.keySet());
    if (share.entrySet().stream()
        .noneMatch(
            each -> hasRoomForRest(each.getKey(), each.getValue(), each.getKey() == leads))) {
      List<Domain> more = left.stream()
          .filter(domain -> room(domain, false).isPresent() && !chosen.contains(domain))
          .limit(1)
          .toList();
      if (more.isEmpty()) {
        return failed(level, slices);
      }
      chosen.addAll(more);
    }
    return descend(level, chosen);
  }

  private boolean hasRoomForRest(Domain domain, long used, boolean withLeader) {
    return room(domain, withLeader).orElse(-1) >= used;
  }

  private List<Domain> leaderFirst(List<Domain> domains) {
    if (!tree.hasLeader() || domains.size() < 2) {
      return domains;
    }
    long total = domains.stream().mapToLong(domain -> domain.slices).sum();
    return domains.stream()
        .filter(domain -> domain.hostsLeader)
        .filter(domain -> costsOfLeader(domain, domains).anyMatch(costs -> total - costs >= slices))
        .findFirst()
        .map(host -> Stream.concat(
                Stream.of(host), domains.stream().filter(domain -> domain != host))
            .toList())
        .orElse(domains);
  }

  // ----- descent

  private Search descend(int top, List<Domain> chosen) {
    List<Domain> domains = chosen;
    for (int level = top; ; level++) {
      if (!take(domains)) {
        return failed(top, 0);
      }
      if (level == wish.sliceLevel()) {
        break;
      }
      domains = order.sorted(
          taken.stream().flatMap(domain -> domain.children.stream()).toList());
    }
    List<Domain> leaves = new Descent(wish, order, 0, tree.hasLeader()).leavesBelow(taken);
    return new Search(new LevelChoice.Result(top, ImmutableList.copyOf(chosen), slices), leaves);
  }

  /** {@return whether {@code domains} take all slices, the leader and the rest} */
  private boolean take(List<Domain> domains) {
    taken.clear();
    List<Domain> ordered = leaderFirst(domains);
    long missing = slices;
    boolean leaderMissing = tree.hasLeader();
    boolean hasRoom = false;
    for (int i = 0; i < ordered.size(); i++) {
      List<Domain> left = ordered.subList(i, ordered.size());
      Domain next = left.get(0);
      boolean isLast =
          next.capacity(true, leaderMissing) >= missing && (next.hostsLeader || !leaderMissing);
      if (isLast && order == Order.BEST_FIT) {
        next = Order.bestFit(left, missing, leaderMissing, true);
      }
      if (isLast && !hasRoom) {
        Domain closing = closing(left, next, missing, leaderMissing);
        if (closing != null) {
          put(closing, missing * wish.sliceSize() + rest, leaderMissing);
          return true;
        }
      }
      long part = Math.min(missing, next.capacity(true, leaderMissing));
      boolean hosts = leaderMissing && next.hostsLeader;
      put(next, part * wish.sliceSize(), hosts);
      if (isLast) {
        return placeRest(ordered);
      }
      missing -= part;
      leaderMissing &= !hosts;
      hasRoom |= hasRoomForRest(next, part, hosts);
    }
    return false;
  }

  private @Nullable Domain closing(
      List<Domain> left, Domain best, long missing, boolean withLeader) {
    List<Domain> among = order == Order.BEST_FIT ? tier(left) : List.of(best);
    List<Domain> fitting = among.stream()
        .filter(domain -> fitsBesideRest(domain, missing, withLeader))
        .toList();
    if (fitting.isEmpty()) {
      return null;
    }
    Domain closing = tightest(fitting, withLeader);
    return closing.capacity(true, withLeader) <= best.capacity(true, withLeader) ? closing : null;
  }

  private void put(Domain domain, long pods, boolean withLeader) {
    domain.takenPods = pods;
    domain.takesLeader = withLeader;
    taken.add(domain);
  }

  private boolean placeRest(List<Domain> ordered) {
    for (Domain domain : taken) {
      if (hasRoomForRest(domain, domain.takenPods / wish.sliceSize(), domain.takesLeader)) {
        domain.takenPods += rest;
        return true;
      }
    }
    for (Domain domain : ordered) {
      if (room(domain, false).isPresent() && !taken.contains(domain)) {
        put(domain, rest, false);
        return true;
      }
    }
    return false;
  }
}
