package io.kueue4j.core.internal.compiled;

import java.util.BitSet;

/**
 * Collects the ids of a {@link Catalog} that are still referred to, so that all others can be
 * freed.
 *
 * <p>Every class that keeps ids between two calls of an engine has a method {@code addIds}.
 */
public final class IdsInUse {
  final BitSet flavors = new BitSet();
  final BitSet resources = new BitSet();
  final BitSet pairs = new BitSet();
  private long added;

  /** Adds a flavor. */
  public void addFlavor(int flavor) {
    flavors.set(flavor);
    added++;
  }

  /** Adds a resource. */
  public void addResource(int resource) {
    resources.set(resource);
    added++;
  }

  /** Adds resources. */
  public void addResources(int[] some) {
    for (int resource : some) {
      addResource(resource);
    }
  }

  /** Adds a pair with its flavor and resource. */
  public void addPair(int pair) {
    pairs.set(pair);
    added++;
  }

  /** Adds pairs with their flavors and resources. */
  public void addPairs(int[] some) {
    for (int pair : some) {
      addPair(pair);
    }
  }

  /** {@return the number of ids added, including duplicates, as a measure of the cost} */
  public long added() {
    return added;
  }
}
