package io.kueue4j.core.model;

/**
 * Whether a queue admits workloads.
 *
 * <p>Rules: U-22, U-23.
 *
 * @since 0.1.0
 */
public enum StopPolicy {
  /** The queue admits workloads. */
  NONE("None"),
  /**
   * No new workload is admitted. Workloads with reserved quota that are not admitted yet are
   * evicted; admitted workloads continue to run.
   */
  HOLD("Hold"),
  /** As {@link #HOLD}, and admitted workloads are evicted. */
  HOLD_AND_DRAIN("HoldAndDrain");

  private final String text;

  StopPolicy(String text) {
    this.text = text;
  }

  /** {@return the name in Kubernetes manifests} */
  @Override
  public String toString() {
    return text;
  }
}
