package io.kueue4j.core.model;

/**
 * How far a workload has come. One that has finished is not known to an engine any more.
 *
 * <p>Rules: L-2.
 */
public enum WorkloadPhase {
  /** It waits. */
  PENDING("pending"),
  /** It holds quota and waits for admission checks, or for a place for its pods. */
  QUOTA_RESERVED("quotaReserved"),
  /** It may run. */
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
