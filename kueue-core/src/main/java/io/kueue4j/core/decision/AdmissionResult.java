package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.function.Function;

/**
 * The result of an admission attempt for one workload: admitted, holding quota but not ready to
 * start, waiting for the workloads that it preempts, pending with reasons, or rejected because it
 * breaks rules.
 *
 * <p>A workload that does not fit yields a result, never an exception. Immutable.
 *
 * <pre>{@code
 * AdmissionResult result = engine.tryAdmit(workload).result();
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
  /** {@return the result of the function for this kind of result} */
  @CanIgnoreReturnValue
  default <T> T match(
      Function<? super Admitted, ? extends T> admitted,
      Function<? super Reserved, ? extends T> reserved,
      Function<? super Preempting, ? extends T> preempting,
      Function<? super Pending, ? extends T> pending,
      Function<? super Rejected, ? extends T> rejected) {
    if (this instanceof Admitted result) {
      return admitted.apply(result);
    }
    if (this instanceof Reserved result) {
      return reserved.apply(result);
    }
    if (this instanceof Preempting result) {
      return preempting.apply(result);
    }
    if (this instanceof Pending result) {
      return pending.apply(result);
    }
    return rejected.apply((Rejected) this);
  }

  /** {@return whether the workload may start} */
  default boolean isAdmitted() {
    return this instanceof Admitted;
  }

  /** {@return whether the workload holds quota, even if it may not start yet} */
  default boolean holdsQuota() {
    return this instanceof Admitted || this instanceof Reserved;
  }

  /**
   * The workload may start. It holds its quota until it is finished or released.
   *
   * @param admission the flavors and places that it may start on
   * @since 0.1.0
   */
  record Admitted(Admission admission) implements AdmissionResult {
    @Override
    public WorkloadId workload() {
      return admission.workload();
    }
  }

  /**
   * The workload holds quota, but may not start yet.
   *
   * @param admission the flavors and places that it was assigned
   * @param reasons the reasons why it waits: admission checks, or the placement of its pods
   * @since 0.1.0
   */
  record Reserved(Admission admission, List<Reason> reasons) implements AdmissionResult {
    /** Copies what it is given. */
    public Reserved {
      reasons = ImmutableList.copyOf(reasons);
    }

    @Override
    public WorkloadId workload() {
      return admission.workload();
    }
  }

  /**
   * The workload could start if others stopped. It holds no quota meanwhile.
   *
   * @param workload the workload
   * @param victims the workloads that have to stop first, or that were evicted
   * @since 0.1.0
   */
  record Preempting(WorkloadId workload, List<PreemptionVictim> victims)
      implements AdmissionResult {
    /** Copies what it is given. */
    public Preempting {
      victims = ImmutableList.copyOf(victims);
    }
  }

  /**
   * The workload may not start now.
   *
   * @param workload the workload
   * @param cause the class of reasons
   * @param reasons what was requested and what prevented it
   * @since 0.1.0
   */
  record Pending(WorkloadId workload, PendingCause cause, List<Reason> reasons)
      implements AdmissionResult {
    /** Copies what it is given. */
    public Pending {
      reasons = ImmutableList.copyOf(reasons);
    }
  }

  /**
   * The workload, or the change to it, is invalid; nothing was changed.
   *
   * @param workload the workload
   * @param reasons every rule that it breaks
   * @since 0.1.0
   */
  record Rejected(WorkloadId workload, List<Reason> reasons) implements AdmissionResult {
    /** Copies what it is given. */
    public Rejected {
      reasons = ImmutableList.copyOf(reasons);
    }
  }
}
