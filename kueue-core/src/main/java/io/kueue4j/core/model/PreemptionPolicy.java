package io.kueue4j.core.model;

/** Which workloads may be preempted, by comparison with the one that preempts. */
public enum PreemptionPolicy {
  /** None. */
  NEVER("Never"),
  /** Those of lower priority. */
  LOWER_PRIORITY("LowerPriority"),
  /** Those of lower priority, and newer ones of the same. */
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
