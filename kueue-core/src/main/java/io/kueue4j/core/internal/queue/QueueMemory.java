package io.kueue4j.core.internal.queue;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a {@link PendingQueue} remembers besides the positions of its workloads. */
final class QueueMemory {
  /** The number of events so far that were relevant to a workload in the queue. */
  long events;

  boolean triedSinceEvent;

  /** The workload whose victims the queue waits for, null for none; rule U-10. */
  @Nullable
  PendingWorkload preemptor;

  boolean sticky;
  boolean preemptorChanged;

  /** Copies the memory of another queue, with the counterpart of its workload. */
  void fillFrom(QueueMemory other, UnaryOperator<PendingWorkload> counterpart) {
    recall(other);
    preemptor = other.preemptor == null ? null : counterpart.apply(other.preemptor);
  }

  /** {@return an action that restores the present memory} */
  Runnable keep() {
    QueueMemory before = new QueueMemory();
    before.recall(this);
    return () -> recall(before);
  }

  private void recall(QueueMemory other) {
    events = other.events;
    triedSinceEvent = other.triedSinceEvent;
    preemptor = other.preemptor;
    sticky = other.sticky;
    preemptorChanged = other.preemptorChanged;
  }
}
