package io.kueue4j.core.internal.lifecycle;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import io.kueue4j.core.model.WorkloadStatus.PreemptionGateState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What has happened to a workload so far. Immutable; each step returns another state.
 *
 * <p>The caller applies the effects of a step on quota and queues; this class only records the
 * step.
 *
 * <p>Rules: U-20, U-23, L-1, L-4, L-5, L-8, L-9, L-10, L-11, L-12, L-14, L-14a, L-17, L-18, L-21,
 * L-25, L-26, T-76, T-77, T-78.
 *
 * @param conditions the conditions
 * @param checks the states of the admission checks
 * @param requeueCount how often the pods were not ready in time
 * @param requeueAt the time before which the workload is not tried again, null if there is none
 * @param pastExecution the total time of earlier admissions, in whole seconds
 * @param evictions the number of evictions by reason and cause
 * @param placement when places for the pods are searched while the workload holds quota already,
 *     null if they are not
 * @param gates the states of the preemption gates that were ever opened, ordered by name
 */
public record LifecycleState(
    Conditions conditions,
    CheckList checks,
    int requeueCount,
    @Nullable Instant requeueAt,
    Duration pastExecution,
    List<EvictionCount> evictions,
    @Nullable SecondPass placement,
    List<PreemptionGateState> gates) {
  /** The state of a new workload. */
  public static final LifecycleState NEW = new LifecycleState(
      Conditions.NONE,
      CheckList.NONE,
      0,
      null,
      Duration.ZERO,
      ImmutableList.of(),
      null,
      ImmutableList.of());

  private static final ImmutableList<ConditionType> OVER_WHEN_RESERVED = ImmutableList.of(
      ConditionType.EVICTED, ConditionType.PREEMPTED, ConditionType.BLOCKED_ON_PREEMPTION_GATES);

  /** Reasons of conditions, as Kueue writes them. */
  static final String WAIT_FOR_START = "WaitForStart";

  static final String WAIT_FOR_RECOVERY = "WaitForRecovery";
  private static final String RECOVERED = "Recovered";
  private static final String ON_HOLD = "OnHold";

  /** {@return the state that {@code status} describes} */
  public static LifecycleState of(WorkloadStatus status) {
    return new LifecycleState(
        Conditions.of(status.conditions()),
        CheckList.of(status.admissionChecks()),
        status.requeueCount(),
        status.requeueAt().orElse(null),
        status.accumulatedPastExecutionTime(),
        status.evictions(),
        null,
        status.preemptionGates());
  }

  /** {@return this state as a status for users} */
  public WorkloadStatus toStatus() {
    return WorkloadStatus.builder()
        .addAllConditions(conditions.inOrder())
        .addAllAdmissionChecks(checks.byName())
        .requeueCount(requeueCount)
        .requeueAt(Optional.ofNullable(requeueAt))
        .accumulatedPastExecutionTime(pastExecution)
        .addAllEvictions(evictions)
        .addAllPreemptionGates(gates)
        .build();
  }

  // ----- questions

  /** {@return whether the workload may run} */
  public boolean isAdmitted() {
    return conditions.isTrue(ConditionType.ADMITTED);
  }

  /** {@return whether the workload was evicted and has not reserved quota since} */
  public boolean isEvicted() {
    return conditions.isTrue(ConditionType.EVICTED);
  }

  /** {@return whether the workload was evicted and its pods have not stopped yet} */
  public boolean isStopping() {
    return isEvicted() && conditions.isTrue(ConditionType.QUOTA_RESERVED);
  }

  /** {@return whether the workload is on hold} */
  public boolean isOnHold() {
    return conditions
        .get(ConditionType.QUOTA_RESERVED)
        .filter(known -> !known.isTrue() && known.reason().equals(ON_HOLD))
        .isPresent();
  }

  /** {@return how often the workload was preempted, also before the last restart} */
  public long preemptions() {
    return evictions.stream()
        .filter(known -> known.reason() == EvictionReason.PREEMPTED)
        .mapToLong(EvictionCount::count)
        .sum();
  }

  /** {@return the reason of the eviction, absent if the workload is not evicted} */
  public Optional<EvictionReason> evictionReason() {
    return conditions
        .ifTrue(ConditionType.EVICTED)
        .flatMap(evicted -> EvictionReason.named(evicted.reason()));
  }

  /**
   * {@return the reason why the workload may not be tried again, absent if it may, now or after a
   * delay}
   */
  public Optional<EvictionReason> awaitedReason() {
    return waitingReason().filter(reason -> !isEndedByTime(reason));
  }

  /**
   * {@return the time from which the workload may be tried again; {@link Instant#MAX} if it waits
   * for an event}
   */
  public Instant backoffEnd() {
    if (notRequeued().isPresent() && !isBackingOff()) {
      return Instant.MAX;
    }
    return requeueAt == null ? Instant.MIN : requeueAt;
  }

  /** {@return the condition that keeps the workload from being tried again, absent if none does} */
  public Optional<WorkloadCondition> notRequeued() {
    return conditions.get(ConditionType.REQUEUED).filter(known -> !known.isTrue());
  }

  private Optional<EvictionReason> waitingReason() {
    return notRequeued().flatMap(known -> EvictionReason.named(known.reason()));
  }

  private boolean isBackingOff() {
    return waitingReason().filter(LifecycleState::isEndedByTime).isPresent();
  }

  private static boolean isEndedByTime(EvictionReason reason) {
    return reason == EvictionReason.PODS_READY_TIMEOUT || reason == EvictionReason.ADMISSION_CHECK;
  }

  // ----- quota and admission

  /** {@return the state after quota was reserved, which ends any eviction; rule L-4} */
  public LifecycleState quotaReserved(Instant now) {
    Conditions changed = conditions.with(
        ConditionType.QUOTA_RESERVED, true, "QuotaReserved", "Quota is reserved", now);
    for (ConditionType over : OVER_WHEN_RESERVED) {
      Optional<WorkloadCondition> before = conditions.ifTrue(over);
      if (before.isPresent()) {
        changed = changed.with(
            over, false, "QuotaReserved", "Previously: " + before.get().message(), now);
      }
    }
    return with(changed);
  }

  /**
   * {@return this state with condition {@code Admitted} updated; rule L-5}
   *
   * @param placed whether no pods wait for a place
   */
  public LifecycleState synchroniseAdmitted(boolean placed, Instant now) {
    boolean reserved = conditions.isTrue(ConditionType.QUOTA_RESERVED);
    if (reserved && checks.isReady() && placed) {
      return with(conditions.with(
          ConditionType.ADMITTED, true, "Admitted", "The workload is admitted", now));
    }
    if (!reserved && conditions.get(ConditionType.ADMITTED).isEmpty()) {
      return this;
    }
    LifecycleState changed = isAdmitted() ? lostAdmission(now) : this;
    if (!reserved) {
      return changed.notAdmitted("NoReservation", "The workload has no reservation", now);
    }
    return checks.isReady()
        ? changed.notAdmitted(
            "PendingDelayedTopologyRequests", "There are pending delayed topology requests", now)
        : changed.notAdmitted(
            "UnsatisfiedAdmissionChecks", "The workload has not all checks ready", now);
  }

  private LifecycleState notAdmitted(String reason, String message, Instant now) {
    return with(conditions.with(ConditionType.ADMITTED, false, reason, message, now));
  }

  private LifecycleState lostAdmission(Instant now) {
    Instant since = conditions
        .get(ConditionType.ADMITTED)
        .map(WorkloadCondition::lastTransitionTime)
        .orElse(now);
    Duration ran = Duration.ofSeconds(Math.max(0, Duration.between(since, now).toSeconds()));
    Conditions changed = conditions.get(ConditionType.PODS_READY).isEmpty()
        ? conditions
        : conditions.with(
            ConditionType.PODS_READY,
            false,
            WAIT_FOR_START,
            "Not all pods are ready or succeeded",
            now);
    Duration total = TimeMath.saturatedAdd(pastExecution, ran);
    return new LifecycleState(
        changed, checks, requeueCount, requeueAt, total, evictions, placement, gates);
  }

  /**
   * {@return the state after the workload released quota without having been admitted; rule L-11}
   */
  public LifecycleState withdrawn(String reason, String message, Instant now) {
    return notReserved(reason, message, now).withPlacement(null).synchroniseAdmitted(true, now);
  }

  /** {@return the state after the workload was put on hold or released from it} */
  public LifecycleState onHold(boolean holds, Instant now) {
    return holds
        ? withdrawn(ON_HOLD, "The workload is on hold", now)
        : notReserved("PendingEvaluation", "The workload is on hold no more", now);
  }

  // ----- eviction

  /** {@return the state after an eviction; rule L-9, first step} */
  public LifecycleState evicted(
      EvictionReason reason, Optional<EvictionCause> cause, String message, Instant now) {
    String text = reason == EvictionReason.DEACTIVATED
        ? cause.map(known -> reason + "DueTo" + known).orElse(reason.toString())
        : reason.toString();
    Conditions changed = conditions.with(ConditionType.EVICTED, true, text, message, now);
    if (conditions.isTrue(ConditionType.BLOCKED_ON_PREEMPTION_GATES)) {
      changed = changed.with(ConditionType.BLOCKED_ON_PREEMPTION_GATES, false, text, message, now);
    }
    List<PreemptionGateState> closed = ImmutableList.copyOf(
        Lists.transform(gates, gate -> new PreemptionGateState(gate.name(), false, now)));
    return with(changed)
        .withChecks(checks.reset(now))
        .withPlacement(null)
        .with(counted(reason, cause), closed);
  }

  /** {@return the state after a preemption by another workload} */
  public LifecycleState preempted(String reason, String message, Instant now) {
    return evicted(EvictionReason.PREEMPTED, Optional.empty(), message, now)
        .with(ConditionType.PREEMPTED, reason, message, now);
  }

  private LifecycleState with(ConditionType type, String reason, String message, Instant now) {
    return with(conditions.with(type, true, reason, message, now));
  }

  private List<EvictionCount> counted(EvictionReason reason, Optional<EvictionCause> cause) {
    List<EvictionCount> counts = new ArrayList<>(evictions);
    counts.replaceAll(known -> known.reason() == reason && known.cause().equals(cause)
        ? new EvictionCount(reason, cause, known.count() + 1)
        : known);
    if (counts.equals(evictions)) {
      counts.add(new EvictionCount(reason, cause, 1));
    }
    return ImmutableList.copyOf(counts);
  }

  /** {@return the state after the pods have stopped; rule L-9, second step} */
  public LifecycleState stopped(Instant now) {
    Optional<WorkloadCondition> evicted = conditions.ifTrue(ConditionType.EVICTED);
    String text = evicted.map(WorkloadCondition::reason).orElse("");
    String message = evicted.map(WorkloadCondition::message).orElse("");
    boolean atOnce = evictionReason().filter(EvictionReason::isRequeuedAtOnce).isPresent();
    return withdrawn("PendingEvaluation", message, now)
        .requeued(atOnce, text, message, now)
        .at(now);
  }

  // ----- requeueing

  /** {@return this state with condition {@code Requeued} set} */
  public LifecycleState requeued(boolean may, String reason, String message, Instant now) {
    return with(conditions.with(ConditionType.REQUEUED, may, reason, message, now));
  }

  /**
   * {@return the state at {@code now}: condition {@code Requeued} is set if a backoff has ended}
   */
  public LifecycleState at(Instant now) {
    if (!isBackingOff() || (requeueAt != null && requeueAt.isAfter(now))) {
      return this;
    }
    Instant end = requeueAt == null ? now : requeueAt;
    Instant since = conditions
        .get(ConditionType.REQUEUED)
        .map(WorkloadCondition::lastTransitionTime)
        .filter(end::isBefore)
        .orElse(end);
    return requeued(true, "BackoffFinished", "The workload backoff was finished", since)
        .withRequeue(requeueCount, null);
  }

  /**
   * {@return the state after the pods were not ready in time, to be tried again at
   * {@code newRequeueAt}}
   */
  public LifecycleState withRequeue(int newCount, @Nullable Instant newRequeueAt) {
    return new LifecycleState(
        conditions, checks, newCount, newRequeueAt, pastExecution, evictions, placement, gates);
  }

  /** {@return the state that waits at least for the delay of the checks in Retry; rule L-8} */
  public LifecycleState waitingForRetry(Instant now) {
    Optional<Instant> time = checks.retryTime().filter(now::isBefore);
    return time.isPresent() && (requeueAt == null || requeueAt.isBefore(time.get()))
        ? withRequeue(requeueCount, time.get())
        : this;
  }

  /** {@return the state after a deactivation; rules L-12, L-18, L-21} */
  public LifecycleState deactivated(boolean forgetsExecutionTime) {
    Duration kept = forgetsExecutionTime ? Duration.ZERO : pastExecution;
    return new LifecycleState(conditions, checks, 0, null, kept, evictions, null, gates);
  }

  // ----- pods

  /** {@return this state with condition {@code PodsReady} set; rule L-14a} */
  public LifecycleState podsReady(boolean ready, Instant now) {
    String before =
        conditions.get(ConditionType.PODS_READY).map(WorkloadCondition::reason).orElse("");
    boolean wasReady = conditions.isTrue(ConditionType.PODS_READY);
    String message = ready && isAdmitted()
        ? "All pods were ready or succeeded since the workload admission"
        : "Not all pods are ready or succeeded";
    String reason;
    if (!isAdmitted()) {
      reason = WAIT_FOR_START;
    } else if (ready) {
      reason = before.equals(WAIT_FOR_RECOVERY) || before.equals(RECOVERED) ? RECOVERED : "Started";
    } else {
      reason = wasReady || before.equals(WAIT_FOR_RECOVERY) ? WAIT_FOR_RECOVERY : WAIT_FOR_START;
    }
    return with(
        conditions.with(ConditionType.PODS_READY, ready && isAdmitted(), reason, message, now));
  }

  // ----- parts

  private LifecycleState with(Conditions changed) {
    return new LifecycleState(
        changed, checks, requeueCount, requeueAt, pastExecution, evictions, placement, gates);
  }

  private LifecycleState with(List<EvictionCount> counts, List<PreemptionGateState> states) {
    return new LifecycleState(
        conditions, checks, requeueCount, requeueAt, pastExecution, counts, placement, states);
  }

  /** {@return this state with other checks} */
  public LifecycleState withChecks(CheckList changed) {
    return changed.equals(checks)
        ? this
        : new LifecycleState(
            conditions,
            changed,
            requeueCount,
            requeueAt,
            pastExecution,
            evictions,
            placement,
            gates);
  }

  /** {@return this state with another time at which places for pods are searched, null for none} */
  public LifecycleState withPlacement(@Nullable SecondPass changed) {
    if (Objects.equals(changed, placement)) {
      return this;
    }
    return new LifecycleState(
        conditions, checks, requeueCount, requeueAt, pastExecution, evictions, changed, gates);
  }

  /** {@return the state after an attempt to reserve quota failed} */
  public LifecycleState notReserved(String reason, String message, Instant now) {
    return with(conditions.with(ConditionType.QUOTA_RESERVED, false, reason, message, now));
  }

  /** {@return this state with the time to be tried again of {@code other}} */
  public LifecycleState waitingAs(LifecycleState other) {
    Conditions changed = conditions;
    Optional<WorkloadCondition> waits = other.notRequeued();
    if (waits.isPresent()) {
      WorkloadCondition of = waits.get();
      changed = conditions.with(
          ConditionType.REQUEUED, false, of.reason(), of.message(), of.lastTransitionTime());
    }
    return with(changed).withRequeue(other.requeueCount, other.requeueAt);
  }

  // ----- preemption gates

  /** {@return the state of a preemption gate, absent if it was never opened} */
  public Optional<PreemptionGateState> gate(String name) {
    return gates.stream().filter(gate -> gate.name().equals(name)).findFirst();
  }

  /** {@return whether a preemption gate is open} */
  public boolean isOpen(String name) {
    return gate(name).filter(PreemptionGateState::isOpen).isPresent();
  }

  /** {@return this state with a preemption gate opened or closed; rule L-25} */
  public LifecycleState withGate(String name, boolean open, Instant now) {
    if (isOpen(name) == open) {
      return this;
    }
    List<PreemptionGateState> changed = new ArrayList<>(gates);
    changed.removeIf(gate -> gate.name().equals(name));
    changed.add(new PreemptionGateState(name, open, now));
    changed.sort(Comparator.comparing(PreemptionGateState::name));
    return with(evictions, ImmutableList.copyOf(changed));
  }

  /** {@return the state after a closed preemption gate prevented a preemption; rule L-25} */
  public LifecycleState blockedOnGates(Instant now) {
    return with(
        ConditionType.BLOCKED_ON_PREEMPTION_GATES,
        "PreemptionGated",
        "Workload requires preemption, but it's gated",
        now);
  }
}
