package io.kueue4j.core.model;

/**
 * Whether a queue takes part in admission.
 *
 * <p>Rules: U-22, U-23.
 */
public enum StopPolicy {
  /** It does. */
  NONE("None"),
  /**
   * Nothing new is admitted, and what holds quota without being admitted gives it back; what is
   * admitted runs on.
   */
  HOLD("Hold"),
  /** As {@link #HOLD}, and what is admitted is told to stop. */
  HOLD_AND_DRAIN("HoldAndDrain");

  private final String text;

  StopPolicy(String text) {
    this.text = text;
  }

  /** {@return the name in Kubernetes manifests} */
  @Override
  public String toString() {
    return text;
  }
}
