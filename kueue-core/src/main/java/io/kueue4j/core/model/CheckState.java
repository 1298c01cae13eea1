package io.kueue4j.core.model;

/**
 * How far an admission check has come for a workload.
 *
 * <p>Kueue: {@code Workload.status.admissionChecks[].state}. Rules: L-7.
 */
public enum CheckState {
  /** It is being carried out. */
  PENDING("Pending"),
  /** Passed. */
  READY("Ready"),
  /** Not passed now: the workload gives its quota back and tries again. */
  RETRY("Retry"),
  /** Not passed for good: the workload is deactivated. */
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
