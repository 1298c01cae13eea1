package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.cycle.LastAttempt;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.queue.PendingWorkload;

/** A head with its record, so that a cycle need not look it up. All heads of an engine are such. */
public final class QueuedWorkload extends Head {
  private final WorkloadRecord record;

  QueuedWorkload(
      WorkloadRecord record, PendingWorkload pending, QueueState queue, LastAttempt last) {
    super(pending, queue, last);
    this.record = record;
  }

  /** {@return the record of a head} */
  public static WorkloadRecord record(Head head) {
    return ((QueuedWorkload) head).record;
  }
}
