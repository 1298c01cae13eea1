package io.kueue4j.core.lint;

import io.kueue4j.core.resource.Quantity;

/**
 * A flavor and a resource, whose quota is counted.
 *
 * @param flavor the name of the flavor
 * @param resource the resource
 */
record QuotaPair(String flavor, String resource) {
  /** {@return the amount with its unit, for people} */
  String format(long amount) {
    return Quantity.format(resource, amount);
  }

  @Override
  public String toString() {
    return resource + " in flavor " + flavor;
  }
}
