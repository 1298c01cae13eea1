package io.kueue4j.k8s.internal.yaml;

/**
 * A field of a mapping; its position is the position of its name.
 *
 * @param name the name
 * @param value the value
 * @param line the line of the name
 * @param column the column of the name
 * @since 0.1.0
 */
public record YamlField(String name, YamlNode value, int line, int column) implements YamlPosition {
  /**
   * {@return the position for messages: the position of the value if it is a single value,
   * otherwise of the field}
   */
  YamlPosition place() {
    return value instanceof YamlScalar && !value.isNull() ? value : this;
  }
}
