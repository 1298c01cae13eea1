package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import java.util.function.Function;

/**
 * The answer of an engine about one workload: it may start, holds quota but may not start yet, has
 * to wait for the workloads that it preempts, has to wait with reasons, or breaks rules.
 *
 * <p>That a workload does not fit is an answer, never an exception. Immutable.
 *
 * <pre>{@code
 * AdmissionResult result = engine.tryAdmit(workload);
 * String line = result.match(
 *     admitted -> "start on " + admitted.admission().podSetAssignments(),
 *     reserved -> "wait for " + reserved.reasons(),
 *     preempting -> "stop " + preempting.victims() + " first",
 *     pending -> "wait: " + pending.reasons(),
 *     rejected -> "refuse: " + rejected.reasons());
 * }</pre>
 *
 * @since 0.1.0
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
   * @since 0.1.0
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
   * @since 0.1.0
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
   * @param victims the workloads that have to stop first, or that were evicted
   * @since 0.1.0
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
   * @since 0.1.0
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
   * @since 0.1.0
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
