package io.kueue4j.core.model;

/**
 * A taint of the nodes behind a flavor.
 *
 * @param key the key, a qualified name
 * @param value the value, may be empty
 * @param effect the effect
 * @since 0.1.0
 */
public record Taint(String key, String value, TaintEffect effect) {
  /** {@return for example {@code gpu=present:NoSchedule}} */
  @Override
  public String toString() {
    return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
  }
}
