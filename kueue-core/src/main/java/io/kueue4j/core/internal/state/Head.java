package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.attempt.LastAttempt;
import io.kueue4j.core.internal.attempt.ScanProgress;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.model.WorkloadId;
import org.jspecify.annotations.Nullable;

/**
 * A pending workload that a cycle can try. Created for each attempt; what the attempt finds out
 * counts only when it is committed.
 */
public final class Head {
  private final WorkloadRecord record;
  private final PendingWorkload pending;
  private final QueueState queue;
  private final LastAttempt last;
  private @Nullable ScanProgress progress;

  /**
   * Creates a head.
   *
   * @param record what the state knows of the workload
   * @param pending the workload in its queue
   * @param queue its ClusterQueue
   * @param last its last attempt
   */
  public Head(WorkloadRecord record, PendingWorkload pending, QueueState queue, LastAttempt last) {
    this.record = record;
    this.pending = pending;
    this.queue = queue;
    this.last = last;
    this.progress = last.progress();
  }

  /** {@return what the state knows of the workload, so that nobody needs to look it up} */
  public WorkloadRecord record() {
    return record;
  }

  /** {@return the workload in its queue} */
  public PendingWorkload pending() {
    return pending;
  }

  /** {@return the workload} */
  public CompiledWorkload compiled() {
    return pending.compiled();
  }

  /** {@return the identity of the workload} */
  public WorkloadId id() {
    return pending.id();
  }

  /** {@return its ClusterQueue} */
  public QueueState queue() {
    return queue;
  }

  /** {@return its last attempt} */
  public LastAttempt last() {
    return last;
  }

  /** {@return where the next search over the flavors resumes, null to start at the first} */
  public @Nullable ScanProgress progress() {
    return progress;
  }

  /** Sets where the next search over the flavors resumes, null to start at the first. */
  public void setProgress(@Nullable ScanProgress changed) {
    progress = changed;
  }

  @Override
  public String toString() {
    return pending.toString();
  }
}
