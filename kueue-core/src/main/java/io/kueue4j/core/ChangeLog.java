package io.kueue4j.core;

import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.support.UndoLog;

/**
 * What every elementary change of a state goes through: snapshots are notified before it is made,
 * and its inverse is recorded for calls that fail. Not safe for several threads.
 */
final class ChangeLog {
  private final UndoLog undo = new UndoLog();
  private CopyOnWriteTracker tracker = CopyOnWriteTracker.NONE;

  /** Sets what is notified before changes. */
  void setTracker(CopyOnWriteTracker newTracker) {
    tracker = newTracker;
  }

  /** {@return what is notified before changes} */
  CopyOnWriteTracker tracker() {
    return tracker;
  }

  /** {@return the log of inverses, of the call at hand} */
  UndoLog undo() {
    return undo;
  }

  /** Records what takes back the change that is being made. */
  void inverse(Runnable inverse) {
    undo.add(inverse);
  }

  /** Announces a change of a workload. */
  void before(WorkloadRecord record) {
    tracker.beforeChange(record);
  }

  /** Announces a change of a ClusterQueue or its tree. */
  void before(QueueQuota queue) {
    tracker.beforeChange(queue);
  }
}
