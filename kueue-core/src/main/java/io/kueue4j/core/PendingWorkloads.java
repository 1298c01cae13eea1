package io.kueue4j.core;

import io.kueue4j.core.cycle.Head;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.queue.PendingQueue;
import io.kueue4j.core.quota.QueueQuota;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The workloads of an engine that wait: to which queue each belongs, whether it may be in it, and
 * which queues the next cycle looks at.
 *
 * <p>Rules: U-1, U-19, U-21.
 */
final class PendingWorkloads {
  private final EngineState state;
  private final Agenda agenda;

  PendingWorkloads(EngineState state) {
    this.state = state;
    this.agenda = new Agenda(state.undo());
  }

  /** Notes a queue that is new here, maybe with workloads. */
  void add(QueueState queue) {
    agenda.add(queue);
  }

  /** Forgets a queue that does not exist any more. */
  void remove(QueueState queue) {
    agenda.remove(queue);
  }

  /** {@return the queue that a workload belongs to, if its LocalQueue is open and both exist} */
  Optional<QueueState> target(WorkloadRecord record) {
    return state
        .configuration()
        .openLocalQueue(record.localQueueKey())
        .map(LocalQueue::clusterQueue)
        .flatMap(state::queue);
  }

  boolean isQueueable(WorkloadRecord record) {
    return record.reservation == null
        && record.workload().active()
        && !isGated(record.workload())
        && !record.lifecycle().isStopping()
        && !record.lifecycle().isOnHold();
  }

  boolean isGated(Workload workload) {
    return state.settings().isEnabled(FeatureGate.ADMISSION_GATED_BY)
        && !workload.admissionGates().isEmpty();
  }

  /**
   * Puts a workload into its queue, if it may be queued and neither is nor holds quota; outside of
   * all queues, if it may not.
   */
  void enqueue(WorkloadRecord record, Instant now) {
    if (record.candidate != null || record.reservation != null) {
      return;
    }
    Optional<QueueState> target = isQueueable(record) ? target(record) : Optional.empty();
    state.variants().note(record);
    boolean usesVariants = target
        .filter(queue -> state.variants().areUsed(record.workload(), queue))
        .isPresent();
    if (usesVariants) {
      state.variants().adopt(record);
    }
    if (target.isEmpty() || usesVariants) {
      state.units().beforeChange(StatePart.Id.OUTSIDE);
      record.setQueue(null);
      return;
    }
    QueueState queue = target.get();
    Head candidate = candidate(record, queue);
    state.units().beforeChange(record);
    queue.pending().push(candidate, now);
    record.setQueue(queue);
    record.setCandidate(candidate);
    changed(queue);
  }

  Head candidate(WorkloadRecord record, QueueState queue) {
    return new QueuedWorkload(record, queueTimeMillis(record), queue);
  }

  /** {@return the time that a workload is ordered by among pending ones} */
  long queueTimeMillis(WorkloadRecord record) {
    return record.queueTimeMillis(state.settings());
  }

  /** {@return the workloads that are pending in a ClusterQueue, in no order that matters} */
  List<WorkloadRecord> in(QueueState queue) {
    PendingQueue pending = queue.pending();
    return Stream.concat(pending.active().stream(), pending.parked().stream())
        .map(workload -> workload.compiled().source().id())
        .map(id -> Objects.requireNonNull(state.workloads().get(id)))
        .toList();
  }

  /** {@return the queues that have work for a cycle, by name} */
  List<QueueState> queuesWithWork() {
    state.inheritance().takeTreesWithWork();
    return agenda.inOrder();
  }

  /** Notes that workloads came to wait in {@code queue}, for a cycle or for an event. */
  void changed(QueueState queue) {
    agenda.add(queue);
    QueueQuota quota = queue.quota();
    if (queue.pending().awaitsEvent() && !quota.isWatching()) {
      state.units().beforeChange(quota);
      quota.setWatching(true);
      state.undo().add(() -> quota.setWatching(false));
    }
  }

  void unqueue(WorkloadRecord record) {
    Head candidate = record.candidate;
    if (candidate != null) {
      candidate.queue().pending().leave(candidate);
      record.setCandidate(null);
    }
  }

  /** Looks at a pending workload again, because something else than its spec has changed. */
  void renew(WorkloadRecord record, Instant now) {
    if (record.reservation == null) {
      state.units().beforeChange(record);
      renew(record, false, now);
    }
  }

  /** Puts a workload that holds no quota where it belongs as it is now. */
  void renew(WorkloadRecord record, boolean specChanged, Instant now) {
    Head old = record.candidate;
    boolean stays = old != null && target(record).equals(Optional.of(old.queue()));
    if (old != null && stays && isQueueable(record)) {
      Head renewed = candidate(record, old.queue());
      old.queue().pending().replace(old, renewed, specChanged, now);
      changed(old.queue());
      record.setCandidate(renewed);
      if (keepsProgress(old, renewed)) {
        renewed.setProgress(old.progress());
      }
    } else {
      unqueue(record);
      enqueue(record, now);
    }
  }

  private boolean keepsProgress(Head old, Head renewed) {
    return state.settings().isEnabled(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)
        && (!state.settings().isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)
            || old.compiled().shape().equals(renewed.compiled().shape()));
  }

  /** Takes a pending workload out for an attempt of its own. */
  void take(Head candidate) {
    candidate.queue().pending().take(candidate);
  }

  /** Brings workloads of a queue back whose backoff is over at {@code now}. */
  void releaseDue(QueueState queue, Instant now) {
    ClusterQueue spec = queue.quota().compiled().source();
    queue.pending().releaseDue(namespace -> state.configuration().mayUse(spec, namespace), now);
  }
}
