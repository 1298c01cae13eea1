package io.kueue4j.core.model;

/**
 * The phase of a workload. There is no phase for finished workloads because the engine forgets
 * them.
 *
 * <p>Rules: L-2.
 *
 * @since 0.1.0
 */
public enum WorkloadPhase {
  /** The workload waits. */
  PENDING("pending"),
  /** The workload holds quota and waits for admission checks or for the placement of its pods. */
  QUOTA_RESERVED("quotaReserved"),
  /** The workload may run. */
  ADMITTED("admitted");

  private final String text;

  WorkloadPhase(String text) {
    this.text = text;
  }

  /** {@return the name in Kueue's metrics} */
  @Override
  public String toString() {
    return text;
  }
}
