package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.compiled.Shape;
import io.kueue4j.core.internal.versioned.Cell;
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
  private final Cell<Members> members;

  /**
   * Identifies a group within its queue.
   *
   * @param shape the shape
   * @param name the namespace or the LocalQueue
   * @param expectedMillis the expected duration if it orders workloads, otherwise 0
   */
  record Key(Shape shape, String name, long expectedMillis) {}

  /** The members in their order. When all move, the larger set takes in the smaller one. */
  private record Members(
      VersionedSet<PendingWorkload> active, VersionedSet<PendingWorkload> parked) {}

  ShapeGroup(Key key, String namespace, Journal journal) {
    this(key, namespace, new Members(newSet(journal), newSet(journal)), journal);
  }

  private ShapeGroup(Key key, String namespace, Members members, Journal journal) {
    this.key = key;
    this.namespace = namespace;
    this.journal = journal;
    this.members = new Cell<>(journal, members);
  }

  private static VersionedSet<PendingWorkload> newSet(Journal journal) {
    return new VersionedSet<>(journal, PendingWorkload::compareService);
  }

  /** {@return an independent copy} */
  ShapeGroup copy(Journal journalOfCopy) {
    return new ShapeGroup(
        key,
        namespace,
        new Members(active().copy(journalOfCopy), parked().copy(journalOfCopy)),
        journalOfCopy);
  }

  Key key() {
    return key;
  }

  String namespace() {
    return namespace;
  }

  /** {@return the active workloads} */
  VersionedSet<PendingWorkload> active() {
    return members.get().active;
  }

  /** {@return the parked workloads, not counting those in backoff} */
  VersionedSet<PendingWorkload> parked() {
    return members.get().parked;
  }

  /** {@return the first active workload, null if there is none} */
  @Nullable
  PendingWorkload firstActive() {
    return active().isEmpty() ? null : active().first();
  }

  /** Parks all active workloads. */
  void park() {
    members.set(new Members(newSet(journal), merge()));
  }

  /** Activates all parked workloads. */
  void unpark() {
    members.set(new Members(merge(), newSet(journal)));
  }

  /**
   * Moves the members of the smaller set into the larger one, and returns that. The journal records
   * each addition; the smaller set stays as it was, for a rollback.
   */
  private VersionedSet<PendingWorkload> merge() {
    boolean fewerAreActive = active().size() < parked().size();
    VersionedSet<PendingWorkload> fewer = fewerAreActive ? active() : parked();
    VersionedSet<PendingWorkload> all = fewerAreActive ? parked() : active();
    fewer.forEach(all::add);
    return all;
  }
}
