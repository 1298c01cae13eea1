package io.kueue4j.core.model;

/**
 * A taint of the nodes behind a flavor.
 *
 * @param key the key, a qualified name
 * @param value the value, may be empty
 * @param effect the effect
 * @since 0.1.0
 */
public record Taint(String key, String value, Effect effect) {
  /**
   * What a taint does to pods that do not tolerate it; named as in Kubernetes.
   *
   * @since 0.1.0
   */
  public enum Effect {
    /** Such pods are not placed. */
    NO_SCHEDULE("NoSchedule"),
    /** Such pods are placed elsewhere if possible; ignored by admission. */
    PREFER_NO_SCHEDULE("PreferNoSchedule"),
    /** Such pods are not placed, and running ones are removed. */
    NO_EXECUTE("NoExecute");

    private final String text;

    Effect(String text) {
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

  /** {@return for example {@code gpu=present:NoSchedule}} */
  @Override
  public String toString() {
    return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
  }
}
