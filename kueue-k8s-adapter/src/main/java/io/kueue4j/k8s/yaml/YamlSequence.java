package io.kueue4j.k8s.yaml;

import com.google.common.collect.ImmutableList;

/**
 * A list.
 *
 * @param items the items
 * @param line the line that it begins in
 * @param column the column that it begins in
 */
public record YamlSequence(ImmutableList<YamlNode> items, int line, int column)
    implements YamlNode {
  @Override
  public String describe() {
    return "a list";
  }
}
