package io.kueue4j.core.model;

import java.time.Instant;

/**
 * A condition of a workload: whether it is true, why, and since when.
 *
 * <p>Kueue: {@code Workload.status.conditions[]}. Rules: L-1.
 *
 * @param type the type
 * @param isTrue whether the condition is true
 * @param reason the reason, one of Kueue's words
 * @param message the explanation for people
 * @param lastTransitionTime the time of the last change of {@code isTrue}; another reason does not
 *     change it
 * @since 0.1.0
 */
public record WorkloadCondition(
    ConditionType type, boolean isTrue, String reason, String message, Instant lastTransitionTime) {
  /**
   * The type of a condition of a workload.
   *
   * <p>Kueue: types of {@code Workload.status.conditions[]}. {@code Finished} is missing because an
   * engine forgets finished workloads, and {@code DeactivationTarget} because an engine deactivates
   * a workload in one step. Rules: L-1.
   *
   * @since 0.1.0
   */
  public enum ConditionType {
    /**
     * The workload holds quota. True of a deactivated workload until its pods have stopped,
     * although its quota is usually free by then.
     */
    QUOTA_RESERVED("QuotaReserved"),
    /** The workload may run. */
    ADMITTED("Admitted"),
    /** All pods of the workload run or have succeeded. */
    PODS_READY("PodsReady"),
    /** The workload was evicted and has not reserved quota since. */
    EVICTED("Evicted"),
    /** The workload was preempted by another one and has not reserved quota since. */
    PREEMPTED("Preempted"),
    /** The workload may be tried again after an eviction. */
    REQUEUED("Requeued"),
    /** The workload needs to preempt others, but a preemption gate is closed. */
    BLOCKED_ON_PREEMPTION_GATES("BlockedOnPreemptionGates");

    private final String text;

    ConditionType(String text) {
      this.text = text;
    }

    /** {@return the type as Kueue writes it} */
    @Override
    public String toString() {
      return text;
    }
  }

  @Override
  public String toString() {
    return type + "=" + (isTrue ? "True" : "False") + " " + reason + " since " + lastTransitionTime
        + ": " + message;
  }
}
