package io.kueue4j.k8s.testkit;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON merge patches and server-side apply. fabric8's mock appends lists and keeps nulls in the
 * former, and does not know the latter.
 *
 * <p>Nobody owns fields here, so fields that a client applies no more stay.
 */
enum MergePatch {
  /** RFC 7396: a list replaces the stored one, a null removes a field. */
  JSON(ImmutableMap.of()),
  /** Lists with a key in Kueue's schema, and by convention in most others, are merged by it. */
  APPLY(ImmutableMap.of("conditions", "type", "admissionChecks", "name"));

  private final ImmutableMap<String, String> keys;

  MergePatch(ImmutableMap<String, String> keys) {
    this.keys = keys;
  }

  /** {@return a stored object with a patch} */
  Map<String, Object> merged(Map<?, ?> stored, Map<?, ?> patch) {
    Map<String, Object> result = new LinkedHashMap<>();
    stored.forEach((name, value) -> result.put(String.valueOf(name), value));
    patch.forEach((name, value) -> {
      String field = String.valueOf(name);
      if (value == null) {
        result.remove(field);
      } else {
        result.put(field, merged(keys.get(field), result.get(field), value));
      }
    });
    return result;
  }

  private Object merged(@Nullable String key, @Nullable Object before, Object value) {
    if (value instanceof Map<?, ?> patch) {
      return merged(before instanceof Map<?, ?> stored ? stored : Map.of(), patch);
    }
    if (key == null || !(before instanceof List<?> stored) || !(value instanceof List<?> applied)) {
      return value;
    }
    List<Object> all = new ArrayList<>(stored);
    for (Object item : applied) {
      all.removeIf(other -> Objects.equals(keyOf(other, key), keyOf(item, key)));
      all.add(item);
    }
    return all;
  }

  private static @Nullable Object keyOf(Object item, String key) {
    return item instanceof Map<?, ?> map ? map.get(key) : null;
  }
}
