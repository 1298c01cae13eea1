package io.kueue4j.k8s.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Unknown fields that are kept. Unlike in Guava's collections, their values may be null. */
final class OtherFields {
  private OtherFields() {}

  static Map<String, Object> copy(@Nullable Map<String, Object> fields) {
    return fields == null || fields.isEmpty()
        ? Map.of()
        : Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }
}
