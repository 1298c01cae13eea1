package io.kueue4j.k8s.internal.yaml;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;

/**
 * A mapping: fields by name, in the order of the document.
 *
 * @param fields the fields
 * @param line the line where it starts
 * @param column the column where it starts
 * @since 0.1.0
 */
public record YamlMapping(Map<String, YamlField> fields, int line, int column) implements YamlNode {
  /** Copies what it is given. */
  public YamlMapping {
    fields = ImmutableMap.copyOf(fields);
  }

  /** {@return the field of that name, empty if there is none} */
  public Optional<YamlField> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  @Override
  public String describe() {
    return "a mapping";
  }
}
