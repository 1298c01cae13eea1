package io.kueue4j.k8s.yaml;

import com.google.common.collect.ImmutableList;

/**
 * A list.
 *
 * @param items the items
 * @param line the line where it starts
 * @param column the column where it starts
 * @since 0.1.0
 */
public record YamlSequence(ImmutableList<YamlNode> items, int line, int column)
    implements YamlNode {
  @Override
  public String describe() {
    return "a list";
  }
}
