package io.kueue4j.core.internal.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The groups of one ClusterQueue with parked workloads, in no particular order. */
final class ParkedGroups {
  // Each group knows its index, which is cheaper than a set.
  private final List<ShapeGroup> groups = new ArrayList<>();

  boolean isEmpty() {
    return groups.isEmpty();
  }

  void forEach(Consumer<ShapeGroup> action) {
    groups.forEach(action);
  }

  /** Adds a group unless it is present. */
  void add(ShapeGroup group) {
    if (!contains(group)) {
      group.parkedIndex = groups.size();
      groups.add(group);
    }
  }

  private boolean contains(ShapeGroup group) {
    return group.parkedIndex < groups.size() && groups.get(group.parkedIndex).equals(group);
  }

  /** Removes a group that is present. */
  void remove(ShapeGroup group) {
    ShapeGroup last = groups.remove(groups.size() - 1);
    if (!last.equals(group)) {
      groups.set(group.parkedIndex, last);
      last.parkedIndex = group.parkedIndex;
    }
  }

  /** Adds or removes a group as {@code hasParked} requires. */
  void set(ShapeGroup group, boolean hasParked) {
    if (hasParked) {
      add(group);
    } else if (contains(group)) {
      remove(group);
    }
  }

  /** {@return the groups that match} */
  List<ShapeGroup> matching(Predicate<ShapeGroup> isWanted) {
    List<ShapeGroup> wanted = new ArrayList<>(groups.size());
    for (ShapeGroup group : groups) {
      if (isWanted.test(group)) {
        wanted.add(group);
      }
    }
    return wanted;
  }
}
