package io.kueue4j.core.model;

/**
 * What is behind an {@link EvictionReason} that can have several causes.
 *
 * <p>Kueue: underlying cause of an eviction. Rules: L-11, L-12, L-16.
 */
public enum EvictionCause {
  /** An admission check has rejected it; of a deactivation. */
  ADMISSION_CHECK("AdmissionCheck"),
  /** Its pods were too often not ready in time; of a deactivation. */
  REQUEUING_LIMIT_EXCEEDED("RequeuingLimitExceeded"),
  /** It ran for as long as it may; of a deactivation. */
  MAXIMUM_EXECUTION_TIME_EXCEEDED("MaximumExecutionTimeExceeded"),
  /** Its pods never were ready; of a timeout. */
  WAIT_FOR_START("WaitForStart"),
  /** Its pods were ready once and are not any more; of a timeout. */
  WAIT_FOR_RECOVERY("WaitForRecovery");

  private final String text;

  EvictionCause(String text) {
    this.text = text;
  }

  /** {@return the cause as Kueue writes it} */
  @Override
  public String toString() {
    return text;
  }
}
