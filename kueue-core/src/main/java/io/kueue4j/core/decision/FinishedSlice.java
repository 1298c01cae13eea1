package io.kueue4j.core.decision;

import io.kueue4j.core.model.WorkloadId;

/**
 * A decision: an elastic slice, one of the workloads that an elastic job consists of while it is
 * scaled, has left the engine because another slice of its job continues. Its quota was released,
 * or transferred to the other slice in the same step. Its pods continue as pods of the other: mark
 * the slice as finished, and do not stop the job. Immutable.
 *
 * <p>Rules: E-6, E-8.
 *
 * @param workload the slice that has left
 * @param successor the slice of the same job that continues
 * @param reason why it has left
 * @param message the reason as a sentence, in Kueue's words
 * @since 0.1.0
 */
public record FinishedSlice(
    WorkloadId workload, WorkloadId successor, Reason reason, String message) implements Decision {
  /**
   * Why an elastic slice is finished although its job is not.
   *
   * <p>Kueue: reason of the condition {@code Finished}. Rules: E-6, E-8.
   *
   * @since 0.1.0
   */
  public enum Reason {
    /** Another elastic slice has replaced it. */
    WORKLOAD_SLICE_REPLACED("WorkloadSliceReplaced"),
    /** Another elastic slice of the job continues instead of it. */
    OUT_OF_SYNC("OutOfSync");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** {@return the reason as Kueue writes it} */
    @Override
    public String toString() {
      return text;
    }
  }
}
