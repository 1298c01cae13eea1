package io.kueue4j.examples.sweep;

import com.google.common.collect.ImmutableList;

/**
 * A dimension of a grid.
 *
 * @param name the name, unique in the grid
 * @param isNumeric whether the values are amounts in the order of the file, so that a chart or a
 *     search can run along them
 * @param values the values as text, at least one
 */
public record Axis(String name, boolean isNumeric, ImmutableList<String> values) {
  /** The name of the axis of seeds, whose points are samples of the same question. */
  public static final String SEED = "seed";

  /** {@return whether there are several values} */
  public boolean varies() {
    return values.size() > 1;
  }

  /** {@return whether its values are seeds} */
  public boolean isSeed() {
    return name.equals(SEED);
  }
}
