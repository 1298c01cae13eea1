package io.kueue4j.core.model;

/**
 * The state of an admission check for a workload.
 *
 * <p>Kueue: {@code Workload.status.admissionChecks[].state}. Rules: L-7.
 *
 * @since 0.1.0
 */
public enum CheckState {
  /** The check is in progress. */
  PENDING("Pending"),
  /** The check has passed. */
  READY("Ready"),
  /** The check has failed for now: the workload is evicted and tried again. */
  RETRY("Retry"),
  /** The check has failed for good: the workload is deactivated. */
  REJECTED("Rejected");

  private final String text;

  CheckState(String text) {
    this.text = text;
  }

  /** {@return the name in Kueue's status} */
  @Override
  public String toString() {
    return text;
  }
}
