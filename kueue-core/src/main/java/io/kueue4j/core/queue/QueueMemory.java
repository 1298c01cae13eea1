package io.kueue4j.core.queue;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a {@link PendingQueue} remembers beside where its workloads stand. */
final class QueueMemory {
  /** How often something changed, of the changes that matter to somebody in the queue. */
  long events;

  boolean triedSinceEvent;

  /** The workload whose victims the queue waits for, null for none; rule U-10. */
  @Nullable
  PendingWorkload preemptor;

  boolean sticky;
  boolean preemptorChanged;

  /** Remembers the same as another queue, with the counterpart of its workload. */
  void fillFrom(QueueMemory other, UnaryOperator<PendingWorkload> counterpart) {
    recall(other);
    preemptor = other.preemptor == null ? null : counterpart.apply(other.preemptor);
  }

  /** {@return what makes it remember again what it does now} */
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
