package io.kueue4j.core.internal.queue;

import static io.kueue4j.core.internal.queue.QueueFixture.NOW;
import static io.kueue4j.core.internal.queue.QueueFixture.NO_DETAILS;
import static io.kueue4j.core.internal.queue.QueueFixture.workload;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Workload;
import java.time.Instant;

/** A best-effort queue, which a test may make strict, and what happens to its workloads. */
abstract class PendingQueueFixture {
  static final int SMALL = 1;
  static final int LARGE = 8;

  final QueueFixture fixture = new QueueFixture();
  final PendingQueue queue = new PendingQueue(Settings.defaults(), null, new Journal());

  PendingWorkload push(Workload.Builder workload, long priority, long queueTimeMillis) {
    PendingWorkload pending = fixture.pending(workload, priority, queueTimeMillis);
    queue.push(pending, NOW);
    return pending;
  }

  /** Pushes a workload of the shape {@code SMALL} that waits for the end of a backoff. */
  PendingWorkload pushUntil(Instant backoffEnd, String name) {
    PendingWorkload pending = fixture.pending(workload(name, SMALL), 0, 0, backoffEnd);
    queue.push(pending, NOW);
    return pending;
  }

  PendingWorkload push(String name, int gpus) {
    return push(workload(name, gpus), 0, 0);
  }

  PendingWorkload head() {
    return head(queue);
  }

  static PendingWorkload head(PendingQueue queue) {
    PendingWorkload head = queue.head();
    if (head == null) {
      throw new AssertionError("no workload is active");
    }
    return head;
  }

  void fail(PendingWorkload head, RequeueReason reason) {
    queue.requeue(head, reason, NO_DETAILS, false, NOW);
  }

  void event() {
    queue.requeueParked(namespace -> true, NOW);
  }
}
