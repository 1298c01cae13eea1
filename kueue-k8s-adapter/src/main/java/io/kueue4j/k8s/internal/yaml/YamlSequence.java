package io.kueue4j.k8s.internal.yaml;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * A list.
 *
 * @param items the items
 * @param line the line where it starts
 * @param column the column where it starts
 * @since 0.1.0
 */
public record YamlSequence(List<YamlNode> items, int line, int column) implements YamlNode {
  /** Copies what it is given. */
  public YamlSequence {
    items = ImmutableList.copyOf(items);
  }

  @Override
  public String describe() {
    return "a list";
  }
}
