package io.kueue4j.core.model;

/**
 * What a taint does to pods that do not tolerate it; named as in Kubernetes.
 *
 * @since 0.1.0
 */
public enum TaintEffect {
  /** Such pods are not placed. */
  NO_SCHEDULE("NoSchedule"),
  /** Such pods are placed elsewhere if possible; ignored by admission. */
  PREFER_NO_SCHEDULE("PreferNoSchedule"),
  /** Such pods are not placed, and running ones are removed. */
  NO_EXECUTE("NoExecute");

  private final String text;

  TaintEffect(String text) {
    this.text = text;
  }

  /** {@return whether an untolerated taint of this effect makes a flavor ineligible} */
  public boolean excludes() {
    return this != PREFER_NO_SCHEDULE;
  }

  /** {@return the name in Kubernetes manifests} */
  @Override
  public String toString() {
    return text;
  }
}
