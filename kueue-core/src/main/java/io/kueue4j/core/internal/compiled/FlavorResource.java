package io.kueue4j.core.internal.compiled;

/**
 * A pair of flavor and resource, for which quota and usage are kept. Ordered by the name of the
 * flavor, then of the resource.
 */
public final class FlavorResource extends Interned implements Comparable<FlavorResource> {
  private final String flavor;
  private final ResourceName resource;

  FlavorResource(String flavor, ResourceName resource) {
    super(31 * flavor.hashCode() + resource.hash);
    this.flavor = flavor;
    this.resource = resource;
  }

  /** {@return the name of the flavor} */
  public String flavor() {
    return flavor;
  }

  /** {@return the resource} */
  public ResourceName resource() {
    return resource;
  }

  @Override
  public int compareTo(FlavorResource other) {
    int byFlavor = flavor.compareTo(other.flavor);
    return byFlavor != 0 ? byFlavor : resource.name().compareTo(other.resource.name());
  }

  @Override
  public String toString() {
    return flavor + "/" + resource;
  }
}
