package io.kueue4j.core.internal.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The active and parked workloads of one ClusterQueue that have the same shape and namespace, or
 * the same LocalQueue if past usage orders LocalQueues.
 *
 * <p>A decision about one of them holds for all, so they are parked and activated together.
 *
 * <p>Rules: U-4.
 */
final class ShapeGroup extends IndexedHeap.Element {
  final ShapeFamily family;
  final String namespace;

  /** Distinguishes the group within its family: the namespace or the LocalQueue. */
  final String key;

  /**
   * The usage of the LocalQueue. Each group has a copy, so that groups can be reordered one by one.
   */
  double usage;

  /** The number of members: active, parked, or removed for the current cycle. */
  int members;

  /** The index among the groups with parked workloads, if it has any. */
  int parkedIndex;

  /**
   * The first active workload with its sort key. Every pop compares groups, which thus needs no
   * access to the workloads of other groups.
   */
  private @Nullable PendingWorkload head;

  private long headPriority;
  private long headTimeMillis;

  // Most groups have only one of the two heaps, and reuse it for active and parked workloads.
  private @Nullable IndexedHeap<PendingWorkload> active;
  private @Nullable IndexedHeap<PendingWorkload> parked;

  ShapeGroup(ShapeFamily family, String namespace, String key) {
    this.family = family;
    this.namespace = namespace;
    this.key = key;
  }

  /** {@return a copy of the group for another family, with counterparts of its workloads} */
  ShapeGroup copy(ShapeFamily newFamily, UnaryOperator<PendingWorkload> counterpart) {
    ShapeGroup copy = new ShapeGroup(newFamily, namespace, key);
    copy.usage = usage;
    copy.members = members;
    UnaryOperator<PendingWorkload> joining = workload -> {
      PendingWorkload joined = counterpart.apply(workload);
      joined.group = copy;
      return joined;
    };
    copy.active = copy(active, joining);
    copy.parked = copy(parked, joining);
    copy.noteHead();
    return copy;
  }

  private static @Nullable IndexedHeap<PendingWorkload> copy(
      @Nullable IndexedHeap<PendingWorkload> heap, UnaryOperator<PendingWorkload> counterpart) {
    if (heap == null || heap.isEmpty()) {
      return null;
    }
    IndexedHeap<PendingWorkload> copy = newHeap();
    copy.fillFrom(heap, counterpart);
    return copy;
  }

  private static IndexedHeap<PendingWorkload> newHeap() {
    return new IndexedHeap<>(PendingWorkload::compareService);
  }

  // ----- active ones

  int activeCount() {
    return active == null ? 0 : active.size();
  }

  boolean isActive(PendingWorkload workload) {
    return workload.isIn(active);
  }

  /** {@return the first active workload; there must be one} */
  PendingWorkload firstActive() {
    return Objects.requireNonNull(head);
  }

  private void noteHead() {
    head = active == null || active.isEmpty() ? null : active.first();
    if (head != null) {
      headPriority = head.priority();
      headTimeMillis = head.queueTimeMillis();
    }
  }

  void forEachActive(Consumer<PendingWorkload> action) {
    if (active != null) {
      active.forEach(action);
    }
  }

  void addActive(PendingWorkload workload) {
    if (active == null && parkedCount() == 0) {
      active = parked;
      parked = null;
    }
    if (active == null) {
      active = newHeap();
    }
    active.add(workload);
    noteHead();
  }

  void removeActive(PendingWorkload workload) {
    Objects.requireNonNull(active).remove(workload);
    noteHead();
  }

  // ----- parked ones

  int parkedCount() {
    return parked == null ? 0 : parked.size();
  }

  boolean isParked(PendingWorkload workload) {
    return workload.isIn(parked);
  }

  void forEachParked(Consumer<PendingWorkload> action) {
    if (parked != null) {
      parked.forEach(action);
    }
  }

  void addParked(PendingWorkload workload) {
    if (parked == null && activeCount() == 0) {
      parked = active;
      active = null;
    }
    if (parked == null) {
      parked = newHeap();
    }
    parked.add(workload);
  }

  void removeParked(PendingWorkload workload) {
    Objects.requireNonNull(parked).remove(workload);
  }

  // ----- all at once

  /**
   * Parks all active workloads.
   *
   * @return the inverse
   */
  Runnable park() {
    Runnable takeBack = takeBack();
    parked = meld(active, parked);
    active = null;
    noteHead();
    return takeBack;
  }

  /** Activates all parked workloads. */
  void unpark() {
    active = meld(parked, active);
    parked = null;
    noteHead();
  }

  /** {@return the inverse of {@link #unpark}, which has no effect if it is not called} */
  Runnable unparkInverse() {
    Runnable takeBack = takeBack();
    return () -> {
      if (parked == null) {
        takeBack.run();
      }
    };
  }

  /** {@return an action that restores which workloads are active and parked now} */
  private Runnable takeBack() {
    // Only the workloads that are moved one by one are recorded.
    boolean fewerAreActive = activeCount() < parkedCount();
    List<PendingWorkload> fewer = new ArrayList<>(Math.min(activeCount(), parkedCount()));
    if (fewerAreActive) {
      forEachActive(fewer::add);
    } else {
      forEachParked(fewer::add);
    }
    return () -> {
      IndexedHeap<PendingWorkload> all = active == null ? parked : active;
      if (all != null) {
        fewer.forEach(all::remove);
      }
      active = fewerAreActive ? null : all;
      parked = fewerAreActive ? all : null;
      fewer.forEach(fewerAreActive ? this::addActive : this::addParked);
      noteHead();
    };
  }

  /** {@return the larger heap, after the elements of the smaller one were added to it} */
  private static @Nullable IndexedHeap<PendingWorkload> meld(
      @Nullable IndexedHeap<PendingWorkload> some, @Nullable IndexedHeap<PendingWorkload> other) {
    if (some == null || other == null) {
      return some == null ? other : some;
    }
    IndexedHeap<PendingWorkload> smaller = some.size() < other.size() ? some : other;
    IndexedHeap<PendingWorkload> larger = smaller == some ? other : some;
    while (!smaller.isEmpty()) {
      PendingWorkload workload = smaller.first();
      smaller.remove(workload);
      larger.add(workload);
    }
    return larger;
  }

  static int compareHeads(ShapeGroup a, ShapeGroup b) {
    int byUsage = Double.compare(a.usage, b.usage);
    if (byUsage != 0) {
      return byUsage;
    }
    int byPriority = Long.compare(b.headPriority, a.headPriority);
    if (byPriority != 0) {
      return byPriority;
    }
    int byTime = Long.compare(a.headTimeMillis, b.headTimeMillis);
    return byTime != 0 ? byTime : PendingWorkload.compareService(a.firstActive(), b.firstActive());
  }
}
