package io.kueue4j.core.internal.life;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.internal.lifecycle.Backoff;
import io.kueue4j.core.internal.lifecycle.CheckList;
import io.kueue4j.core.internal.lifecycle.Deadlines;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.lifecycle.SecondPass;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.LifecycleRegistry;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lifecycle transitions of a workload, with their effects on quotas and queues. All evictions
 * go through {@link #evict}, followed by {@link #stopped} when the pods have stopped.
 *
 * <p>Rules: U-17, U-22, U-23, L-4, L-5, L-6, L-7, L-8, L-9, L-10, L-11, L-12, L-15, L-16, L-19,
 * L-20, L-21, CA-6.
 */
public final class WorkloadTransitions {
  private final EngineState state;
  private final LifecycleRegistry books;

  /** Whether a check that is rejected while a workload stops deactivates the workload (L-7). */
  private final boolean rejectsStopping;

  /** Whether a deactivated workload holds its quota until it has stopped (L-12). */
  private final boolean holdsUntilStopped;

  public WorkloadTransitions(EngineState state) {
    this.state = state;
    this.books = state.books();
    this.rejectsStopping = state.settings().includes(KueueFix.REJECTIONS_WHILE_STOPPING);
    this.holdsUntilStopped = state.settings().holdsQuotaUntilStopped();
  }

  // ----- quota and admission

  /**
   * Records that quota was reserved.
   *
   * @return whether the workload may run at once
   */
  public boolean quotaReserved(WorkloadRecord record, Reservation reservation, Instant now) {
    LifecycleState reserved = record.lifecycle().at(now).quotaReserved(now);
    CheckList checks =
        synchronised(reserved.checks(), record.requireQueue(), reservation.admission(), now);
    return apply(reserved.withChecks(checks), record, reservation, now);
  }

  private static CheckList synchronised(
      CheckList checks, QueueState queue, @Nullable Admission admission, Instant now) {
    return checks.synchronise(CheckList.required(queue.spec(), admission), now);
  }

  /**
   * Applies a transition of a workload that holds quota, and updates whether it may run.
   *
   * @return whether this transition has admitted it
   */
  private boolean apply(
      LifecycleState step, WorkloadRecord record, Reservation reservation, Instant now) {
    boolean was = record.lifecycle().isAdmitted();
    boolean placed = isPlaced(reservation.admission());
    LifecycleState next =
        state.variants().isHeldBack(record) ? step : step.synchroniseAdmitted(placed, now);
    if (placed || !next.checks().isReady()) {
      next = next.withPlacement(null);
    } else if (next.placement() == null) {
      next = next.withPlacement(SecondPass.first(now));
    }
    books.set(record, next);
    return !was && next.isAdmitted();
  }

  /** {@return whether no pods of an admission wait for a place} */
  public static boolean isPlaced(Admission admission) {
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      if (podSet.delayedTopologyRequest().orElse(null) == DelayedTopologyRequest.PENDING) {
        return false;
      }
    }
    return true;
  }

  /**
   * Applies a transition of a workload that already held quota, updates whether it may run, and
   * records the resulting decision.
   */
  public void review(WorkloadRecord record, LifecycleState step, Instant now) {
    boolean was = record.lifecycle().isAdmitted();
    Reservation reservation = Objects.requireNonNull(record.reservation());
    if (apply(step, record, reservation, now)) {
      state.fairness().admitted(record, record.requireQueue(), now);
      state.announcements().decided(new AdmissionResult.Admitted(reservation.admission()));
    } else if (was && !record.lifecycle().isAdmitted()) {
      state.announcements().decided(new Decision.Suspension(record.id()));
    }
  }

  // ----- admission checks

  /**
   * Replaces the checks of a workload by the checks of its queue; an evicted workload keeps its
   * checks.
   */
  public void synchroniseChecks(WorkloadRecord record, Instant now) {
    LifecycleState known = record.lifecycle();
    if (known.isStopping()) {
      return;
    }
    // The variants of a workload have the checks; rule CA-6.
    QueueState queue = record.hasVariants()
        ? null
        : state.workloads().clusterQueueOf(record).flatMap(state::queue).orElse(null);
    Admission admission = record.admission().orElse(null);
    LifecycleState step = known.withChecks(
        queue == null ? CheckList.NONE : synchronised(known.checks(), queue, admission, now));
    if (admission == null) {
      books.set(record, step);
    } else {
      review(record, step, now);
    }
  }

  /** Records the state of a check; ignores checks that do not apply to the workload. */
  public void checkChanged(WorkloadRecord record, AdmissionCheckState reported, Instant now) {
    LifecycleState known = record.lifecycle().at(now);
    LifecycleState step = known.withChecks(known.checks().with(reported, now));
    Reservation reservation = record.reservation();
    Optional<AdmissionCheckState> rejected = step.checks().first(CheckState.REJECTED);
    boolean isOver = known.isStopping() && (rejected.isEmpty() || !rejectsStopping);
    if (reservation == null || isOver) {
      books.set(record, step);
      return;
    }
    Optional<AdmissionCheckState> retry = step.checks().first(CheckState.RETRY);
    if (rejected.isPresent()) {
      books.set(record, step);
      deactivateAndRecord(
          record,
          EvictionCause.ADMISSION_CHECK,
          "Admission check(s) " + rejected.get().name() + " were rejected",
          now);
    } else if (retry.isPresent()) {
      books.set(record, step.waitingForRetry(now));
      evict(record, EvictionReason.ADMISSION_CHECK, "At least one admission check is false", now);
    } else {
      review(record, step, now);
      // In a held queue, what is no longer admitted loses its quota.
      followStopPolicies(record, now);
    }
  }

  // ----- eviction

  /** Evicts a workload that holds quota and has not been evicted yet, and records the decision. */
  public void evict(
      WorkloadRecord record,
      EvictionReason reason,
      Optional<EvictionCause> cause,
      String message,
      Instant now) {
    books.set(record, record.lifecycle().at(now).evicted(reason, cause, message, now));
    state.reservations().evict(record, null, null);
    state
        .variants()
        .running(record)
        .filter(variant -> !variant.isStopping())
        .ifPresent(variant -> evict(variant, reason, cause, message, now));
    state.announcements().decided(new Eviction(record.id(), reason, cause, message));
  }

  /** Evicts a workload as the other method does, for a reason without a cause. */
  public void evict(WorkloadRecord record, EvictionReason reason, String message, Instant now) {
    evict(record, reason, Optional.empty(), message, now);
  }

  /** Evicts the variant that a workload runs on, for a better one of the same workload. */
  public void migrate(WorkloadRecord running, WorkloadRecord better, Instant now) {
    evict(
        running,
        EvictionReason.FLAVOR_MIGRATION,
        "Evicted to accommodate a workload (UID: " + better.workload().uid()
            + ") due to migration to more favorable resource flavor",
        now);
  }

  /** Preempts a workload; {@code by} is null if the preemptor is unknown. */
  public void preempt(
      WorkloadRecord record,
      PreemptedCondition condition,
      @Nullable PreemptedBy by,
      String message) {
    books.set(
        record,
        record
            .lifecycle()
            .at(condition.lastTransitionTime())
            .preempted(condition.reason().toString(), message, condition.lastTransitionTime()),
        by);
    state.reservations().evict(record, condition, by);
  }

  /**
   * Deactivates a workload in any state, and releases its quota, at once unless the settings say
   * otherwise.
   *
   * @return the eviction, empty if it does not run
   */
  public Optional<Eviction> deactivate(
      WorkloadRecord record, Optional<EvictionCause> cause, String message, Instant now) {
    LifecycleState known = record.lifecycle().at(now);
    boolean runs = record.reservation() != null || known.isStopping() || known.isAdmitted();
    LifecycleState step =
        known.deactivated(cause.equals(Optional.of(EvictionCause.MAXIMUM_EXECUTION_TIME_EXCEEDED)));
    books.set(
        record,
        known.isEvicted() ? step : step.evicted(EvictionReason.DEACTIVATED, cause, message, now));
    if (!holdsUntilStopped || record.reservation() == null || record.isVariant()) {
      state.events().note(record);
      state.reservations().release(record);
    } else if (!known.isEvicted()) {
      state.reservations().evict(record, null, null);
    }
    if (record.workload().active()) {
      state.change(
          record, Workload.builder().from(record.workload()).active(false).build(), now);
    } else if (record.reservation() == null) {
      state.fairness().left(record);
      state.pending().enqueue(record, now);
    }
    return runs
        ? Optional.of(new Eviction(record.id(), EvictionReason.DEACTIVATED, cause, message))
        : Optional.empty();
  }

  private void deactivateAndRecord(
      WorkloadRecord record, EvictionCause cause, String message, Instant now) {
    deactivate(record, Optional.of(cause), message, now).ifPresent(state.announcements()::decided);
  }

  /** Releases the quota of an evicted workload that has stopped, and queues it if allowed. */
  public void stopped(WorkloadRecord record, Instant now) {
    state
        .variants()
        .running(record)
        .filter(WorkloadRecord::isStopping)
        .ifPresent(variant -> stopped(variant, now));
    state.events().note(record);
    books.set(record, record.lifecycle().stopped(now));
    state.reservations().release(record);
    if (!record.workload().active()) {
      state.fairness().left(record);
    }
    synchroniseChecks(record, now);
    reviewRequeued(record, now);
    state.pending().enqueue(record, now);
  }

  /** Releases the quota of a workload that was not admitted, and queues it if allowed. */
  private void withdraw(WorkloadRecord record, LifecycleState step, Instant now) {
    state.events().note(record);
    books.set(record, step);
    state.reservations().release(record);
    synchroniseChecks(record, now);
    state.pending().enqueue(record, now);
    state.announcements().decided(new Decision.Suspension(record.id()));
  }

  /** Holds a workload out of the queues, or releases the hold; has no effect on a running one. */
  public void hold(WorkloadRecord record, boolean onHold, Instant now) {
    LifecycleState known = record.lifecycle();
    if (known.isAdmitted() || known.isStopping() || known.isOnHold() == onHold) {
      return;
    }
    if (record.reservation() == null) {
      requeue(record, known.at(now).onHold(onHold, now), now);
    } else {
      withdraw(record, known.at(now).onHold(true, now), now);
    }
  }

  // ----- stop policies

  /**
   * Applies the stop policies of its queues to a workload: it releases its quota, is evicted, or
   * continues.
   */
  public void followStopPolicies(WorkloadRecord record, Instant now) {
    Reservation reservation = record.reservation();
    if (reservation == null || record.isStopping()) {
      return;
    }
    Optional<LocalQueue> localQueue = state.configuration().localQueue(record.localQueueKey());
    StopPolicy ofQueue = record.requireQueue().spec().stopPolicy();
    StopPolicy ofLocalQueue = localQueue.map(LocalQueue::stopPolicy).orElse(StopPolicy.NONE);
    if (record.lifecycle().isAdmitted()) {
      if (ofQueue == StopPolicy.HOLD_AND_DRAIN) {
        evict(record, EvictionReason.CLUSTER_QUEUE_STOPPED, "The ClusterQueue is stopped", now);
      } else if (ofLocalQueue == StopPolicy.HOLD_AND_DRAIN) {
        evict(record, EvictionReason.LOCAL_QUEUE_STOPPED, "The LocalQueue is stopped", now);
      }
    } else if (ofQueue != StopPolicy.NONE) {
      withdraw(record, PendingCause.SUSPENDED, "The ClusterQueue is stopped", now);
    } else if (localQueue.isEmpty()) {
      withdraw(record, PendingCause.MISCONFIGURED, "The LocalQueue does not exist", now);
    } else if (ofLocalQueue != StopPolicy.NONE) {
      withdraw(record, PendingCause.SUSPENDED, "The LocalQueue is stopped", now);
    }
  }

  private void withdraw(WorkloadRecord record, PendingCause cause, String message, Instant now) {
    LifecycleState known = record.lifecycle();
    withdraw(record, known.withdrawn(cause.toString(), message, now), now);
  }

  // ----- requeueing

  /** Requeues a workload if the event that it waits for has occurred. */
  public void reviewRequeued(WorkloadRecord record, Instant now) {
    EvictionReason awaited = record.lifecycle().awaitedReason().orElse(null);
    if (awaited == EvictionReason.DEACTIVATED && record.workload().active()) {
      requeued(record, "Reactivated", "The workload was reactivated", now);
    } else if (awaited == EvictionReason.CLUSTER_QUEUE_STOPPED
        && state
            .pending()
            .target(record)
            .filter(queue -> queue.spec().stopPolicy() == StopPolicy.NONE)
            .isPresent()) {
      requeued(
          record,
          "ClusterQueueRestarted",
          "The ClusterQueue was restarted after being stopped",
          now);
    } else if (awaited == EvictionReason.LOCAL_QUEUE_STOPPED
        && state.configuration().openLocalQueue(record.localQueueKey()).isPresent()) {
      requeued(
          record, "LocalQueueRestarted", "The LocalQueue was restarted after being stopped", now);
    }
  }

  private void requeued(WorkloadRecord record, String reason, String message, Instant now) {
    requeue(record, record.lifecycle().requeued(true, reason, message, now), now);
  }

  /** Requeues a workload that waits for an event or a time. */
  public void requeue(WorkloadRecord record, String reason, String message, Instant now) {
    LifecycleState known = record.lifecycle();
    if (record.reservation() == null && known.backoffEnd().isAfter(now)) {
      requeue(
          record,
          known.requeued(true, reason, message, now).withRequeue(known.requeueCount(), null),
          now);
    }
  }

  /** Opens or closes a preemption gate; a workload that may preempt from now on is tried again. */
  public void setGate(WorkloadRecord record, String gate, boolean open, Instant now) {
    LifecycleState step = record.lifecycle().withGate(gate, open, now);
    if (!step.equals(record.lifecycle())) {
      requeue(record, step, now);
    }
  }

  /** Records whether all pods of a workload are ready or have succeeded. */
  public void podsReady(WorkloadRecord record, boolean ready, Instant now) {
    books.set(record, record.lifecycle().podsReady(ready, now));
  }

  /** Applies a transition that requeues a workload or changes the end of its wait. */
  public void requeue(WorkloadRecord record, LifecycleState step, Instant now) {
    books.set(record, step);
    state.pending().renew(record, false, now);
  }

  // ----- deadlines

  /** Acts on the deadlines that have passed. */
  public void actOnDeadlines(Instant now) {
    for (WorkloadId id : books.timers().due(now)) {
      WorkloadRecord record = state.record(id);
      if (record != null) {
        state.variants().note(record);
        Deadlines.next(record.workload(), record.lifecycle(), state.podsReadyPolicy())
            .filter(deadline -> !deadline.time().isAfter(now))
            .ifPresent(passed -> actOn(passed.cause(), record, now));
      }
    }
  }

  private void actOn(EvictionCause cause, WorkloadRecord record, Instant now) {
    if (cause == EvictionCause.MAXIMUM_EXECUTION_TIME_EXCEEDED) {
      deactivateAndRecord(record, cause, "exceeding the maximum execution time", now);
      return;
    }
    PodsReadyPolicy policy = state.podsReadyPolicy().orElseThrow();
    LifecycleState known = record.lifecycle();
    int count = known.requeueCount() + 1;
    if (count > policy.backoffLimitCount().orElse(Integer.MAX_VALUE)) {
      deactivateAndRecord(
          record,
          EvictionCause.REQUEUING_LIMIT_EXCEEDED,
          "exceeding the maximum number of re-queuing retries",
          now);
      return;
    }
    WorkloadId id = record.id();
    Duration delay = Backoff.delay(policy, id, count, state.announcements()::jitterFailed);
    books.set(record, known.withRequeue(count, TimeMath.saturatedAdd(now, delay)));
    evict(
        record,
        EvictionReason.PODS_READY_TIMEOUT,
        Optional.of(cause),
        "Exceeded the PodsReady timeout " + id,
        now);
  }
}
