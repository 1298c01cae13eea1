package io.kueue4j.core.compiled;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The ids of an engine: flavors, resources, and pairs of both. A pair is what quota and usage are
 * kept for.
 */
public final class Catalog {
  private final Names flavors = new Names();
  private final Names resources = new Names();
  private final Map<Long, Integer> pairs = new HashMap<>();
  private long[] visitHashes = new long[16];
  private int[] flavorOfPair = new int[16];
  private int[] resourceOfPair = new int[16];

  /** {@return the id of a flavor} */
  public int flavor(String name) {
    return flavors.intern(name);
  }

  /** {@return the id of a flavor, negative if nobody has ever named it} */
  public int findFlavor(String name) {
    return flavors.find(name);
  }

  /** {@return the id of a resource} */
  public int resource(String name) {
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
