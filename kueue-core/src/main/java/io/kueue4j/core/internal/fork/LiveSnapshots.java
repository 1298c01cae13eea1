package io.kueue4j.core.internal.fork;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.queue.ReversibleChange;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * The snapshots of a state that are still referenced. Each receives a copy of a part that it lacks
 * before the part changes. Snapshots are held weakly. Not thread-safe.
 */
final class LiveSnapshots {
  /** In the order in which they were taken; unreferenced ones are removed lazily. */
  private final List<Numbered> snapshots = new ArrayList<>();

  private final ReferenceQueue<Snapshot> dropped = new ReferenceQueue<>();

  /** For each part, the number of the newest snapshot that has received it. */
  private final Map<StatePart.Id, Long> given = new HashMap<>();

  /** Changes of parts that some snapshots lack, taken back when these receive the parts. */
  private final Map<StatePart.Id, Deferred> deferred = new HashMap<>();

  private long count;
  private int droppedCount;

  /** Whether nothing has changed since the newest snapshot. */
  private boolean unchanged;

  /**
   * A change before which the part has not been copied yet.
   *
   * @param count the number of the newest snapshot that was taken before the change
   */
  private record Deferred(long count, ReversibleChange change) {}

  /** A snapshot and its number; numbers increase. */
  private static final class Numbered extends WeakReference<Snapshot> {
    final long number;

    Numbered(Snapshot snapshot, ReferenceQueue<Snapshot> dropped, long number) {
      super(snapshot, dropped);
      this.number = number;
    }
  }

  /** {@return whether no snapshot is referenced} */
  boolean isEmpty() {
    if (snapshots.isEmpty()) {
      return true;
    }
    for (Reference<?> gone = dropped.poll(); gone != null; gone = dropped.poll()) {
      droppedCount++;
    }
    if (2 * droppedCount > snapshots.size()) {
      snapshots.removeIf(snapshot -> snapshot.get() == null);
      droppedCount = 0;
    }
    if (snapshots.isEmpty()) {
      clear();
    }
    return snapshots.isEmpty();
  }

  /** {@return the newest snapshot if the state has not changed since, otherwise a new one} */
  Snapshot current(LongFunction<Snapshot> create) {
    if (!isEmpty() && unchanged) {
      // The newest may have been removed, so that an older one is the last of the list.
      Numbered last = snapshots.get(snapshots.size() - 1);
      Snapshot youngest = last.number == count ? last.get() : null;
      if (youngest != null) {
        return youngest;
      }
    }
    count++;
    Snapshot snapshot = create.apply(count);
    snapshots.add(new Numbered(snapshot, dropped, count));
    unchanged = true;
    return snapshot;
  }

  /**
   * Copies a part to the snapshots that lack it. Must be called before the part changes.
   *
   * @param id identifies the part
   * @param copy copies the part for a snapshot
   */
  void give(StatePart.Id id, Function<Snapshot, StatePart> copy) {
    settle(id, copy);
    if (isLacking(id)) {
      unchanged = false;
      give(id, count, copy);
    }
  }

  /** {@return whether there are snapshots that have not received a part} */
  private boolean isLacking(StatePart.Id id) {
    return given.getOrDefault(id, 0L) < count;
  }

  /**
   * Postpones the copies for the snapshots that lack a part. Must be called before the part
   * changes.
   *
   * @param id identifies the part
   * @param change the change, which can be taken back until {@link #give} is called for the part
   * @param copy copies the part for a snapshot
   */
  void defer(StatePart.Id id, ReversibleChange change, Function<Snapshot, StatePart> copy) {
    settle(id, copy);
    if (isLacking(id)) {
      unchanged = false;
      deferred.put(id, new Deferred(count, change));
    }
  }

  /** {@return the parts with postponed copies} */
  ImmutableList<StatePart.Id> deferred() {
    return ImmutableList.copyOf(deferred.keySet());
  }

  /** Makes the postponed copies of a part, if {@code reader} needs one. */
  void settle(Snapshot reader, StatePart.Id id, Function<Snapshot, StatePart> copy) {
    Deferred change = deferred.get(id);
    if (change != null && reader.number() <= change.count) {
      settle(id, copy);
    }
  }

  /** Makes the postponed copies of a part. */
  void settle(StatePart.Id id, Function<Snapshot, StatePart> copy) {
    Deferred change = deferred.remove(id);
    if (change != null) {
      try {
        change.change.runBefore(() -> give(id, change.count, copy));
      } catch (RuntimeException | Error failure) {
        deferred.put(id, change);
        throw failure;
      }
    }
  }

  /** Copies a part to the snapshots that lack it and whose numbers are at most {@code newest}. */
  private void give(StatePart.Id id, long newest, Function<Snapshot, StatePart> copy) {
    long last = given.getOrDefault(id, 0L);
    StatePart shared = null;
    for (int i = snapshots.size() - 1; i >= 0 && snapshots.get(i).number > last; i--) {
      Snapshot snapshot = snapshots.get(i).get();
      if (snapshot != null && snapshot.number() <= newest) {
        shared = shared == null ? copy.apply(snapshot) : shared;
        snapshot.kept().add(shared);
      }
    }
    // Last, since a copy may fail, and the snapshots then still lack the part.
    given.put(id, newest);
  }

  /** Records that the state has changed since the newest snapshot. */
  void noteChange() {
    unchanged = false;
  }

  /** Records that the snapshots have received all parts and are complete. */
  void complete() {
    for (Numbered snapshot : snapshots) {
      Snapshot alive = snapshot.get();
      if (alive != null) {
        alive.kept().setComplete();
      }
    }
    snapshots.clear();
    clear();
  }

  private void clear() {
    given.clear();
    deferred.clear();
    droppedCount = 0;
    unchanged = false;
  }
}
