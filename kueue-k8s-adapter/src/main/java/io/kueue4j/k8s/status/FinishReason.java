package io.kueue4j.k8s.status;

import io.kueue4j.core.model.SliceFinishReason;

/**
 * Why a workload is over.
 *
 * <p>Kueue: reason of the condition {@code Finished}. Rules: L-13, E-6, E-8.
 */
public enum FinishReason {
  /** Its job has succeeded. */
  SUCCEEDED("Succeeded"),
  /** Its job has failed. */
  FAILED("Failed"),
  /** It is no longer what its job asks for, or another slice goes on instead of it. */
  OUT_OF_SYNC("OutOfSync"),
  /** Its job is gone. */
  OWNER_NOT_FOUND("OwnerNotFound"),
  /** Another slice of its job has taken its place. */
  WORKLOAD_SLICE_REPLACED("WorkloadSliceReplaced"),
  /** Its job could not be started as it was admitted, and never can. */
  FAILED_TO_START("FailedToStart");

  private final String text;

  FinishReason(String text) {
    this.text = text;
  }

  /** {@return the reason for a slice of an elastic job that the engine has finished} */
  public static FinishReason of(SliceFinishReason reason) {
    return reason == SliceFinishReason.WORKLOAD_SLICE_REPLACED
        ? WORKLOAD_SLICE_REPLACED
        : OUT_OF_SYNC;
  }

  /** {@return the reason as Kueue writes it} */
  @Override
  public String toString() {
    return text;
  }
}
