package io.kueue4j.core.model;

/** Whether a queue takes part in admission. */
public enum StopPolicy {
  /** It does. */
  NONE("None"),
  /** Nothing new is admitted; what is admitted runs on. */
  HOLD("Hold"),
  /** Nothing new is admitted, and what is admitted is to be evicted. */
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
