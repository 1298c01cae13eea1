package io.kueue4j.k8s.internal.yaml;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;

/**
 * Paths of fields in Kubernetes' notation: {@code spec.containers[0].image},
 * {@code metadata.labels[kubernetes.io/name]}.
 *
 * @since 0.1.0
 */
public final class FieldPath {
  private static final CharMatcher SIMPLE = CharMatcher.inRange('a', 'z')
      .or(CharMatcher.inRange('A', 'Z'))
      .or(CharMatcher.inRange('0', '9'))
      .or(CharMatcher.anyOf("-_$"));

  private FieldPath() {}

  /** {@return the path of the field {@code name} of the mapping at {@code path}} */
  public static String field(String path, String name) {
    if (name.isEmpty() || !SIMPLE.matchesAllOf(name)) {
      return path + "[" + name + "]";
    }
    return path.isEmpty() ? name : path + "." + name;
  }

  /** {@return the path of an item of the list at {@code path}} */
  public static String item(String path, int index) {
    return path + "[" + index + "]";
  }

  /**
   * {@return the position of the field at {@code path} below {@code root}; if there is none, that
   * of the nearest enclosing field}
   *
   * <p>The position of a field is the position of its value if that is a single value, otherwise of
   * its name.
   */
  public static YamlPosition locate(YamlNode root, String path) {
    YamlPosition place = root;
    YamlNode node = root;
    for (String segment : segments(path)) {
      YamlField field = node instanceof YamlMapping mapping ? mapping.fields().get(segment) : null;
      if (field != null) {
        node = field.value();
        place = field.place();
        continue;
      }
      Integer index = Ints.tryParse(segment);
      if (index == null
          || index < 0
          || !(node instanceof YamlSequence sequence)
          || index >= sequence.items().size()) {
        return place;
      }
      node = sequence.items().get(index);
      place = node;
    }
    return place;
  }

  /** {@return the path of the field at {@code inner} of the object at {@code path}} */
  public static String join(String path, String inner) {
    boolean joined =
        path.isEmpty() || inner.isEmpty() || inner.startsWith("[") || inner.startsWith(".");
    return path + (joined ? "" : ".") + inner;
  }

  /** {@return the last name of {@code path}} */
  static String last(String path) {
    ImmutableList<String> segments = segments(path);
    return segments.isEmpty() ? "" : segments.get(segments.size() - 1);
  }

  static ImmutableList<String> segments(String path) {
    ImmutableList.Builder<String> segments = ImmutableList.builder();
    int start = 0;
    while (start < path.length()) {
      boolean bracket = path.charAt(start) == '[';
      int end = bracket ? path.indexOf(']', start) : endOfName(path, start);
      end = end < 0 ? path.length() : end;
      segments.add(path.substring(bracket ? start + 1 : start, end));
      start = bracket ? end + 1 : end;
      if (start < path.length() && path.charAt(start) == '.') {
        start++;
      }
    }
    return segments.build();
  }

  private static int endOfName(String path, int start) {
    return CharMatcher.anyOf(".[").indexIn(path, start);
  }
}
