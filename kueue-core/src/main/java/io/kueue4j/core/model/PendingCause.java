package io.kueue4j.core.model;

/**
 * The general reason why a workload is pending, as Kueue states it in the condition
 * {@code QuotaReserved}.
 *
 * <p>Rules: F-33, S-17, L-26.
 *
 * @since 0.1.0
 */
public enum PendingCause {
  /** The workload has not been evaluated yet, or cannot be evaluated now. */
  PENDING_EVALUATION("PendingEvaluation"),
  /** No flavor of the queue is eligible for the pods. */
  NO_MATCHING_FLAVOR("NoMatchingFlavor"),
  /** The request exceeds what the queue could ever get. */
  EXCEEDS_MAX_QUOTA("ExceedsMaxQuota"),
  /** The workload would fit if others released quota. */
  WAITING_FOR_QUOTA("WaitingForQuota"),
  /** The workload waits for its victims to stop. */
  WAITING_FOR_PREEMPTED_WORKLOADS("WaitingForPreemptedWorkloads"),
  /** A queue of the workload does not exist or does not accept the workload. */
  MISCONFIGURED("Misconfigured"),
  /** A queue of the workload is stopped. */
  SUSPENDED("Suspended"),
  /** A gate of the workload is closed. */
  ADMISSION_GATED("AdmissionGated"),
  /** The workload is not active. */
  DEACTIVATED("Deactivated"),
  /** The workload waits until the pods of the workloads admitted before are ready. */
  WAITING_FOR_PODS_READY("WaitingForPodsReady"),
  /** The caller has put the workload on hold. */
  ON_HOLD("OnHold"),
  /** The nodes have no place for the pods even if no admitted workload ran. */
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
