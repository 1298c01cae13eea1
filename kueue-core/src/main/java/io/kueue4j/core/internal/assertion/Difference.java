package io.kueue4j.core.internal.assertion;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What differs between two dumps, in words. */
final class Difference {
  private static final int MOST = 10;

  private final List<String> lines = new ArrayList<>();

  private Difference() {}

  /** {@return the first differences, empty if there are none} */
  static List<String> between(Map<Object, Object> expected, Map<Object, Object> actual) {
    Difference difference = new Difference();
    if (!expected.equals(actual)) {
      difference.compare("", expected, actual);
    }
    return difference.lines;
  }

  private void compare(String path, @Nullable Object expected, @Nullable Object actual) {
    if (expected instanceof Map<?, ?> some && actual instanceof Map<?, ?> others) {
      Map<String, Object> keys = new TreeMap<>();
      some.keySet().forEach(key -> keys.put(key.toString(), key));
      others.keySet().forEach(key -> keys.put(key.toString(), key));
      keys.forEach((name, key) -> compare(path + "/" + name, some.get(key), others.get(key)));
    } else if (expected instanceof Set<?> some && actual instanceof Set<?> others) {
      add(path, minus(some, others), minus(others, some));
    } else {
      add(path, expected, actual);
    }
  }

  private static Set<Object> minus(Set<?> some, Set<?> others) {
    Set<Object> left = new HashSet<>(some);
    left.removeAll(others);
    return left;
  }

  private void add(String path, @Nullable Object expected, @Nullable Object actual) {
    if (lines.size() < MOST && !(expected == null ? actual == null : expected.equals(actual))) {
      lines.add(path + " is " + actual + " instead of " + expected);
    }
  }
}
