package io.kueue4j.core.internal.compiled;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Pairs of flavor and resource and their dense ids; a new pair gets the smallest free id. */
final class Pairs {
  private static final int LEAST_LENGTH = 16;

  private final Map<Long, Integer> ids;
  private final FreeIds free;
  private int[] flavors;
  private int[] resources;

  /** Creates an empty set of pairs. */
  Pairs() {
    this(new HashMap<>(), new FreeIds(), new int[LEAST_LENGTH], new int[LEAST_LENGTH]);
  }

  private Pairs(Map<Long, Integer> ids, FreeIds free, int[] flavors, int[] resources) {
    this.ids = ids;
    this.free = free;
    this.flavors = flavors;
    this.resources = resources;
  }

  /** {@return an independent copy} */
  Pairs copy() {
    return new Pairs(new HashMap<>(ids), free.copy(), flavors.clone(), resources.clone());
  }

  /** {@return a copy with only the pairs whose ids are {@code used}} */
  Pairs retain(BitSet used) {
    int length = Math.max(LEAST_LENGTH, used.length());
    Map<Long, Integer> kept = new HashMap<>();
    for (int id = used.nextSetBit(0); id >= 0; id = used.nextSetBit(id + 1)) {
      kept.put(key(flavor(id), resource(id)), id);
    }
    return new Pairs(
        kept, new FreeIds(used), Arrays.copyOf(flavors, length), Arrays.copyOf(resources, length));
  }

  /** {@return the id of a pair, negative if it has none} */
  int find(int flavor, int resource) {
    return ids.getOrDefault(key(flavor, resource), -1);
  }

  /** {@return the id assigned to a new pair} */
  int add(int flavor, int resource) {
    int id = free.take();
    if (id >= flavors.length) {
      flavors = Arrays.copyOf(flavors, 2 * id);
      resources = Arrays.copyOf(resources, 2 * id);
    }
    ids.put(key(flavor, resource), id);
    flavors[id] = flavor;
    resources[id] = resource;
    return id;
  }

  int flavor(int id) {
    return flavors[id];
  }

  int resource(int id) {
    return resources[id];
  }

  /** {@return the number of pairs} */
  int size() {
    return ids.size();
  }

  private static long key(int flavor, int resource) {
    return ((long) flavor << Integer.SIZE) | resource;
  }
}
