package io.kueue4j.k8s.status;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The field {@code status} of objects without a class of their own. */
final class ObjectStatus {
  private static final String STATUS = "status";

  private ObjectStatus() {}

  /** {@return a new mapping with the fields of the status} */
  static Map<String, Object> of(GenericKubernetesResource object) {
    return mapping(object.getAdditionalProperties().get(STATUS));
  }

  /** {@return a copy of {@code object} with another status} */
  static GenericKubernetesResource with(
      GenericKubernetesResource object, Map<String, Object> status) {
    GenericKubernetesResource copy = new GenericKubernetesResource();
    copy.setApiVersion(object.getApiVersion());
    copy.setKind(object.getKind());
    copy.setMetadata(object.getMetadata());
    Map<String, Object> fields = new LinkedHashMap<>(object.getAdditionalProperties());
    fields.put(STATUS, status);
    copy.setAdditionalProperties(fields);
    return copy;
  }

  /** {@return a new mapping with the fields of {@code node}, empty if it is not a mapping} */
  @SuppressWarnings("unchecked") // what was read from JSON or YAML has names of text
  static Map<String, Object> mapping(@Nullable Object node) {
    return node instanceof Map<?, ?> map
        ? new LinkedHashMap<>((Map<String, Object>) map)
        : new LinkedHashMap<>();
  }

  /** {@return the items, none if {@code node} is not a list} */
  static List<?> items(@Nullable Object node) {
    return node instanceof List<?> list ? list : List.of();
  }

  /** Sets a field, or removes it if the value is empty. */
  static void put(Map<String, Object> fields, String name, @Nullable Object value) {
    boolean isEmpty = value == null
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof List<?> list && list.isEmpty());
    if (isEmpty) {
      fields.remove(name);
    } else {
      fields.put(name, value);
    }
  }

  /** {@return a time in the API's format, in whole seconds} */
  static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** {@return a number of the type that JSON parsers create, so that it equals the stored one} */
  static Number number(long value) {
    return value == (int) value ? (Number) (int) value : (Number) value;
  }

  static ObjectMeta metadata(GenericKubernetesResource object) {
    return Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new);
  }

  /** {@return the generation of the spec, 0 for an object that is not stored} */
  static long generation(GenericKubernetesResource object) {
    return Objects.requireNonNullElse(metadata(object).getGeneration(), 0L);
  }
}
