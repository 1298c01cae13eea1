package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.compiled.Shape;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.VersionedSet;
import org.jspecify.annotations.Nullable;

/**
 * The active and parked workloads of one ClusterQueue that have the same shape and namespace, or
 * the same LocalQueue if past usage orders LocalQueues.
 *
 * <p>A decision about one of them holds for all, so they are parked and activated together.
 *
 * <p>Rules: U-4.
 */
final class ShapeGroup {
  private final Key key;
  private final String namespace;
  private final Journal journal;
  private VersionedSet<PendingWorkload> active;
  private VersionedSet<PendingWorkload> parked;

  /**
   * Identifies a group within its queue.
   *
   * @param shape the shape
   * @param name the namespace or the LocalQueue
   * @param expectedMillis the expected duration if it orders workloads, otherwise 0
   */
  record Key(Shape shape, String name, long expectedMillis) {}

  ShapeGroup(Key key, String namespace, Journal journal) {
    this.key = key;
    this.namespace = namespace;
    this.journal = journal;
    this.active = newSet(journal);
    this.parked = newSet(journal);
  }

  private static VersionedSet<PendingWorkload> newSet(Journal journal) {
    return new VersionedSet<>(journal, PendingWorkload::compareService);
  }

  /** {@return an independent copy} */
  ShapeGroup copy(Journal journalOfCopy) {
    ShapeGroup copy = new ShapeGroup(key, namespace, journalOfCopy);
    copy.active.share(active);
    copy.parked.share(parked);
    return copy;
  }

  Key key() {
    return key;
  }

  String namespace() {
    return namespace;
  }

  /** {@return the active workloads} */
  VersionedSet<PendingWorkload> active() {
    return active;
  }

  /** {@return the parked workloads, not counting those in backoff} */
  VersionedSet<PendingWorkload> parked() {
    return parked;
  }

  int size() {
    return active.size() + parked.size();
  }

  /** Removes a workload, whether it is active or parked. */
  void remove(PendingWorkload workload) {
    if (!active.remove(workload)) {
      parked.remove(workload);
    }
  }

  /** {@return the first active workload, null if there is none} */
  @Nullable
  PendingWorkload firstActive() {
    return active.isEmpty() ? null : active.first();
  }

  /** Parks all active workloads. */
  void park() {
    set(newSet(journal), merge());
  }

  /** Activates all parked workloads. */
  void unpark() {
    set(merge(), newSet(journal));
  }

  private void set(
      VersionedSet<PendingWorkload> nowActive, VersionedSet<PendingWorkload> nowParked) {
    journal.add(ShapeGroup::set, this, active, parked);
    active = nowActive;
    parked = nowParked;
  }

  /**
   * Moves the members of the smaller set into the larger one, and returns that. The journal records
   * each addition; the smaller set stays as it was, for a rollback.
   */
  private VersionedSet<PendingWorkload> merge() {
    boolean fewerAreActive = active.size() < parked.size();
    VersionedSet<PendingWorkload> fewer = fewerAreActive ? active : parked;
    VersionedSet<PendingWorkload> all = fewerAreActive ? parked : active;
    fewer.forEach(all::add);
    return all;
  }
}
