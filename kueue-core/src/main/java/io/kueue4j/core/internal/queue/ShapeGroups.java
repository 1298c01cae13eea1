package io.kueue4j.core.internal.queue;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.Shape;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedMultimap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The active and parked workloads of one ClusterQueue by group, and the order of the active ones.
 *
 * <p>Rules: U-4, W-8, PS-2.
 */
final class ShapeGroups {
  /*
   * Workloads of equal shape and namespace form a group; the first active workloads of all groups
   * are in order. Parking or reactivating a shape moves whole groups, so the cost of an event depends
   * on the number of groups, not of workloads.
   *
   * If past usage orders LocalQueues, a group belongs to one LocalQueue, and the first workloads are
   * ordered by usage first. The cost of a change of usage then depends on the number of groups of
   * that LocalQueue. Parking a shape still affects the groups of all LocalQueues.
   */
  private final @Nullable LocalQueueUsage usage;
  private final Journal journal;
  private final VersionedMap<ShapeGroup.Key, ShapeGroup> groups;

  /** The groups of each shape: one for each namespace or LocalQueue. */
  private final VersionedMultimap<Shape, ShapeGroup.Key> byShape;

  /** The usage of each LocalQueue that has had workloads here, if usage counts. */
  private final VersionedMap<String, Double> usages;

  /** The groups of each LocalQueue, if usage counts. */
  private final VersionedMultimap<String, ShapeGroup.Key> byLocalQueue;

  /** The first active workload of each group. */
  private final VersionedSet<First> firsts;

  /** The same by expected duration, null unless that orders workloads. */
  private final @Nullable VersionedSet<First> shortest;

  /** The groups with parked workloads. */
  private final VersionedMap<ShapeGroup.Key, ShapeGroup> withParked;

  /**
   * The first active workload of a group.
   *
   * @param usage counts before all else
   */
  record First(double usage, PendingWorkload workload, ShapeGroup group) {
    static int compare(First a, First b) {
      int byUsage = Double.compare(a.usage, b.usage);
      return byUsage != 0 ? byUsage : PendingWorkload.compareService(a.workload, b.workload);
    }

    static int compareDuration(First a, First b) {
      int byDuration =
          Long.compare(a.group.key().expectedMillis(), b.group.key().expectedMillis());
      return byDuration != 0 ? byDuration : compare(a, b);
    }
  }

  ShapeGroups(@Nullable LocalQueueUsage usage, boolean ordersByDuration, Journal journal) {
    this.usage = usage;
    this.shortest = ordersByDuration ? new VersionedSet<>(journal, First::compareDuration) : null;
    this.journal = journal;
    this.groups = new VersionedMap<>(journal);
    this.byShape = new VersionedMultimap<>(journal);
    this.usages = new VersionedMap<>(journal);
    this.byLocalQueue = new VersionedMultimap<>(journal);
    this.firsts = new VersionedSet<>(journal, First::compare);
    this.withParked = new VersionedMap<>(journal);
  }

  /** Takes the workloads of another queue, with copies of what changes in place: the groups. */
  void share(ShapeGroups other) {
    other.groups.forEach((key, group) -> {
      ShapeGroup copy = group.copy(journal);
      groups.setUnrecorded(key, copy);
      if (!copy.parked().isEmpty()) {
        withParked.setUnrecorded(key, copy);
      }
    });
    byShape.share(other.byShape);
    usages.share(other.usages);
    byLocalQueue.share(other.byLocalQueue);
    firsts.copy(other.firsts, this::ofCopy);
    if (shortest != null && other.shortest != null) {
      shortest.copy(other.shortest, this::ofCopy);
    }
  }

  private First ofCopy(First first) {
    return new First(first.usage, first.workload, require(first.group.key()));
  }

  // ----- look-ups

  /** {@return the first active workload of the first group, null if none is active} */
  @Nullable
  First first() {
    return firsts.isEmpty() ? null : firsts.first();
  }

  /** {@return the active workload with the shortest expected duration; there must be one} */
  PendingWorkload shortest() {
    return (shortest == null ? firsts : shortest).first().workload;
  }

  boolean hasParked() {
    return !withParked.isEmpty();
  }

  /** {@return the active workloads, in no particular order} */
  List<PendingWorkload> active() {
    List<PendingWorkload> all = new ArrayList<>();
    groups.forEach((key, group) -> group.active().forEach(all::add));
    return all;
  }

  /** {@return the parked workloads, in no particular order} */
  List<PendingWorkload> parked() {
    List<PendingWorkload> all = new ArrayList<>();
    withParked.forEach((key, group) -> group.parked().forEach(all::add));
    return all;
  }

  boolean isActive(PendingWorkload workload) {
    ShapeGroup group = of(workload);
    return group != null && group.active().contains(workload);
  }

  /** {@return the usage that orders a workload before all else, 0 if usage does not count} */
  double usageOf(PendingWorkload workload) {
    return usage == null ? 0 : usageOf(keyOf(workload));
  }

  /** {@return the usage of each LocalQueue, null if usage does not count} */
  @Nullable
  Map<String, Double> usages() {
    if (usage == null) {
      return null;
    }
    Map<String, Double> present = new HashMap<>();
    usages.forEach(present::put);
    return present;
  }

  /** {@return the group of a workload, null if there is none} */
  @Nullable
  ShapeGroup of(PendingWorkload workload) {
    return groups.get(keyOf(workload));
  }

  private ShapeGroup.Key keyOf(PendingWorkload workload) {
    CompiledWorkload compiled = workload.compiled();
    return new ShapeGroup.Key(
        compiled.shape(),
        usage == null ? compiled.source().namespace() : compiled.localQueue(),
        shortest == null ? 0 : compiled.expectedMillis());
  }

  private ShapeGroup require(ShapeGroup.Key key) {
    ShapeGroup group = groups.get(key);
    if (group == null) {
      throw new IllegalStateException("there is no group of " + key.name());
    }
    return group;
  }

  // ----- changes

  /** {@return the group of a workload, created if there is none} */
  ShapeGroup obtain(PendingWorkload workload) {
    ShapeGroup.Key key = keyOf(workload);
    ShapeGroup known = groups.get(key);
    if (known != null) {
      return known;
    }
    ShapeGroup group = new ShapeGroup(key, workload.compiled().source().namespace(), journal);
    set(key, group);
    return group;
  }

  /** Removes a group if it has no workloads. */
  void removeIfEmpty(ShapeGroup group) {
    if (group.size() == 0) {
      set(group.key(), null);
    }
  }

  private void set(ShapeGroup.Key key, @Nullable ShapeGroup group) {
    groups.set(key, group);
    byShape.set(key.shape(), key, group != null);
    if (usage != null) {
      byLocalQueue.set(key.name(), key, group != null);
    }
  }

  void activate(PendingWorkload workload, ShapeGroup group) {
    change(group, () -> group.active().add(workload));
  }

  void park(PendingWorkload workload, ShapeGroup group) {
    change(group, () -> group.parked().add(workload));
  }

  /** {@return whether the workload was active or parked, and is neither now} */
  boolean remove(PendingWorkload workload, ShapeGroup group) {
    int before = group.size();
    change(group, () -> group.remove(workload));
    return group.size() < before;
  }

  /** Parks all active workloads of a shape. */
  void park(Shape shape) {
    for (ShapeGroup.Key key : byShape.get(shape)) {
      ShapeGroup group = require(key);
      if (!group.active().isEmpty()) {
        change(group, group::park);
      }
    }
  }

  /** Activates the parked workloads of the namespaces that match. */
  void unpark(Predicate<String> namespaceMatches) {
    for (ShapeGroup group : withParked.values()) {
      if (namespaceMatches.test(group.namespace())) {
        change(group, group::unpark);
      }
    }
  }

  /** Notes the usage of a LocalQueue before its first workload. */
  void noteUsage(PendingWorkload workload) {
    if (usage != null) {
      String localQueue = workload.compiled().localQueue();
      if (usages.get(localQueue) == null) {
        usages.set(localQueue, usage.of(localQueue));
      }
    }
  }

  /** {@return whether a change of the usage of a LocalQueue may reorder workloads} */
  boolean isOrderedByUsageOf(String localQueue) {
    return usage != null && usages.get(localQueue) != null;
  }

  /** Reorders the workloads of a LocalQueue after its usage has changed. */
  void usageChanged(String localQueue) {
    ImmutableList<ShapeGroup.Key> keys = byLocalQueue.get(localQueue);
    list(keys, false);
    usages.set(localQueue, usage == null ? null : usage.of(localQueue));
    list(keys, true);
  }

  private void list(ImmutableList<ShapeGroup.Key> keys, boolean present) {
    for (ShapeGroup.Key key : keys) {
      ShapeGroup group = require(key);
      list(group.firstActive(), group, present);
    }
  }

  /** Changes a group and then its place among the groups. */
  private void change(ShapeGroup group, Runnable change) {
    PendingWorkload before = group.firstActive();
    boolean hadParked = !group.parked().isEmpty();
    change.run();
    PendingWorkload after = group.firstActive();
    if (before != after) {
      list(before, group, false);
      list(after, group, true);
    }
    boolean hasParked = !group.parked().isEmpty();
    if (hasParked != hadParked) {
      withParked.set(group.key(), hasParked ? group : null);
    }
  }

  /** Adds the first active workload of a group to the order of all groups, or removes it. */
  private void list(@Nullable PendingWorkload first, ShapeGroup group, boolean present) {
    if (first != null) {
      First entry = new First(usageOf(group.key()), first, group);
      firsts.set(entry, present);
      if (shortest != null) {
        shortest.set(entry, present);
      }
    }
  }

  private double usageOf(ShapeGroup.Key key) {
    Double known = usage == null ? null : usages.get(key.name());
    return known == null ? 0 : known;
  }
}
