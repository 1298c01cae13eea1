package io.kueue4j.core.testkit.reference.placement;

import java.util.ArrayList;
import java.util.List;

/**
 * Distributes a number of pods over domains.
 *
 * <p>Rules: T-39, T-40, T-41, T-42, T-43, T-44.
 */
final class Distribution {
  private final Order order;

  /** Pods in a unit; more than one if units are slices. */
  private final int unit;

  private final boolean inSlices;

  Distribution(Order order, int unit, boolean inSlices) {
    this.order = order;
    this.unit = unit;
    this.inSlices = inSlices;
  }

  /** {@return the visited domains, each with its assigned pods; T-44: empty if they do not fit} */
  List<Domain> spread(List<Domain> ordered, long pods, boolean hasLeader) {
    long missing = pods / unit;
    List<Domain> left = new ArrayList<>(
        hasLeader && ordered.size() > 1 ? Order.leaderFirst(ordered, missing, inSlices) : ordered);
    List<Domain> visited = new ArrayList<>();
    boolean leaderMissing = hasLeader;
    while (!left.isEmpty()) {
      Domain next = left.get(0);
      if (isEnough(next, missing, leaderMissing) && order == Order.BEST_FIT) {
        next = Order.bestFit(left, missing, leaderMissing, inSlices);
      }
      left.remove(next);
      visited.add(next);
      boolean isLast = isEnough(next, missing, leaderMissing);
      long share = Math.min(missing, next.capacity(inSlices, leaderMissing));
      next.takenPods = share * unit;
      next.takesLeader = leaderMissing && next.hostsLeader;
      if (isLast) {
        return visited;
      }
      missing -= share;
      leaderMissing &= !next.hostsLeader;
    }
    return List.of();
  }

  private boolean isEnough(Domain domain, long missing, boolean leaderMissing) {
    return domain.capacity(inSlices, leaderMissing) >= missing
        && (domain.hostsLeader || !leaderMissing);
  }
}
