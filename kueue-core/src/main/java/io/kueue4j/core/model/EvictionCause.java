package io.kueue4j.core.model;

/**
 * The underlying cause of an eviction whose {@link EvictionReason} can have several causes.
 *
 * <p>Kueue: underlying cause of an eviction. Rules: L-11, L-12, L-16.
 *
 * @since 0.1.0
 */
public enum EvictionCause {
  /** Of a deactivation: an admission check rejected the workload. */
  ADMISSION_CHECK("AdmissionCheck"),
  /** Of a deactivation: the pods were not ready in time too often. */
  REQUEUING_LIMIT_EXCEEDED("RequeuingLimitExceeded"),
  /** Of a deactivation: the maximum execution time has passed. */
  MAXIMUM_EXECUTION_TIME_EXCEEDED("MaximumExecutionTimeExceeded"),
  /** Of a timeout: the pods were never ready. */
  WAIT_FOR_START("WaitForStart"),
  /** Of a timeout: the pods were ready and are not any more. */
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
