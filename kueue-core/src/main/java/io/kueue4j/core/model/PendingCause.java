package io.kueue4j.core.model;

/**
 * The class of reasons why a workload waits, as Kueue states it in the condition
 * {@code QuotaReserved}.
 *
 * <p>Rules: F-33, S-17, L-26.
 */
public enum PendingCause {
  /** It has not been looked at yet, or cannot be looked at now. */
  PENDING_EVALUATION("PendingEvaluation"),
  /** No flavor of the queue takes its pods. */
  NO_MATCHING_FLAVOR("NoMatchingFlavor"),
  /** It asks for more than it could get from an empty cluster. */
  EXCEEDS_MAX_QUOTA("ExceedsMaxQuota"),
  /** It would fit if others released quota. */
  WAITING_FOR_QUOTA("WaitingForQuota"),
  /** It waits for its victims to stop. */
  WAITING_FOR_PREEMPTED_WORKLOADS("WaitingForPreemptedWorkloads"),
  /** Its queues do not exist or do not take it. */
  MISCONFIGURED("Misconfigured"),
  /** One of its queues is stopped. */
  SUSPENDED("Suspended"),
  /** A gate keeps it out of the queue. */
  ADMISSION_GATED("AdmissionGated"),
  /** It is not active. */
  DEACTIVATED("Deactivated"),
  /** It waits until the pods of those admitted before are ready. */
  WAITING_FOR_PODS_READY("WaitingForPodsReady"),
  /** Whoever owns it keeps it from being queued for the time being. */
  ON_HOLD("OnHold"),
  /** Its pods would have no place even if no admitted workload ran. */
  TOPOLOGY_PLACEMENT_FAILED("TopologyPlacementFailed");

  private final String text;

  PendingCause(String text) {
    this.text = text;
  }

  /** {@return the name in Kueue's conditions} */
  @Override
  public String toString() {
    return text;
  }
}
