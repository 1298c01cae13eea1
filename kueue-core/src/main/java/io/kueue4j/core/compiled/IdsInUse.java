package io.kueue4j.core.compiled;

import java.util.BitSet;

/**
 * The ids of a {@link Catalog} that something refers to, collected to take back all others.
 *
 * <p>Whatever keeps ids from one call of an engine to the next has a method that adds them.
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

  /** Adds a pair, and with it its flavor and its resource. */
  public void addPair(int pair) {
    pairs.set(pair);
    added++;
  }

  /** Adds pairs, and with them their flavors and resources. */
  public void addPairs(int[] some) {
    for (int pair : some) {
      addPair(pair);
    }
  }

  /** {@return how many ids were added, one as often as it was: what collecting them cost} */
  public long added() {
    return added;
  }
}
