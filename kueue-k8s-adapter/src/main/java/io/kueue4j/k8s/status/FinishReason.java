package io.kueue4j.k8s.status;

import io.kueue4j.core.decision.Decision.FinishedSlice;

/**
 * Why a workload has finished.
 *
 * <p>Kueue: reason of the condition {@code Finished}. Rules: L-13, E-6, E-8.
 *
 * @since 0.1.0
 */
public enum FinishReason {
  /** Its job has succeeded. */
  SUCCEEDED("Succeeded"),
  /** Its job has failed. */
  FAILED("Failed"),
  /** The workload no longer matches its job, or another elastic slice continues in its place. */
  OUT_OF_SYNC("OutOfSync"),
  /** Its job no longer exists. */
  OWNER_NOT_FOUND("OwnerNotFound"),
  /** Another elastic slice of its job has replaced it. */
  WORKLOAD_SLICE_REPLACED("WorkloadSliceReplaced"),
  /** Its job could not be started as admitted, and never can. */
  FAILED_TO_START("FailedToStart");

  private final String text;

  FinishReason(String text) {
    this.text = text;
  }

  /** {@return the reason for an elastic slice that the engine has finished} */
  public static FinishReason of(FinishedSlice.Reason reason) {
    return reason == FinishedSlice.Reason.WORKLOAD_SLICE_REPLACED
        ? WORKLOAD_SLICE_REPLACED
        : OUT_OF_SYNC;
  }

  /** {@return the reason in Kueue's notation} */
  @Override
  public String toString() {
    return text;
  }
}
