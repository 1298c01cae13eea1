package io.kueue4j.core.internal.compiled;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names and their dense ids; a new name gets the smallest free id. */
final class Names {
  private static final int LEAST_LENGTH = 16;

  private final Map<String, Integer> ids;
  private final FreeIds free;
  private @Nullable String[] names;

  /** Creates an empty set of names. */
  Names() {
    this(new HashMap<>(), new FreeIds(), new @Nullable String[LEAST_LENGTH]);
  }

  private Names(Map<String, Integer> ids, FreeIds free, @Nullable String[] names) {
    this.ids = ids;
    this.free = free;
    this.names = names;
  }

  /** {@return an independent copy} */
  Names copy() {
    return new Names(new HashMap<>(ids), free.copy(), names.clone());
  }

  /** {@return a copy with only the names whose ids are {@code used}} */
  Names retain(BitSet used) {
    Map<String, Integer> kept = new HashMap<>();
    @Nullable String[] keptNames = new @Nullable String[Math.max(LEAST_LENGTH, used.length())];
    for (int id = used.nextSetBit(0); id >= 0; id = used.nextSetBit(id + 1)) {
      kept.put(name(id), id);
      keptNames[id] = name(id);
    }
    return new Names(kept, new FreeIds(used), keptNames);
  }

  /** {@return the id of {@code name}, assigned if it has none} */
  int intern(String name) {
    Integer known = ids.get(name);
    if (known != null) {
      return known;
    }
    int id = free.take();
    if (id >= names.length) {
      names = Arrays.copyOf(names, 2 * id);
    }
    ids.put(name, id);
    names[id] = name;
    return id;
  }

  /** {@return the id of {@code name}, negative if it has none} */
  int find(String name) {
    return ids.getOrDefault(name, -1);
  }

  /** {@return the name with {@code id}} */
  String name(int id) {
    String name = id < names.length ? names[id] : null;
    if (name == null) {
      throw new IllegalArgumentException("no name has the id " + id);
    }
    return name;
  }

  /** {@return the number of names} */
  int size() {
    return ids.size();
  }
}
