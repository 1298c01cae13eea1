package io.kueue4j.k8s.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A struct type of Go's API: its fields in order, and whether a field without a value is omitted. A
 * tree in this form is written to JSON byte for byte as Go writes the object.
 */
final class GoStruct {
  private final List<Field> fields = new ArrayList<>();

  private record Field(
      String name,
      @Nullable GoStruct type,
      boolean omitted,
      @Nullable Object zero) {}

  /** {@return this type with a field that is omitted if it has no value} */
  GoStruct optional(String... names) {
    for (String name : names) {
      fields.add(new Field(name, null, true, null));
    }
    return this;
  }

  /**
   * {@return this type with a field of objects, or lists of objects, that is omitted if it has no
   * value}
   */
  GoStruct optional(String name, GoStruct type) {
    fields.add(new Field(name, type, true, null));
    return this;
  }

  /** {@return this type with a field that is written as {@code zero} if it has no value} */
  GoStruct required(String name, Object zero) {
    fields.add(new Field(name, null, false, zero));
    return this;
  }

  /**
   * {@return this type with a field of objects, or lists of objects, that is written as
   * {@code zero} if it has no value}
   */
  GoStruct required(String name, GoStruct type, @Nullable Object zero) {
    fields.add(new Field(name, type, false, zero));
    return this;
  }

  /** {@return {@code node}, an object of this type or a list of them, in Go's form} */
  @Nullable
  Object form(@Nullable Object node) {
    if (node instanceof List<?> items) {
      List<@Nullable Object> formed = new ArrayList<>();
      items.forEach(item -> formed.add(form(item)));
      return formed;
    }
    if (!(node instanceof Map<?, ?> map)) {
      return node;
    }
    Map<String, @Nullable Object> formed = new LinkedHashMap<>();
    for (Field field : fields) {
      Object value = map.get(field.name());
      boolean none = value == null || isEmpty(value, field.type() != null);
      if (none && !field.omitted()) {
        formed.put(field.name(), value == null ? field.zero() : value);
      } else if (!none) {
        formed.put(field.name(), field.type() == null ? value : field.type().form(value));
      }
    }
    return formed;
  }

  /** {@return whether Go omits a value: pointers to objects are kept, even to empty ones} */
  private static boolean isEmpty(Object value, boolean objects) {
    return value.equals("")
        || value.equals(0)
        || (value instanceof List<?> list && list.isEmpty())
        || (!objects && value instanceof Map<?, ?> map && map.isEmpty());
  }
}
