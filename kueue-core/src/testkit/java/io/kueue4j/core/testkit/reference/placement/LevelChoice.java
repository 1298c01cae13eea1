package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The level on which pods are placed, and its domains.
 *
 * <p>Rules: T-32, T-33, T-34, T-35, T-36, T-37, T-38, T-63.
 */
final class LevelChoice {
  /**
   * The chosen level.
   *
   * @param level the index of the level where the search ended
   * @param domains the domains, empty if the pods do not fit
   * @param fitting the number of slices that would have fitted, if they do not (T-63)
   */
  record Result(int level, ImmutableList<Domain> domains, long fitting) {}

  private final DomainTree tree;
  private final Wish wish;
  private final Order order;
  private final long slices;
  private final boolean hasLeader;

  LevelChoice(DomainTree tree, Wish wish, Order order, long slices, boolean hasLeader) {
    this.tree = tree;
    this.wish = wish;
    this.order = order;
    this.slices = slices;
    this.hasLeader = hasLeader;
  }

  Result choose() {
    for (int level = wish.searchLevel(); ; level--) {
      List<Domain> domains = order.sortedWithLeader(tree.atLevel(level));
      Optional<Domain> one = one(domains);
      if (one.isPresent()) {
        return new Result(level, ImmutableList.of(one.get()), slices);
      }
      if (wish.isRequired()) {
        return oneLikedLess(domains)
            .map(domain -> new Result(wish.searchLevel(), ImmutableList.of(domain), slices))
            .orElse(new Result(level, ImmutableList.of(), domains.get(0).slices));
      }
      if (level == 0 || wish.isUnconstrained()) {
        return several(level, domains);
      }
    }
  }

  /** T-33, T-34. */
  private Optional<Domain> one(List<Domain> domains) {
    if (order == Order.LEAST_FREE_CAPACITY) {
      return domains.stream()
          .filter(domain -> domain.hostsLeader || !hasLeader)
          .filter(domain -> domain.capacity(true, hasLeader) >= slices)
          .findFirst();
    }
    return isEnough(domains.get(0))
        ? Optional.of(Order.bestFit(domains, slices, hasLeader, true))
        : Optional.empty();
  }

  private boolean isEnough(Domain domain) {
    return domain.slicesWithLeader >= slices && (domain.hostsLeader || !hasLeader);
  }

  /** T-35: the preferred domain need not have the most capacity. */
  private Optional<Domain> oneLikedLess(List<Domain> domains) {
    return domains.stream()
        .filter(this::isEnough)
        .findFirst()
        .map(first -> Order.bestFit(
            domains.subList(domains.indexOf(first), domains.size()), slices, hasLeader, true));
  }

  /** T-37. */
  private Result several(int level, List<Domain> domains) {
    List<Domain> left = new ArrayList<>(domains);
    ImmutableList.Builder<Domain> chosen = ImmutableList.builder();
    long missing = slices;
    if (hasLeader) {
      left = new ArrayList<>(left.size() > 1 ? Order.leaderFirst(left, missing, true) : left);
      Domain host = left.get(0);
      if (!host.hostsLeader) {
        return new Result(level, ImmutableList.of(), 0);
      }
      if (order == Order.BEST_FIT && host.slicesWithLeader >= missing) {
        host = Order.bestFit(left, missing, true, true);
      }
      chosen.add(host);
      left.remove(host);
      missing -= host.slicesWithLeader;
    }
    left = new ArrayList<>(order.sorted(left));
    while (missing > 0 && !left.isEmpty()) {
      Domain next = left.get(0);
      if (order == Order.BEST_FIT && next.slices >= missing) {
        next = Order.bestFit(left, missing, false, true);
      }
      chosen.add(next);
      left.remove(next);
      missing -= next.slices;
    }
    return missing > 0
        ? new Result(level, ImmutableList.of(), slices - missing)
        : new Result(level, chosen.build(), slices);
  }
}
