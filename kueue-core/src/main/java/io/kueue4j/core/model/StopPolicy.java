package io.kueue4j.core.model;

/** Whether a queue takes part in admission. */
public enum StopPolicy {
  /** It does. */
  NONE("None"),
  /** Nothing new is admitted; what is admitted runs on. */
  HOLD("Hold"),
  /** As {@link #HOLD}; evicting what is admitted is left to the caller, the engine does not. */
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
