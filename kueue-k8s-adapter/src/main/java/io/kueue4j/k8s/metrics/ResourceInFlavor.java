package io.kueue4j.k8s.metrics;

import java.util.Comparator;

/** A resource in a flavor. */
record ResourceInFlavor(String flavor, String resource) implements Comparable<ResourceInFlavor> {
  private static final Comparator<ResourceInFlavor> ORDER =
      Comparator.comparing(ResourceInFlavor::flavor).thenComparing(ResourceInFlavor::resource);

  @Override
  public int compareTo(ResourceInFlavor other) {
    return ORDER.compare(this, other);
  }
}
