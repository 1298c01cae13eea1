package io.kueue4j.core.compiled;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names and their dense ids: 0, 1, 2 … in the order in which they were first met. Never shrinks.
 */
public final class Names {
  private final Map<String, Integer> ids;
  private final List<String> names;

  /** Creates an empty set of names. */
  public Names() {
    ids = new HashMap<>();
    names = new ArrayList<>();
  }

  private Names(Names other) {
    ids = new HashMap<>(other.ids);
    names = new ArrayList<>(other.names);
  }

  /** {@return the same names with the same ids, apart from these from now on} */
  Names copy() {
    return new Names(this);
  }

  /** {@return the id of {@code name}, a new one if it has none yet} */
  public int intern(String name) {
    Integer known = ids.get(name);
    if (known != null) {
      return known;
    }
    ids.put(name, names.size());
    names.add(name);
    return names.size() - 1;
  }

  /** {@return the id of {@code name}, negative if it has none} */
  public int find(String name) {
    return ids.getOrDefault(name, -1);
  }

  /** {@return the name with {@code id}} */
  public String name(int id) {
    return names.get(id);
  }

  /** {@return the number of names, one above the greatest id} */
  public int size() {
    return names.size();
  }
}
