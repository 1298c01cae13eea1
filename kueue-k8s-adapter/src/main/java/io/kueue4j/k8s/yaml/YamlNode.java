package io.kueue4j.k8s.yaml;

/** A value in a YAML or JSON document; immutable. */
public sealed interface YamlNode extends YamlPosition
    permits YamlMapping, YamlSequence, YamlScalar {
  /** {@return whether nothing is given here: an empty value, {@code null} or {@code ~}} */
  default boolean isNull() {
    return false;
  }

  /** {@return what stands here, in words for a message} */
  String describe();
}
