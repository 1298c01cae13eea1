package io.kueue4j.k8s.status;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Converts the decisions of an engine to events with Kueue's reasons.
 *
 * <pre>{@code
 * WorkloadEvents events = WorkloadEvents.of(workloads::get, engine.lifecycle()::status);
 * Decisions cycle = engine.runCycle();
 * events.ofCycle(cycle).forEach(each -> record(
 *     each.event().toEvent(objects.get(each.workload()), clock.instant())));
 * }</pre>
 *
 * <p>Call it directly after the decision, since times and messages are read from the statuses at
 * that moment. Stateless. Rules: L-9, L-11, L-12, P-20, E-6, J-26.
 *
 * @since 0.1.0
 */
public final class WorkloadEvents {
  private final Function<WorkloadId, Workload> workloads;
  private final Function<WorkloadId, WorkloadStatus> statuses;

  private WorkloadEvents(
      Function<WorkloadId, Workload> workloads, Function<WorkloadId, WorkloadStatus> statuses) {
    this.workloads = workloads;
    this.statuses = statuses;
  }

  /**
   * {@return an instance for an engine}
   *
   * @param workloads finds workloads as submitted
   * @param statuses finds their statuses: {@link io.kueue4j.core.WorkloadLifecycle#status}
   */
  public static WorkloadEvents of(
      Function<WorkloadId, Workload> workloads, Function<WorkloadId, WorkloadStatus> statuses) {
    return new WorkloadEvents(workloads, statuses);
  }

  /** {@return the events for the decisions of a cycle} */
  public List<WorkloadEvent> ofCycle(Decisions cycle) {
    ImmutableList.Builder<WorkloadEvent> events = ImmutableList.builder();
    cycle.evicted().forEach(eviction -> addEviction(eviction, events));
    cycle.finishedSlices().forEach(slice -> events.add(finished(slice)));
    cycle.preempted().forEach(victim -> addPreemption(victim, events));
    cycle.reserved().forEach(admission -> events.add(quotaReserved(admission)));
    for (Admission admission : cycle.admitted()) {
      if (sinceReservation(admission).isZero()) {
        events.add(quotaReserved(admission));
      }
      events.add(admitted(admission));
    }
    cycle.pending().forEach(pending -> events.add(of(pending)));
    return events.build();
  }

  /**
   * {@return the events for the decisions of other calls, where an admitted workload already held
   * its quota}
   */
  public List<WorkloadEvent> ofOtherCalls(Decisions changes) {
    ImmutableList.Builder<WorkloadEvent> events = ImmutableList.builder();
    changes.evicted().forEach(eviction -> addEviction(eviction, events));
    changes.admitted().forEach(admission -> events.add(admitted(admission)));
    return events.build();
  }

  /** {@return the event that a workload is pending, with the reasons} */
  public WorkloadEvent of(AdmissionResult.Pending pending) {
    return new WorkloadEvent(
        pending.workload(),
        KueueEvent.warning(
            KueueEvent.ADMISSION,
            pending.cause().toString(),
            Joiner.on("; ")
                .join(pending.reasons().stream().map(reason -> reason.message()).iterator())));
  }

  /**
   * {@return the event that gates keep a workload out of its queue, or that the last gate was
   * removed}
   */
  public static WorkloadEvent admissionGates(Workload workload) {
    return new WorkloadEvent(
        workload.id(),
        workload.admissionGates().isEmpty()
            ? KueueEvent.normal(
                KueueEvent.WORKLOAD_CONTROLLER,
                "AdmissionGateCleared",
                "Admission gate cleared, workload is now admissible")
            : KueueEvent.normal(
                KueueEvent.WORKLOAD_CONTROLLER,
                "AdmissionGated",
                "Workload admission is gated by: "
                    + Joiner.on(',').join(workload.admissionGates())));
  }

  private WorkloadEvent quotaReserved(Admission admission) {
    StringBuilder message =
        new StringBuilder("Quota reserved in ClusterQueue ").append(admission.clusterQueue());
    queuedTime(admission.workload())
        .ifPresent(queued -> message
            .append(", wait time since queued was ")
            .append(seconds(Duration.between(queued, admission.quotaReservedTime()))));
    message.append("; flavors: ").append(flavors(admission));
    return new WorkloadEvent(
        admission.workload(),
        KueueEvent.normal(KueueEvent.ADMISSION, "QuotaReserved", message.toString()));
  }

  private WorkloadEvent admitted(Admission admission) {
    return new WorkloadEvent(
        admission.workload(),
        KueueEvent.normal(
            KueueEvent.ADMISSION,
            "Admitted",
            "Admitted by ClusterQueue " + admission.clusterQueue()
                + ", wait time since reservation was " + seconds(sinceReservation(admission))));
  }

  private void addPreemption(PreemptionVictim victim, ImmutableList.Builder<WorkloadEvent> events) {
    String message = statuses
        .apply(victim.workload())
        .condition(ConditionType.PREEMPTED)
        .map(WorkloadCondition::message)
        .orElse("Preempted to accommodate workload " + victim.preemptor());
    events.add(new WorkloadEvent(
        victim.workload(),
        KueueEvent.normal(
            KueueEvent.WORKLOAD_CONTROLLER, "EvictedDueTo" + EvictionReason.PREEMPTED, message)));
    events.add(new WorkloadEvent(
        victim.workload(),
        KueueEvent.normal(KueueEvent.ADMISSION, EvictionReason.PREEMPTED.toString(), message)));
    events.add(new WorkloadEvent(
        victim.preemptor(),
        KueueEvent.normal(
            KueueEvent.ADMISSION,
            "PreemptedWorkload",
            "Preempted workload " + victim.workload() + " (UID: "
                + workloads.apply(victim.workload()).uid() + ") in ClusterQueue "
                + victim.clusterQueue())));
  }

  private void addEviction(Eviction eviction, ImmutableList.Builder<WorkloadEvent> events) {
    Optional<EvictionCause> cause = eviction.cause();
    if (cause.equals(Optional.of(EvictionCause.MAXIMUM_EXECUTION_TIME_EXCEEDED))) {
      String limit = workloads
          .apply(eviction.workload())
          .maximumExecutionTime()
          .map(time -> " (" + seconds(time) + ")")
          .orElse("");
      events.add(new WorkloadEvent(
          eviction.workload(),
          KueueEvent.warning(
              KueueEvent.WORKLOAD_CONTROLLER,
              cause.get().toString(),
              "The maximum execution time" + limit + " exceeded")));
    }
    if (cause.equals(Optional.of(EvictionCause.ADMISSION_CHECK))) {
      events.add(new WorkloadEvent(
          eviction.workload(),
          KueueEvent.warning(
              KueueEvent.WORKLOAD_CONTROLLER,
              "AdmissionCheckRejected",
              "Deactivated: " + eviction.message())));
    }
    events.add(new WorkloadEvent(
        eviction.workload(),
        KueueEvent.normal(
            KueueEvent.WORKLOAD_CONTROLLER, evictedDueTo(eviction), eviction.message())));
  }

  private static String evictedDueTo(Eviction eviction) {
    String reason = "EvictedDueTo" + eviction.reason();
    return eviction.reason() == EvictionReason.DEACTIVATED
        ? reason + eviction.cause().map(cause -> "DueTo" + cause).orElse("")
        : reason;
  }

  private static WorkloadEvent finished(FinishedSlice slice) {
    return new WorkloadEvent(
        slice.workload(),
        KueueEvent.normal(KueueEvent.ADMISSION, slice.reason().toString(), slice.message()));
  }

  /**
   * {@return the time since when a workload has been waiting: its requeueing or else its creation}
   */
  private Optional<Instant> queuedTime(WorkloadId id) {
    return statuses
        .apply(id)
        .condition(ConditionType.REQUEUED)
        .map(WorkloadCondition::lastTransitionTime)
        .or(() -> workloads.apply(id).creationTime());
  }

  private Duration sinceReservation(Admission admission) {
    return statuses
        .apply(admission.workload())
        .condition(ConditionType.ADMITTED)
        .map(admitted ->
            Duration.between(admission.quotaReservedTime(), admitted.lastTransitionTime()))
        .filter(waited -> !waited.isNegative())
        .orElse(Duration.ZERO);
  }

  private static String flavors(Admission admission) {
    return admission.podSetAssignments().stream()
        .map(podSet -> podSet.name() + "("
            + Joiner.on(", ").withKeyValueSeparator(": ").join(podSet.flavors()) + ")")
        .collect(Collectors.joining(", "));
  }

  private static String seconds(Duration time) {
    return Math.max(0, time.toSeconds()) + "s";
  }

  /**
   * An event of a workload.
   *
   * @param workload the workload
   * @param event its event
   * @since 0.1.0
   */
  public record WorkloadEvent(WorkloadId workload, KueueEvent event) {}
}
