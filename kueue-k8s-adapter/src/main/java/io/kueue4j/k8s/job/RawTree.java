package io.kueue4j.k8s.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and edits trees of mappings, lists and single values, which represent objects without a
 * class of their own. Trees are never modified: an edit copies the nodes on the path and shares the
 * rest.
 */
final class RawTree {
  private RawTree() {}

  /** {@return the value at {@code path}; null if there is none} */
  static @Nullable Object get(@Nullable Object root, RawPath path) {
    Object node = root;
    for (Object step : path.steps()) {
      node = child(node, step);
    }
    return node;
  }

  /** {@return whether a value exists at {@code path}, which may be null} */
  static boolean has(@Nullable Object root, RawPath path) {
    if (path.isRoot()) {
      return true;
    }
    Object parent = get(root, path.parent());
    Object step = path.steps().get(path.steps().size() - 1);
    return step instanceof Integer index
        ? parent instanceof List<?> list && index < list.size()
        : parent instanceof Map<?, ?> map && map.containsKey(step);
  }

  /** {@return all values at {@code path}, where {@code *} matches any step} */
  static List<Object> all(@Nullable Object root, RawPath path) {
    List<Object> nodes = new ArrayList<>();
    if (root != null) {
      nodes.add(root);
    }
    for (Object step : path.steps()) {
      List<Object> next = new ArrayList<>();
      for (Object node : nodes) {
        if (step.equals(RawPath.EACH)) {
          children(node).stream().filter(child -> child != null).forEach(next::add);
        } else {
          Object child = child(node, step);
          if (child != null) {
            next.add(child);
          }
        }
      }
      nodes = next;
    }
    return nodes;
  }

  /**
   * {@return a tree with {@code value} at {@code path}; missing mappings on the path are created,
   * and an item right after the end of a list is appended}
   */
  static Object with(@Nullable Object root, RawPath path, @Nullable Object value) {
    Object edited = with(root, path.steps(), value);
    return edited == null ? Map.of() : edited;
  }

  /** {@return a tree without the value at {@code path}} */
  static Object without(Object root, RawPath path) {
    if (!has(root, path)) {
      return root;
    }
    RawPath parent = path.parent();
    Object step = path.steps().get(path.steps().size() - 1);
    if (step instanceof Integer index) {
      List<Object> list = new ArrayList<>((List<?>) child(root, parent));
      list.remove((int) index);
      return with(root, parent, list);
    }
    Map<String, Object> map = mapping(child(root, parent));
    map.remove(step);
    return with(root, parent, map);
  }

  /** {@return a copy that shares nothing with {@code node}} */
  static @Nullable Object copy(@Nullable Object node) {
    if (node instanceof Map<?, ?> map) {
      Map<String, Object> copy = new LinkedHashMap<>();
      map.forEach((name, value) -> copy.put((String) name, copy(value)));
      return copy;
    }
    if (node instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      list.forEach(item -> copy.add(copy(item)));
      return copy;
    }
    return node;
  }

  /** {@return a new mapping with the fields of {@code node}, empty if it is not a mapping} */
  @SuppressWarnings("unchecked") // what was read from YAML or JSON has names of text
  static Map<String, Object> mapping(@Nullable Object node) {
    return node instanceof Map<?, ?> map
        ? new LinkedHashMap<>((Map<String, Object>) map)
        : new LinkedHashMap<>();
  }

  /** {@return whether {@code node} is an empty mapping or list} */
  static boolean isEmpty(@Nullable Object node) {
    return (node instanceof Map<?, ?> map && map.isEmpty())
        || (node instanceof List<?> list && list.isEmpty());
  }

  private static Object child(Object root, RawPath path) {
    Object node = get(root, path);
    return node == null ? Map.of() : node;
  }

  private static @Nullable Object child(@Nullable Object node, Object step) {
    if (step instanceof Integer index) {
      return node instanceof List<?> list && index < list.size() ? list.get(index) : null;
    }
    return node instanceof Map<?, ?> map ? map.get(step) : null;
  }

  private static Collection<?> children(Object node) {
    if (node instanceof Map<?, ?> map) {
      return map.values();
    }
    return node instanceof List<?> list ? list : List.of();
  }

  private static @Nullable Object with(
      @Nullable Object node, List<Object> steps, @Nullable Object value) {
    if (steps.isEmpty()) {
      return value;
    }
    Object edited = with(child(node, steps.get(0)), steps.subList(1, steps.size()), value);
    if (steps.get(0) instanceof Integer index) {
      List<Object> list =
          node instanceof List<?> present ? new ArrayList<>(present) : new ArrayList<>();
      if (index == list.size()) {
        list.add(edited);
      } else {
        list.set(index, edited);
      }
      return list;
    }
    Map<String, Object> map = mapping(node);
    map.put((String) steps.get(0), edited);
    return map;
  }
}
