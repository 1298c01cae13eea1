package io.kueue4j.core.internal.compiled;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Assigns dense ids to the flavors, resources, and pairs of both that an engine uses. Quota and
 * usage are kept per pair.
 *
 * <p>The meaning of an id does not change while something refers to it, and is the same in a
 * {@link #fork()}; ids assigned after the fork differ. Unused ids are assigned again after
 * {@link #retain}, so the order of ids is meaningless and decisions must not depend on it. Not
 * thread-safe; but a catalog and its forks may be used by different threads.
 *
 * <p>Rules: N-6.
 */
public final class Catalog {
  private Names flavors;
  private Names resources;
  private Pairs pairs;
  private long[] visitHashes;

  /** Whether a fork shares the tables, so that they must be copied before a change. */
  private boolean shared;

  /** The number of ids assigned since the last {@link #retain}. */
  private long growth;

  /** Creates an empty catalog. */
  public Catalog() {
    flavors = new Names();
    resources = new Names();
    pairs = new Pairs();
    visitHashes = new long[16];
  }

  private Catalog(Catalog other) {
    flavors = other.flavors;
    resources = other.resources;
    pairs = other.pairs;
    visitHashes = other.visitHashes;
    shared = true;
  }

  /** {@return a catalog with the same ids; ids assigned later are independent} */
  public Catalog fork() {
    if (!shared) {
      // Written only once, so that several threads may fork an unchanged catalog.
      shared = true;
    }
    return new Catalog(this);
  }

  private void beforeAdding() {
    growth++;
    if (shared) {
      flavors = flavors.copy();
      resources = resources.copy();
      pairs = pairs.copy();
      visitHashes = visitHashes.clone();
      shared = false;
    }
  }

  /**
   * Frees all ids except those in use, which keep their meaning. Forks are not affected.
   *
   * @param inUse all ids that are still referred to; any other id may get another meaning
   */
  public void retain(IdsInUse inUse) {
    for (int pair = inUse.pairs.nextSetBit(0); pair >= 0; pair = inUse.pairs.nextSetBit(pair + 1)) {
      inUse.flavors.set(pairs.flavor(pair));
      inUse.resources.set(pairs.resource(pair));
    }
    flavors = flavors.retain(inUse.flavors);
    resources = resources.retain(inUse.resources);
    pairs = pairs.retain(inUse.pairs);
    visitHashes = Arrays.copyOf(visitHashes, Math.max(16, inUse.resources.length()));
    shared = false;
    growth = 0;
  }

  /** {@return the number of ids assigned since the last {@link #retain}} */
  public long growth() {
    return growth;
  }

  /** {@return the number of names and pairs that have an id} */
  public int size() {
    return flavors.size() + resources.size() + pairs.size();
  }

  /** {@return the id of a flavor} */
  public int flavor(String name) {
    int known = flavors.find(name);
    if (known >= 0) {
      return known;
    }
    beforeAdding();
    return flavors.intern(name);
  }

  /** {@return the id of a flavor, negative if it has none} */
  public int findFlavor(String name) {
    return flavors.find(name);
  }

  /** {@return the id of a resource} */
  public int resource(String name) {
    int known = resources.find(name);
    if (known >= 0) {
      return known;
    }
    beforeAdding();
    int resource = resources.intern(name);
    if (resource >= visitHashes.length) {
      visitHashes = Arrays.copyOf(visitHashes, 2 * resource);
    }
    visitHashes[resource] = hash(name);
    return resource;
  }

  /** {@return the name of a flavor} */
  public String flavorName(int flavor) {
    return flavors.name(flavor);
  }

  /** {@return the name of a resource} */
  public String resourceName(int resource) {
    return resources.name(resource);
  }

  /** {@return the id of a pair of flavor and resource} */
  public int pair(int flavor, int resource) {
    int known = pairs.find(flavor, resource);
    if (known >= 0) {
      return known;
    }
    beforeAdding();
    return pairs.add(flavor, resource);
  }

  /** {@return the flavor of a pair} */
  public int flavorOfPair(int pair) {
    return pairs.flavor(pair);
  }

  /** {@return the resource of a pair} */
  public int resourceOfPair(int pair) {
    return pairs.resource(pair);
  }

  /** {@return less than 0 if resource {@code a} is visited before {@code b}; rule N-6} */
  public int compareVisits(int a, int b) {
    int byHash = Long.compareUnsigned(visitHashes[a], visitHashes[b]);
    return byHash != 0 ? byHash : resources.name(a).compareTo(resources.name(b));
  }

  /** The 64-bit FNV-1a hash. */
  private static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }
}
