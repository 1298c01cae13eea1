package io.kueue4j.core.internal.state;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.PreemptedBy;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.flavor.Assignment;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptedCondition;
import org.jspecify.annotations.Nullable;

/**
 * Reserves, charges again, marks as evicted, and releases the quota of the workloads of an engine.
 *
 * <p>Rules: L-24, Q-20.
 */
public final class Reservations {
  private final StateContext context;
  private final Configuration configuration;
  private final Forest forest;
  private final WorkloadStore workloads;
  private final PendingWorkloads pending;
  private final UsageRecorder fairness;
  private final LifecycleRegistry books;
  private final RequeueEvents events;

  Reservations(
      StateContext context,
      Configuration configuration,
      Forest forest,
      WorkloadStore workloads,
      PendingWorkloads pending,
      UsageRecorder fairness,
      LifecycleRegistry books,
      RequeueEvents events) {
    this.context = context;
    this.configuration = configuration;
    this.forest = forest;
    this.workloads = workloads;
    this.pending = pending;
    this.fairness = fairness;
    this.books = books;
    this.events = events;
  }

  /** Reserves the quota of {@code admission} for {@code record}, even if that exceeds the quota. */
  public void reserve(WorkloadRecord record, QueueState queue, Admission admission) {
    pending.unqueue(record);
    record.clearPreempted();
    hold(record, queue, admission);
  }

  /** Reserves the quota just decided for {@code record}. */
  public void reserve(
      WorkloadRecord record, QueueState queue, Admission admission, Assignment assignment) {
    boolean reclaims = !record.workload().reclaimablePods().isEmpty()
        && context.settings().isEnabled(FeatureGate.RECLAIMABLE_PODS);
    if (reclaims) {
      // Fewer pods than were admitted may need quota.
      reserve(record, queue, admission);
      return;
    }
    pending.unqueue(record);
    record.clearPreempted();
    hold(record, Reservation.of(queue, admission, record, assignment, configuration.inventories()));
  }

  /** Charges the quota of {@code record} again by its current content; its eviction remains. */
  void renew(WorkloadRecord record, Reservation old) {
    renew(record, old, old.admission());
  }

  /** Replaces the admission of {@code record} by one of the same queue and quota. */
  public void replace(WorkloadRecord record, Reservation old, Admission admission) {
    renew(record, old, admission);
  }

  private void renew(WorkloadRecord record, Reservation old, Admission admission) {
    uncharge(old);
    fairness.discharge(record, old);
    Reservation renewed = hold(record, old.queue(), admission);
    if (old.holder().isEvicted()) {
      evict(record, renewed);
    }
  }

  private Reservation hold(WorkloadRecord record, QueueState queue, Admission admission) {
    boolean reclaimsPods = context.settings().isEnabled(FeatureGate.RECLAIMABLE_PODS);
    Reservation reservation = Reservation.of(
        queue,
        admission,
        record,
        reclaimsPods,
        reclaimsPods && context.settings().includes(KueueFix.RECLAIMED_PODS_FREE_DOMAINS),
        context.catalog());
    context.changes().before(queue.quota());
    forest.ensureColumns(queue.quota(), reservation.holder().pairs());
    return hold(record, reservation);
  }

  private Reservation hold(WorkloadRecord record, Reservation reservation) {
    QueueState queue = reservation.queue();
    charge(reservation);
    fairness.charge(record, reservation);
    record.setQueue(queue);
    record.setReservation(reservation);
    books.follow(record);
    return reservation;
  }

  /**
   * Marks {@code record} as evicted, with the preemptor {@code by} if it is known, and the
   * condition if it was preempted. It holds its quota until it has stopped.
   */
  public void evict(
      WorkloadRecord record, @Nullable PreemptedCondition condition, @Nullable PreemptedBy by) {
    Reservation reservation = record.reservation();
    if (reservation != null) {
      workloads.markFailed(record, null);
      record.setPreempted(condition, by);
      evict(record, reservation);
    }
  }

  /** Releases the quota that {@code record} holds. */
  public void release(WorkloadRecord record) {
    Reservation reservation = record.reservation();
    if (reservation != null) {
      workloads.markFailed(record, null);
      uncharge(reservation);
      fairness.discharge(record, reservation);
      record.setReservation(null);
      books.follow(record);
      events.noteReleased(reservation.admission());
    }
  }

  /**
   * Advances the generation of the queue of a reservation, since quota may have become available.
   */
  public void advanceGeneration(Reservation reservation) {
    context.changes().before(reservation.queue().quota());
    reservation.queue().quota().advanceGeneration();
  }

  private void charge(Reservation reservation) {
    QueueQuota quota = reservation.queue().quota();
    context.changes().before(quota);
    quota.add(reservation.holder());
  }

  private void uncharge(Reservation reservation) {
    QueueQuota quota = reservation.queue().quota();
    context.changes().before(quota);
    quota.remove(reservation.holder());
  }

  private void evict(WorkloadRecord record, Reservation reservation) {
    context.changes().before(reservation.queue().quota());
    reservation.holder().evict(pending.queueTimeMillis(record));
  }
}
