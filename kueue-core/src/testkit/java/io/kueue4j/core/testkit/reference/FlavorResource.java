package io.kueue4j.core.testkit.reference;

/** A flavor and a resource; quota and usage are counted for each such pair. */
record FlavorResource(String flavor, String resource) {
  /** {@return {@code flavor/resource}} */
  @Override
  public String toString() {
    return flavor + "/" + resource;
  }
}
