package io.kueue4j.core.testkit.reference.placement;

import java.util.ArrayList;
import java.util.List;

/**
 * The descent from the chosen domains to the leaves.
 *
 * <p>Rules: T-43, T-45, T-46, T-47, T-48, T-49, T-60.
 */
final class Descent {
  private final Wish wish;
  private final Order order;
  private final long pods;
  private final boolean hasLeader;

  Descent(Wish wish, Order order, long pods, boolean hasLeader) {
    this.wish = wish;
    this.order = order;
    this.pods = pods;
    this.hasLeader = hasLeader;
  }

  /** {@return the leaves, each with its assigned pods} */
  List<Domain> leaves(List<Domain> chosen) {
    List<Domain> used = spreadSlices(chosen);
    int level = chosen.get(0).level();
    for (; level < wish.sliceLevel(); level++) {
      used = spreadSlices(order.sorted(children(used)));
    }
    return leavesBelow(used);
  }

  /** {@return the leaves below domains at or below the level of the slices, with assigned pods} */
  List<Domain> leavesBelow(List<Domain> sharing) {
    List<Domain> used = sharing;
    for (int level = sharing.get(0).level(); areAboveLeaves(used); level++) {
      List<Domain> below = new ArrayList<>();
      for (Domain parent : used) {
        below.addAll(spreadBelow(parent, wish.innerSize(level + 1)));
      }
      used = below;
    }
    return used;
  }

  /** {@return the leaves below domains with assigned pods, empty if they do not fit} */
  List<Domain> leavesOfBalanced(List<Domain> sharing) {
    List<Domain> used = sharing;
    for (int level = sharing.get(0).level(); areAboveLeaves(used); level++) {
      int unit = level < wish.sliceLevel() ? wish.sliceSize() : wish.innerSize(level + 1);
      List<Domain> below = new ArrayList<>();
      for (Domain parent : used) {
        List<Domain> children = spreadBelow(parent, unit);
        if (children.isEmpty()) {
          return List.of();
        }
        below.addAll(children);
      }
      used = below;
    }
    return used;
  }

  private static boolean areAboveLeaves(List<Domain> domains) {
    return !domains.isEmpty() && domains.get(0).leaf == null;
  }

  /** T-45, T-46: the assignment of a parent is discarded. */
  private List<Domain> spreadSlices(List<Domain> ordered) {
    return new Distribution(order, wish.sliceSize(), true).spread(ordered, pods, hasLeader);
  }

  private static List<Domain> children(List<Domain> parents) {
    return parents.stream().flatMap(parent -> parent.children.stream()).toList();
  }

  /** T-47, T-48: sorted before the inner slices are counted. */
  private List<Domain> spreadBelow(Domain parent, int unit) {
    List<Domain> ordered = order.sorted(parent.children);
    if (unit > 1) {
      ordered.forEach(child -> {
        child.slices = child.pods / unit;
        child.slicesWithLeader = child.podsWithLeader / unit;
      });
    }
    return new Distribution(order, unit, unit > 1)
        .spread(ordered, parent.takenPods, parent.takesLeader);
  }
}
