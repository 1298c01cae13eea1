package io.kueue4j.k8s.yaml;

/**
 * A field of a mapping; its place is that of its name.
 *
 * @param name the name
 * @param value the value
 * @param line the line of the name
 * @param column the column of the name
 */
public record YamlField(String name, YamlNode value, int line, int column) implements YamlPosition {
  /** {@return the value if it is a single one, else the field: where a message points to} */
  YamlPosition place() {
    return value instanceof YamlScalar && !value.isNull() ? value : this;
  }
}
