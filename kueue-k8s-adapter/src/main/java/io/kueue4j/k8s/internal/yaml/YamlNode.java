package io.kueue4j.k8s.internal.yaml;

/**
 * A value in a YAML or JSON document; immutable.
 *
 * @since 0.1.0
 */
public sealed interface YamlNode extends YamlPosition
    permits YamlMapping, YamlSequence, YamlScalar {
  /** {@return whether this is a null: an empty value, {@code null} or {@code ~}} */
  default boolean isNull() {
    return false;
  }

  /** {@return a description of the value for messages} */
  String describe();
}
