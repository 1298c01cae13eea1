package io.kueue4j.core.internal.fork;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The snapshots of a state that somebody may still read. They are given what they have not got
 * before it changes, and kept in memory by their readers only. Not safe for several threads.
 */
final class LiveSnapshots {
  /** In the order in which they were taken; those that nobody reads any more stay for a while. */
  private final List<Numbered> snapshots = new ArrayList<>();

  private final ReferenceQueue<Snapshot> dropped = new ReferenceQueue<>();

  /** Of each part, the number of the youngest snapshot that has been given it. */
  private final Map<StatePart.Id, Long> given = new HashMap<>();

  private long count;
  private int droppedCount;

  /** Whether nothing has changed since the youngest snapshot. */
  private boolean unchanged;

  /** A snapshot and its number; numbers grow. */
  private static final class Numbered extends WeakReference<Snapshot> {
    final long number;

    Numbered(Snapshot snapshot, ReferenceQueue<Snapshot> dropped, long number) {
      super(snapshot, dropped);
      this.number = number;
    }
  }

  /** {@return whether nobody needs to be given anything} */
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

  /** {@return the youngest snapshot if the state is still as it shows it, else a new one} */
  Snapshot current(Supplier<Snapshot> create) {
    if (!isEmpty() && unchanged) {
      // The youngest may have gone for good, and an older one be the last of the list.
      Numbered last = snapshots.get(snapshots.size() - 1);
      Snapshot youngest = last.number == count ? last.get() : null;
      if (youngest != null) {
        return youngest;
      }
    }
    Snapshot snapshot = create.get();
    count++;
    snapshots.add(new Numbered(snapshot, dropped, count));
    unchanged = true;
    return snapshot;
  }

  /**
   * Gives a part to those who have not got it; to be called before it changes.
   *
   * @param id identifies the part
   * @param copy makes a copy of it, for a snapshot that needs it
   */
  void give(StatePart.Id id, Function<Snapshot, StatePart> copy) {
    long last = given.getOrDefault(id, 0L);
    if (last == count) {
      return;
    }
    unchanged = false;
    given.put(id, count);
    StatePart shared = null;
    for (int i = snapshots.size() - 1; i >= 0 && snapshots.get(i).number > last; i--) {
      Snapshot snapshot = snapshots.get(i).get();
      if (snapshot != null) {
        // Older snapshots know fewer ids, but all that the part has.
        shared = shared == null ? copy.apply(snapshot) : shared;
        snapshot.kept().add(shared);
      }
    }
  }

  /** Notes that the state is not what the youngest snapshot shows any more. */
  void noteChange() {
    unchanged = false;
  }

  /** Notes that everything has been given, so that the snapshots need nothing any more. */
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
    droppedCount = 0;
    unchanged = false;
  }
}
