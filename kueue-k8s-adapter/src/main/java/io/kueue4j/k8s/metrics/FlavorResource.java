package io.kueue4j.k8s.metrics;

import java.util.Comparator;

/** A resource in a flavor. */
record FlavorResource(String flavor, String resource) implements Comparable<FlavorResource> {
  private static final Comparator<FlavorResource> ORDER =
      Comparator.comparing(FlavorResource::flavor).thenComparing(FlavorResource::resource);

  @Override
  public int compareTo(FlavorResource other) {
    return ORDER.compare(this, other);
  }
}
