package io.kueue4j.core.model;

/**
 * Which workloads may be preempted, compared with the preemptor.
 *
 * @since 0.1.0
 */
public enum PreemptionPolicy {
  /** None. */
  NEVER("Never"),
  /** Those of lower priority. */
  LOWER_PRIORITY("LowerPriority"),
  /** Those of lower priority, and newer ones of equal priority. */
  LOWER_OR_NEWER_EQUAL_PRIORITY("LowerOrNewerEqualPriority"),
  /** All. */
  ANY("Any");

  private final String text;

  PreemptionPolicy(String text) {
    this.text = text;
  }

  /** {@return the name in Kubernetes manifests} */
  @Override
  public String toString() {
    return text;
  }
}
