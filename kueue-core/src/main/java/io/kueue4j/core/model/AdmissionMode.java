package io.kueue4j.core.model;

/**
 * Whether the LocalQueues of a ClusterQueue are served by what they have used.
 *
 * <p>Kueue: {@code ClusterQueue.spec.admissionScope.admissionMode}. Rules: W-0.
 */
public enum AdmissionMode {
  /**
   * They are: the LocalQueue that used least goes first, if the engine's settings configure
   * {@link AdmissionFairSharing}.
   */
  USAGE_BASED_ADMISSION_FAIR_SHARING("UsageBasedAdmissionFairSharing"),
  /** They are not, as without a mode. */
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
