package io.kueue4j.core.internal.queue;

import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.LastAttempt;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes pending workloads, and tells how a queue would serve those that it holds. */
final class QueueFixture {
  static final Instant NOW = Instant.ofEpochSecond(1000);

  /** The settings of a version in which a preemptor is not forgotten. */
  static final Settings REMEMBERING =
      Settings.builder().kueueVersion(KueueVersion.V0_19).build();

  private final CompiledQueues compiled = new CompiledQueues();

  /** The outcome of attempts whose details do not matter. */
  static final LastAttempt NO_DETAILS = LastAttempt.NONE;

  /** A workload of one pod set; {@code gpus} is what distinguishes its shape from others. */
  static Workload.Builder workload(String name, int gpus) {
    return Workload.builder()
        .namespace("team")
        .name(name)
        .uid(name)
        .queueName("queue")
        .addPodSets(PodSet.builder().requestAmount("gpu", gpus).build());
  }

  PendingWorkload pending(Workload.Builder workload, long priority, long queueTimeMillis) {
    return pending(workload, priority, queueTimeMillis, Instant.MIN);
  }

  PendingWorkload pending(
      Workload.Builder workload, long priority, long queueTimeMillis, Instant backoffEnd) {
    return new PendingWorkload(
        compiled.compile(workload.build(), priority), "the record", queueTimeMillis, backoffEnd);
  }

  PendingWorkload pending(String name, int gpus) {
    return pending(workload(name, gpus), 0, 0);
  }

  static String name(PendingWorkload workload) {
    return workload.compiled().source().name();
  }

  /** Removes all active workloads, one after the other. */
  static List<String> popAll(PendingQueue queue) {
    List<String> names = new ArrayList<>();
    for (PendingWorkload head = queue.head(); head != null; head = queue.head()) {
      names.add(name(head));
      queue.leave(head);
    }
    return names;
  }

  static List<String> active(PendingQueue queue) {
    return names(queue.active());
  }

  static List<String> parked(PendingQueue queue) {
    return names(queue.parked());
  }

  private static List<String> names(List<PendingWorkload> workloads) {
    return workloads.stream().map(QueueFixture::name).sorted().toList();
  }
}
