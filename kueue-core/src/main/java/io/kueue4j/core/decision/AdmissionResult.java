package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import java.util.function.Function;

/**
 * What became of a workload: admitted, given quota but to be checked, waiting for others to be
 * preempted, pending with reasons, or rejected with reasons.
 *
 * <pre>{@code
 * String line = result.match(
 *     admitted -> "start on " + admitted.admission().podSetAssignments(),
 *     reserved -> "wait for " + reserved.reasons(),
 *     preempting -> "stop " + preempting.victims() + " first",
 *     pending -> "wait: " + pending.reasons(),
 *     rejected -> "refuse: " + rejected.reasons());
 * }</pre>
 */
public sealed interface AdmissionResult extends Decision {
  /** {@return what the function for this kind of result returns} */
  <T> T match(
      Function<? super Admitted, ? extends T> admitted,
      Function<? super Reserved, ? extends T> reserved,
      Function<? super Preempting, ? extends T> preempting,
      Function<? super Pending, ? extends T> pending,
      Function<? super Rejected, ? extends T> rejected);

  /** {@return whether the workload may start} */
  default boolean isAdmitted() {
    return this instanceof Admitted;
  }

  /** {@return whether the workload holds quota, be it that it may not start yet} */
  default boolean holdsQuota() {
    return this instanceof Admitted || this instanceof Reserved;
  }

  /**
   * The workload may start; its quota is held until it is finished or released.
   *
   * @param admission on what it may start
   * @param finishedSlices slices of the same elastic job that are over because it was admitted just
   *     now
   */
  record Admitted(Admission admission, ImmutableList<FinishedSlice> finishedSlices)
      implements AdmissionResult {
    /** Creates the result for a workload that replaces no other. */
    public Admitted(Admission admission) {
      this(admission, ImmutableList.of());
    }

    @Override
    public WorkloadId workload() {
      return admission.workload();
    }

    @Override
    public <T> T match(
        Function<? super Admitted, ? extends T> admitted,
        Function<? super Reserved, ? extends T> reserved,
        Function<? super Preempting, ? extends T> preempting,
        Function<? super Pending, ? extends T> pending,
        Function<? super Rejected, ? extends T> rejected) {
      return admitted.apply(this);
    }
  }

  /**
   * The workload holds quota, but may not start yet.
   *
   * @param admission on what it may start
   * @param reasons what it waits for: admission checks, or a place for its pods
   */
  record Reserved(Admission admission, ImmutableList<Reason> reasons) implements AdmissionResult {
    @Override
    public WorkloadId workload() {
      return admission.workload();
    }

    @Override
    public <T> T match(
        Function<? super Admitted, ? extends T> admitted,
        Function<? super Reserved, ? extends T> reserved,
        Function<? super Preempting, ? extends T> preempting,
        Function<? super Pending, ? extends T> pending,
        Function<? super Rejected, ? extends T> rejected) {
      return reserved.apply(this);
    }
  }

  /**
   * The workload could start if others stopped. Its quota is not held meanwhile.
   *
   * @param workload the workload
   * @param victims who would have to stop, or was told to
   */
  record Preempting(WorkloadId workload, ImmutableList<PreemptionVictim> victims)
      implements AdmissionResult {
    @Override
    public <T> T match(
        Function<? super Admitted, ? extends T> admitted,
        Function<? super Reserved, ? extends T> reserved,
        Function<? super Preempting, ? extends T> preempting,
        Function<? super Pending, ? extends T> pending,
        Function<? super Rejected, ? extends T> rejected) {
      return preempting.apply(this);
    }
  }

  /**
   * The workload may not start now.
   *
   * @param workload the workload
   * @param cause the class of reasons
   * @param reasons what was asked for and what stood against it
   */
  record Pending(WorkloadId workload, PendingCause cause, ImmutableList<Reason> reasons)
      implements AdmissionResult {
    @Override
    public <T> T match(
        Function<? super Admitted, ? extends T> admitted,
        Function<? super Reserved, ? extends T> reserved,
        Function<? super Preempting, ? extends T> preempting,
        Function<? super Pending, ? extends T> pending,
        Function<? super Rejected, ? extends T> rejected) {
      return pending.apply(this);
    }
  }

  /**
   * The workload, or the change to it, breaks rules of its own; nothing was changed.
   *
   * @param workload the workload
   * @param reasons every rule that it breaks
   */
  record Rejected(WorkloadId workload, ImmutableList<Reason> reasons) implements AdmissionResult {
    @Override
    public <T> T match(
        Function<? super Admitted, ? extends T> admitted,
        Function<? super Reserved, ? extends T> reserved,
        Function<? super Preempting, ? extends T> preempting,
        Function<? super Pending, ? extends T> pending,
        Function<? super Rejected, ? extends T> rejected) {
      return rejected.apply(this);
    }
  }
}
