package io.kueue4j.examples.story;

import io.kueue4j.core.resource.Quantity;

/**
 * Where an amount is used.
 *
 * @param owner the name of a ClusterQueue, or of a cohort if there is no ClusterQueue of that name
 * @param flavor the flavor
 * @param resource the resource
 */
record QuotaPlace(String owner, String flavor, String resource) {
  boolean is(String otherFlavor, String otherResource) {
    return flavor.equals(otherFlavor) && resource.equals(otherResource);
  }

  /** {@return an amount as users write it} */
  String format(long amount) {
    return Quantity.format(resource, amount);
  }

  @Override
  public String toString() {
    return resource + " in flavor " + flavor + " of " + owner;
  }
}
