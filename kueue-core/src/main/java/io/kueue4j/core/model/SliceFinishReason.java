package io.kueue4j.core.model;

/**
 * Why a slice of an elastic job is over though the job is not.
 *
 * <p>Kueue: reason of the condition {@code Finished}. Rules: E-6, E-8.
 */
public enum SliceFinishReason {
  /** Another slice has taken its place. */
  WORKLOAD_SLICE_REPLACED("WorkloadSliceReplaced"),
  /** Another slice goes on instead of it. */
  OUT_OF_SYNC("OutOfSync");

  private final String text;

  SliceFinishReason(String text) {
    this.text = text;
  }

  /** {@return the reason as Kueue writes it} */
  @Override
  public String toString() {
    return text;
  }
}
