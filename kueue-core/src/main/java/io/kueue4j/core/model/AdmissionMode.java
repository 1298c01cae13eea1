package io.kueue4j.core.model;

/**
 * Whether past usage decides the order of the LocalQueues of a ClusterQueue.
 *
 * <p>Kueue: {@code ClusterQueue.spec.admissionScope.admissionMode}. Rules: W-0.
 *
 * @since 0.1.0
 */
public enum AdmissionMode {
  /**
   * The LocalQueue with the least past usage goes first, if the engine's settings configure
   * {@link AdmissionFairSharing}.
   */
  USAGE_BASED_ADMISSION_FAIR_SHARING("UsageBasedAdmissionFairSharing"),
  /** Past usage does not count; the default. */
  NO_ADMISSION_FAIR_SHARING("NoAdmissionFairSharing");

  private final String text;

  AdmissionMode(String text) {
    this.text = text;
  }

  /** {@return the name in Kubernetes manifests} */
  @Override
  public String toString() {
    return text;
  }
}
