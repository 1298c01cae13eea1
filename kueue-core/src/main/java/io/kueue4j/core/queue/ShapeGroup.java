package io.kueue4j.core.queue;

import java.util.function.UnaryOperator;

/**
 * The pending workloads of one ClusterQueue that are equal for scheduling and in one namespace, or
 * one LocalQueue where the queue tells those apart: active and parked ones.
 *
 * <p>What is decided for one holds for all, so they move between active and parked as one.
 */
final class ShapeGroup extends IndexedHeap.Element {
  final ShapeFamily family;
  final String namespace;

  /** What tells it from others of its family: the namespace, or the LocalQueue. */
  final String key;

  /**
   * What its LocalQueue has used. Each group has a copy, so that groups can be put in order again
   * one after another.
   */
  double usage;

  /** How many belong to it: active, parked, or taken out for the cycle at hand. */
  int members;

  private IndexedHeap<PendingWorkload> active = new IndexedHeap<>(PendingWorkload::compareService);
  private IndexedHeap<PendingWorkload> parked = new IndexedHeap<>(PendingWorkload::compareService);

  ShapeGroup(ShapeFamily family, String namespace, String key) {
    this.family = family;
    this.namespace = namespace;
    this.key = key;
  }

  /** {@return the same group of another family, with counterparts of its workloads} */
  ShapeGroup copy(ShapeFamily newFamily, UnaryOperator<PendingWorkload> counterpart) {
    ShapeGroup copy = new ShapeGroup(newFamily, namespace, key);
    copy.usage = usage;
    copy.members = members;
    UnaryOperator<PendingWorkload> joining = workload -> {
      PendingWorkload joined = counterpart.apply(workload);
      joined.group = copy;
      return joined;
    };
    copy.active.fillFrom(active, joining);
    copy.parked.fillFrom(parked, joining);
    return copy;
  }

  IndexedHeap<PendingWorkload> active() {
    return active;
  }

  IndexedHeap<PendingWorkload> parked() {
    return parked;
  }

  /** Makes all active ones parked. */
  void park() {
    meld(active, parked);
    if (!active.isEmpty()) {
      swap();
    }
  }

  /** Makes all parked ones active. */
  void unpark() {
    meld(parked, active);
    if (!parked.isEmpty()) {
      swap();
    }
  }

  /** Puts the elements of the smaller heap into the larger one, whichever that is. */
  private static void meld(IndexedHeap<PendingWorkload> some, IndexedHeap<PendingWorkload> other) {
    IndexedHeap<PendingWorkload> smaller = some.size() < other.size() ? some : other;
    IndexedHeap<PendingWorkload> larger = smaller == some ? other : some;
    while (!smaller.isEmpty()) {
      PendingWorkload workload = smaller.first();
      smaller.remove(workload);
      larger.add(workload);
    }
  }

  private void swap() {
    IndexedHeap<PendingWorkload> formerlyActive = active;
    active = parked;
    parked = formerlyActive;
  }

  static int compareHeads(ShapeGroup a, ShapeGroup b) {
    int byUsage = Double.compare(a.usage, b.usage);
    if (byUsage != 0) {
      return byUsage;
    }
    return PendingWorkload.compareService(a.active.first(), b.active.first());
  }
}
