package io.kueue4j.core.internal.state;

import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptedCondition;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reserves, charges again, marks as evicted, and releases the quota of the workloads of an engine.
 *
 * <p>Rules: L-24, Q-20.
 */
public final class Reservations {
  private final StateContext context;
  private final Configuration configuration;
  private final QueueStore queues;
  private final WorkloadStore workloads;
  private final PendingWorkloads pending;
  private final UsageRecorder fairness;
  private final LifecycleRegistry books;
  private final RequeueEvents events;

  Reservations(
      StateContext context,
      Configuration configuration,
      QueueStore queues,
      WorkloadStore workloads,
      PendingWorkloads pending,
      UsageRecorder fairness,
      LifecycleRegistry books,
      RequeueEvents events) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    this.workloads = workloads;
    this.pending = pending;
    this.fairness = fairness;
    this.books = books;
    this.events = events;
  }

  /** Reserves the quota of {@code admission} for {@code record}, even if that exceeds the quota. */
  public void reserve(WorkloadRecord record, QueueState queue, Admission admission) {
    reserve(record, queue, reservation(record, queue, admission));
  }

  /** Reserves the quota just decided for {@code record}. */
  public void reserve(
      WorkloadRecord record, QueueState queue, Admission admission, Assignment assignment) {
    // Fewer pods than were admitted may need quota.
    reserve(
        record,
        queue,
        record.compiled().reclaimablePods().isEmpty()
            ? Reservation.of(admission, record, assignment, configuration.inventories())
            : reservation(record, queue, admission));
  }

  private void reserve(WorkloadRecord record, QueueState queue, Reservation reservation) {
    pending.unqueue(record);
    record.clearPreempted();
    hold(record, queue, reservation);
  }

  /**
   * Replaces the admission of {@code record} by one of the same queue and quota, and charges it by
   * the current content of the workload; its eviction remains.
   */
  public void replace(WorkloadRecord record, Reservation old, Admission admission) {
    QueueState queue = record.requireQueue();
    queues.ownQuota(queue).remove(old.holder());
    fairness.discharge(record, old);
    hold(record, queue, reservation(record, queue, admission));
    if (old.holder().isEvicted()) {
      evict(record);
    }
  }

  /** {@return what a workload will hold by an assignment, not charged} */
  public QuotaHolder expected(WorkloadRecord record, Admission admission, Assignment assignment) {
    return Reservation.of(admission, record, assignment, configuration.inventories())
        .holder();
  }

  /** {@return what a workload will hold by an admission, not charged} */
  public QuotaHolder expected(WorkloadRecord record, QueueState queue, Admission admission) {
    return reservation(record, queue, admission).holder();
  }

  private Reservation reservation(WorkloadRecord record, QueueState queue, Admission admission) {
    Reservation reservation = Reservation.of(admission, record, context);
    queues.forest().ensureColumns(queues.ownQuota(queue), reservation.holder().pairs());
    return reservation;
  }

  private void hold(WorkloadRecord record, QueueState queue, Reservation reservation) {
    queues.ownQuota(queue).add(reservation.holder());
    fairness.charge(record, reservation);
    record.setQueue(queue);
    record.setReservation(reservation);
    books.follow(record);
  }

  /**
   * Marks {@code record} as evicted, with the preemptor {@code by} if it is known, and the
   * condition if it was preempted. It holds its quota until it has stopped.
   */
  public void evict(
      WorkloadRecord record, @Nullable PreemptedCondition condition, @Nullable PreemptedBy by) {
    if (record.reservation() != null) {
      workloads.markFailed(record, null);
      record.setPreempted(condition, by);
      evict(record);
    }
  }

  /** Releases the quota that {@code record} holds. */
  public void release(WorkloadRecord record) {
    Reservation reservation = record.reservation();
    if (reservation != null) {
      workloads.markFailed(record, null);
      queues.ownQuota(record.requireQueue()).remove(reservation.holder());
      fairness.discharge(record, reservation);
      record.setReservation(null);
      books.follow(record);
      events.noteReleased(reservation.admission());
    }
  }

  /**
   * Advances the generation of the queue whose quota a workload holds, since quota may have become
   * available.
   */
  public void advanceGeneration(WorkloadRecord record) {
    queues.ownQuota(record.requireQueue()).advanceGeneration();
  }

  private void evict(WorkloadRecord record) {
    Reservation before = Objects.requireNonNull(record.reservation());
    Reservation evicted = before.evicted(pending.queueTimeMillis(record));
    queues.ownQuota(record.requireQueue()).replace(before.holder(), evicted.holder());
    record.setReservation(evicted);
  }
}
