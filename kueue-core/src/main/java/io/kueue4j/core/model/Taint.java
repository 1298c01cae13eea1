package io.kueue4j.core.model;

/**
 * A taint of the nodes behind a flavor.
 *
 * @param key the key, a qualified name
 * @param value the value, may be empty
 * @param effect what it does
 */
public record Taint(String key, String value, TaintEffect effect) {
  /** {@return for example {@code gpu=present:NoSchedule}} */
  @Override
  public String toString() {
    return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
  }
}
