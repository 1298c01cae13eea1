package io.kueue4j.core.compiled;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The ids of an engine: flavors, resources, and pairs of both. A pair is what quota and usage are
 * kept for.
 *
 * <p>What an id means never changes, and is the same in a {@link #fork()}; ids given out after the
 * fork are not. Not safe for several threads, but forks may be used each by its own.
 */
public final class Catalog {
  private Names flavors;
  private Names resources;
  private Map<Long, Integer> pairs;
  private long[] visitHashes;
  private int[] flavorOfPair;
  private int[] resourceOfPair;

  /** Whether a fork reads the same tables, so that they are to be copied before one is added to. */
  private boolean shared;

  /** Creates an empty catalog. */
  public Catalog() {
    flavors = new Names();
    resources = new Names();
    pairs = new HashMap<>();
    visitHashes = new long[16];
    flavorOfPair = new int[16];
    resourceOfPair = new int[16];
  }

  private Catalog(Catalog other) {
    flavors = other.flavors;
    resources = other.resources;
    pairs = other.pairs;
    visitHashes = other.visitHashes;
    flavorOfPair = other.flavorOfPair;
    resourceOfPair = other.resourceOfPair;
    shared = true;
  }

  /** {@return a catalog with the same ids; ids that either gives out later are its own} */
  public Catalog fork() {
    if (!shared) {
      // Not written again, so that any number of threads may fork what nobody changes.
      shared = true;
    }
    return new Catalog(this);
  }

  private void beforeAdding() {
    if (shared) {
      flavors = flavors.copy();
      resources = resources.copy();
      pairs = new HashMap<>(pairs);
      visitHashes = visitHashes.clone();
      flavorOfPair = flavorOfPair.clone();
      resourceOfPair = resourceOfPair.clone();
      shared = false;
    }
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

  /** {@return the id of a flavor, negative if nobody has ever named it} */
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
    Integer known = pairs.get(pairKey(flavor, resource));
    if (known != null) {
      return known;
    }
    beforeAdding();
    int pair = pairs.size();
    pairs.put(pairKey(flavor, resource), pair);
    if (pair == flavorOfPair.length) {
      flavorOfPair = Arrays.copyOf(flavorOfPair, 2 * pair);
      resourceOfPair = Arrays.copyOf(resourceOfPair, 2 * pair);
    }
    flavorOfPair[pair] = flavor;
    resourceOfPair[pair] = resource;
    return pair;
  }

  /** {@return the flavor of a pair} */
  public int flavorOfPair(int pair) {
    return flavorOfPair[pair];
  }

  /** {@return the resource of a pair} */
  public int resourceOfPair(int pair) {
    return resourceOfPair[pair];
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

  private static long pairKey(int flavor, int resource) {
    return ((long) flavor << 32) | resource;
  }
}
