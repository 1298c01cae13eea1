package io.kueue4j.examples.controller.object;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and writes JSON; malformed input causes an IllegalArgumentException. */
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** {@return {@code value} as a tree: a model object, a map, a list or text} */
  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** {@return a copy of a model object as an instance of a class} */
  public static <T> T convert(Object value, Class<T> type) {
    return MAPPER.convertValue(value, type);
  }

  public static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          value.getClass().getName() + " cannot be written as JSON: " + e.getMessage(), e);
    }
  }

  public static ObjectNode parse(String text) {
    try {
      if (!(MAPPER.readTree(text) instanceof ObjectNode object)) {
        throw new IllegalArgumentException("no JSON object");
      }
      return object;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
    }
  }

  public static <T> T as(JsonNode node, Class<T> type) {
    try {
      return MAPPER.treeToValue(node, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  public static String text(JsonNode holder, String field) {
    JsonNode value = holder.path(field);
    if (!value.isTextual()) {
      throw new IllegalArgumentException(field + " is " + value + "; expected text");
    }
    return value.textValue();
  }

  public static int number(JsonNode holder, String field) {
    JsonNode value = holder.path(field);
    if (!value.isInt()) {
      throw new IllegalArgumentException(field + " is " + value + "; expected a 32-bit integer");
    }
    return value.intValue();
  }

  public static Instant time(JsonNode holder, String field) {
    try {
      return Instant.parse(text(holder, field));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  public static <T> ImmutableList<T> list(
      JsonNode holder, String field, Function<JsonNode, @Nullable T> read) {
    ImmutableList.Builder<T> list = ImmutableList.builder();
    holder.path(field).forEach(item -> list.add(present(item, field, read)));
    return list.build();
  }

  public static <T> ImmutableSortedMap<String, T> map(
      JsonNode holder, String field, Function<JsonNode, @Nullable T> read) {
    ImmutableSortedMap.Builder<String, T> map = ImmutableSortedMap.naturalOrder();
    holder
        .path(field)
        .properties()
        .forEach(entry -> map.put(entry.getKey(), present(entry.getValue(), field, read)));
    return map.buildOrThrow();
  }

  private static <T> T present(JsonNode item, String field, Function<JsonNode, @Nullable T> read) {
    T value = read.apply(item);
    if (value == null) {
      throw new IllegalArgumentException(field + " contains " + item);
    }
    return value;
  }
}
