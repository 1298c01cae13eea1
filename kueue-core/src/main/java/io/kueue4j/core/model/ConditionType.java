package io.kueue4j.core.model;

/**
 * What can be true or false of a workload in its life.
 *
 * <p>Kueue: types of {@code Workload.status.conditions[]}. Of those, {@code Finished} is missing,
 * since an engine forgets what has finished, and {@code DeactivationTarget}, since it acts at once
 * on what that announces. Rules: L-1.
 */
public enum ConditionType {
  /** It holds quota; a deactivated one until it has stopped, though its quota is free by then. */
  QUOTA_RESERVED("QuotaReserved"),
  /** It may run. */
  ADMITTED("Admitted"),
  /** All its pods run or have succeeded. */
  PODS_READY("PodsReady"),
  /** It was told to stop, and has not been given quota since. */
  EVICTED("Evicted"),
  /** It was told to stop for another one, and has not been given quota since. */
  PREEMPTED("Preempted"),
  /** It may be tried again after it was told to stop. */
  REQUEUED("Requeued"),
  /** It would preempt others, and a preemption gate keeps it from that. */
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
