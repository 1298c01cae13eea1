package io.kueue4j.core.cycle;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.AssignmentMode;
import io.kueue4j.core.flavor.ReasonLog;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.TargetRecomputation;
import io.kueue4j.core.preemption.Victim;
import io.kueue4j.core.queue.RequeueReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt to admit a workload ended.
 *
 * <p>Rules: S-17.
 *
 * @param assignment the flavors nominated, null if the workload could not be looked at
 * @param requeueReason why it goes back to its queue, null if it is admitted
 * @param cause the class of what keeps it waiting
 * @param log figures of what did not fit, null if there are none
 * @param obstacles what keeps it waiting beside amounts
 * @param victims whom to preempt for it now
 * @param recomputation what came of looking for other victims, null if nobody had to
 */
public record Attempt(
    @Nullable Assignment assignment,
    @Nullable RequeueReason requeueReason,
    PendingCause cause,
    @Nullable ReasonLog log,
    ImmutableList<Reason> obstacles,
    List<Victim> victims,
    @Nullable TargetRecomputation recomputation) {

  static Attempt admitted(Assignment assignment) {
    return new Attempt(
        assignment,
        null,
        PendingCause.PENDING_EVALUATION,
        null,
        ImmutableList.of(),
        List.of(),
        null);
  }

  static Attempt failed(
      Assignment assignment, RequeueReason reason, PendingCause cause, ReasonLog log) {
    return new Attempt(assignment, reason, cause, log, ImmutableList.of(), List.of(), null);
  }

  /** {@return the attempt that others got in the way of: they took its victims} */
  static Attempt overtaken(Assignment assignment) {
    Reason reason = Reason.of(
        ReasonCode.VICTIMS_TAKEN_IN_CYCLE,
        "workloads to preempt for it were preempted for others in the same cycle");
    return new Attempt(
        assignment,
        RequeueReason.FAILED_AFTER_NOMINATION,
        PendingCause.WAITING_FOR_QUOTA,
        null,
        ImmutableList.of(reason),
        List.of(),
        null);
  }

  /**
   * {@return the attempt that ends with waiting until victims have stopped: {@code victims}, or
   * those of others}
   */
  static Attempt waiting(Assignment assignment, List<Victim> victims) {
    String whom = victims.isEmpty()
        ? "workloads that are preempted for others"
        : victims.stream().map(victim -> victim.holder().workload()).toList().toString();
    Reason reason = Reason.of(
        ReasonCode.WAITING_FOR_PREEMPTED_WORKLOADS, "fits when these have stopped: " + whom);
    return new Attempt(
        assignment,
        RequeueReason.PENDING_PREEMPTION,
        PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS,
        null,
        ImmutableList.of(reason),
        victims,
        null);
  }

  /** {@return the attempt that a preemption gate kept from preempting} */
  static Attempt gated(Assignment assignment) {
    Reason reason =
        Reason.of(ReasonCode.PREEMPTION_GATED, "Workload requires preemption, but it's gated");
    return new Attempt(
        assignment,
        RequeueReason.PREEMPTION_GATED,
        PendingCause.ADMISSION_GATED,
        null,
        ImmutableList.of(reason),
        List.of(),
        null);
  }

  /**
   * {@return the attempt at a variant that fits, and waits until its workload has stopped on
   * another flavor}
   */
  static Attempt migrating(Assignment assignment) {
    Reason reason = Reason.of(
        ReasonCode.WAITING_FOR_MIGRATION,
        "fits, and takes over when the workload has stopped on the flavor that it runs on");
    return new Attempt(
        assignment,
        RequeueReason.PENDING_MIGRATION,
        PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS,
        null,
        ImmutableList.of(reason),
        List.of(),
        null);
  }

  /** {@return the attempt at a workload that cannot be looked at because of {@code obstacle}} */
  public static Attempt inadmissible(RequeueReason reason, PendingCause cause, Reason obstacle) {
    return new Attempt(null, reason, cause, null, ImmutableList.of(obstacle), List.of(), null);
  }

  /** {@return what is worth keeping of it once the cycle is over: why it failed} */
  public Attempt toKeep() {
    ReasonLog kept = log == null ? null : log.toKeep();
    return new Attempt(null, requeueReason, cause, kept, obstacles, List.of(), null);
  }

  /** {@return the attempt, for which other victims were looked for because others took its own} */
  Attempt withRecomputation(TargetRecomputation result) {
    return new Attempt(assignment, requeueReason, cause, log, obstacles, victims, result);
  }

  /**
   * {@return whether it had whom to preempt and was passed over, because others of the cycle need
   * the same; steps 8 and 9 of rule S-10}
   */
  public boolean isPreemptionSkipped() {
    return requeueReason == RequeueReason.FAILED_AFTER_NOMINATION
        && assignment != null
        && (log == null || assignment.mode() == AssignmentMode.PREEMPT);
  }

  /** {@return whether the workload is to stop on the flavor that it runs on, for this one} */
  public boolean isMigrating() {
    return requeueReason == RequeueReason.PENDING_MIGRATION;
  }

  /** {@return whether a preemption gate kept it from preempting} */
  public boolean isGated() {
    return requeueReason == RequeueReason.PREEMPTION_GATED;
  }

  /** {@return whether the workload is admitted} */
  public boolean isAdmitted() {
    return requeueReason == null;
  }
}
