package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.support.UndoLog;

/**
 * What every elementary change of a state goes through: snapshots are notified before it is made,
 * and its inverse is recorded for calls that fail. Not safe for several threads.
 */
public final class ChangeLog {
  private final UndoLog undo = new UndoLog();
  private CopyOnWriteTracker tracker = CopyOnWriteTracker.NONE;

  /** Sets what is notified before changes. */
  void setTracker(CopyOnWriteTracker newTracker) {
    tracker = newTracker;
  }

  /** {@return what is notified before changes} */
  public CopyOnWriteTracker tracker() {
    return tracker;
  }

  /** {@return the log of inverses, of the call at hand} */
  public UndoLog undo() {
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
