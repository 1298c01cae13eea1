package io.kueue4j.core.model;

/**
 * Why an elastic slice is finished although its job is not.
 *
 * <p>Kueue: reason of the condition {@code Finished}. Rules: E-6, E-8.
 *
 * @since 0.1.0
 */
public enum SliceFinishReason {
  /** Another elastic slice has replaced it. */
  WORKLOAD_SLICE_REPLACED("WorkloadSliceReplaced"),
  /** Another elastic slice of the job continues instead of it. */
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
