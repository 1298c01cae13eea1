package io.kueue4j.core.testkit;

import java.util.Comparator;

/**
 * A flavor and a resource.
 *
 * @param flavor the flavor
 * @param resource the resource
 */
record Pair(String flavor, String resource) implements Comparable<Pair> {
  private static final Comparator<Pair> ORDER =
      Comparator.comparing(Pair::flavor).thenComparing(Pair::resource);

  @Override
  public int compareTo(Pair other) {
    return ORDER.compare(this, other);
  }

  /** {@return {@code flavor/resource}, as in {@link Observation}} */
  @Override
  public String toString() {
    return flavor + "/" + resource;
  }
}
