package io.kueue4j.core.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link PendingQueue} remembers besides the positions of its workloads.
 *
 * @param events the number of events so far that were relevant to a workload in the queue
 * @param triedSinceEvent whether a workload was tried since the last event
 * @param preemptor the workload whose victims the queue waits for, null for none; rule U-10
 * @param sticky whether the preemptor is served first
 * @param preemptorChanged whether the spec of the preemptor has changed since
 */
record QueueMemory(
    long events,
    boolean triedSinceEvent,
    @Nullable PendingWorkload preemptor,
    boolean sticky,
    boolean preemptorChanged) {
  static final QueueMemory NONE = new QueueMemory(0, false, null, false, false);

  QueueMemory withEvent() {
    return new QueueMemory(events + 1, false, preemptor, sticky, preemptorChanged);
  }

  QueueMemory withAttempt() {
    return new QueueMemory(events, true, preemptor, sticky, preemptorChanged);
  }

  QueueMemory withPreemptor(
      @Nullable PendingWorkload workload, boolean isSticky, boolean isChanged) {
    return new QueueMemory(events, triedSinceEvent, workload, isSticky, isChanged);
  }
}
