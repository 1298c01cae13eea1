package io.kueue4j.core.internal.attempt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.kueue4j.core.decision.EngineListener.PreemptionConflict.Recomputation;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of an attempt to admit a workload.
 *
 * <p>Rules: S-17.
 *
 * @param assignment the nominated flavors, null if the workload could not be evaluated
 * @param requeueReason why the workload stays in its queue, null if it is admitted
 * @param cause the general reason why the workload is pending
 * @param log the figures of what did not fit, null if there are none
 * @param obstacles the reasons other than missing amounts
 * @param victims the workloads to preempt for it now
 * @param recomputation the result of a second search for victims, null if there was none
 * @param refusal why limits or strict settings do not allow what it needs, null if they do
 */
public record Attempt(
    @Nullable Assignment assignment,
    @Nullable RequeueReason requeueReason,
    PendingCause cause,
    @Nullable ReasonLog log,
    ImmutableList<Reason> obstacles,
    List<Victim> victims,
    @Nullable Recomputation recomputation,
    @Nullable Refusal refusal) {

  /** {@return an attempt that admits a workload by {@code assignment}} */
  public static Attempt admitted(Assignment assignment) {
    return failed(assignment, null, PendingCause.PENDING_EVALUATION, null);
  }

  public static Attempt failed(
      Assignment assignment,
      @Nullable RequeueReason reason,
      PendingCause cause,
      @Nullable ReasonLog log) {
    return new Attempt(assignment, reason, cause, log, ImmutableList.of(), List.of(), null, null);
  }

  private static Attempt blocked(
      Assignment assignment, RequeueReason requeueReason, PendingCause cause, Reason obstacle) {
    return new Attempt(
        assignment, requeueReason, cause, null, ImmutableList.of(obstacle), List.of(), null, null);
  }

  /** {@return an attempt that failed because other entries took its victims} */
  public static Attempt overtaken(Assignment assignment) {
    return blocked(
        assignment,
        RequeueReason.FAILED_AFTER_NOMINATION,
        PendingCause.WAITING_FOR_QUOTA,
        Reason.of(
            ReasonCode.VICTIMS_TAKEN_IN_CYCLE,
            "workloads to preempt for it were preempted for others in the same cycle"));
  }

  /**
   * {@return an attempt that waits until victims have stopped: {@code victims}, or the victims of
   * other entries if that is empty}
   */
  public static Attempt waiting(Assignment assignment, List<Victim> victims) {
    String whom = victims.isEmpty()
        ? "workloads that are preempted for others"
        : Lists.transform(victims, victim -> victim.holder().workload()).toString();
    Reason reason = Reason.of(
        ReasonCode.WAITING_FOR_PREEMPTED_WORKLOADS, "fits when these have stopped: " + whom);
    return new Attempt(
        assignment,
        RequeueReason.PENDING_PREEMPTION,
        PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS,
        null,
        ImmutableList.of(reason),
        victims,
        null,
        null);
  }

  /** {@return an attempt prevented from preempting by a closed preemption gate} */
  public static Attempt gated(Assignment assignment) {
    return blocked(
        assignment,
        RequeueReason.PREEMPTION_GATED,
        PendingCause.ADMISSION_GATED,
        Reason.of(ReasonCode.PREEMPTION_GATED, "Workload requires preemption, but it's gated"));
  }

  /**
   * {@return an attempt of a variant that fits and waits until its workload has stopped on another
   * flavor}
   */
  public static Attempt migrating(Assignment assignment) {
    return blocked(
        assignment,
        RequeueReason.PENDING_MIGRATION,
        PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS,
        Reason.of(
            ReasonCode.WAITING_FOR_MIGRATION,
            "fits, and takes over when the workload has stopped on the flavor that it runs on"));
  }

  /** {@return an attempt of a workload that cannot be evaluated because of {@code obstacle}} */
  public static Attempt inadmissible(RequeueReason reason, PendingCause cause, Reason obstacle) {
    return new Attempt(
        null, reason, cause, null, ImmutableList.of(obstacle), List.of(), null, null);
  }

  /** {@return a copy with only what is kept after the cycle: why it failed} */
  public Attempt toKeep() {
    ReasonLog kept = log == null ? null : log.toKeep();
    return new Attempt(null, requeueReason, cause, kept, obstacles, List.of(), null, refusal);
  }

  /** {@return this attempt with the result of a second search for victims} */
  public Attempt withRecomputation(Recomputation result) {
    return new Attempt(assignment, requeueReason, cause, log, obstacles, victims, result, refusal);
  }

  /** {@return this attempt with the refusal of the preemption that it needs, null if none is} */
  public Attempt withRefusal(@Nullable Refusal reason) {
    return reason == null
        ? this
        : new Attempt(
            assignment, requeueReason, cause, log, obstacles, victims, recomputation, reason);
  }

  /**
   * {@return whether the entry had victims but was skipped, because they overlap the victims of
   * another entry; steps 8 and 9 of rule S-10}
   */
  public boolean isPreemptionSkipped() {
    return requeueReason == RequeueReason.FAILED_AFTER_NOMINATION
        && assignment != null
        && (log == null || assignment.mode() == AssignmentMode.PREEMPT);
  }

  /** {@return whether the workload must stop on its present flavor to move to this one} */
  public boolean isMigrating() {
    return requeueReason == RequeueReason.PENDING_MIGRATION;
  }

  /** {@return whether a closed preemption gate prevented a preemption} */
  public boolean isGated() {
    return requeueReason == RequeueReason.PREEMPTION_GATED;
  }

  /** {@return whether the workload is admitted} */
  public boolean isAdmitted() {
    return requeueReason == null;
  }
}
