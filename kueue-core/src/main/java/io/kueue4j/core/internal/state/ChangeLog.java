package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.versioned.Journal;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Every elementary change of a state goes through this log: it notifies snapshots before the
 * change, and records the inverse for calls that fail. Not thread-safe.
 */
public final class ChangeLog {
  private final Journal journal = new Journal();
  private CopyOnWriteTracker tracker = CopyOnWriteTracker.NONE;

  /** Sets the tracker that is notified before changes. */
  void setTracker(CopyOnWriteTracker newTracker) {
    tracker = newTracker;
  }

  /** {@return the tracker that is notified before changes} */
  public CopyOnWriteTracker tracker() {
    return tracker;
  }

  /** {@return the inverses of the changes of the current call} */
  public Journal journal() {
    return journal;
  }

  /** Records the inverse of the current change. */
  void inverse(Runnable inverse) {
    journal.add(inverse);
  }

  /** Records the inverse of the current change, {@link Journal#add(BiConsumer, Object, Object)}. */
  <A, B> void inverse(BiConsumer<? super A, ? super B> inverse, A subject, @Nullable B detail) {
    journal.add(inverse, subject, detail);
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
