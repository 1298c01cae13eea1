package io.kueue4j.k8s.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.k8s.internal.yaml.YamlField;
import io.kueue4j.k8s.internal.yaml.YamlMapping;
import io.kueue4j.k8s.internal.yaml.YamlNode;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.internal.yaml.YamlSequence;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts values of an object without a class to nodes of the manifest reader, and back. */
final class RawValues {
  private static final int NOWHERE = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private RawValues() {}

  /** {@return the value as a node without a position in a document} */
  static YamlNode node(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      ImmutableMap.Builder<String, YamlField> fields = ImmutableMap.builder();
      map.forEach((key, field) -> {
        String name = String.valueOf(key);
        fields.put(name, new YamlField(name, node(field), NOWHERE, NOWHERE));
      });
      return new YamlMapping(fields.buildOrThrow(), NOWHERE, NOWHERE);
    }
    if (value instanceof List<?> list) {
      return new YamlSequence(
          list.stream().map(RawValues::node).collect(ImmutableList.toImmutableList()),
          NOWHERE,
          NOWHERE);
    }
    return new YamlScalar(String.valueOf(value), type(value), NOWHERE, NOWHERE);
  }

  /** {@return an object of a class with Jackson annotations as a tree} */
  static Object of(Object object) {
    return MAPPER.convertValue(object, Object.class);
  }

  /** {@return whether {@code value} is a tree of {@code object}, in any notation} */
  static boolean sameObject(Object value, Object object) {
    try {
      return object.equals(MAPPER.convertValue(value, object.getClass()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static YamlScalar.Type type(@Nullable Object value) {
    if (value == null) {
      return YamlScalar.Type.NULL;
    }
    if (value instanceof Boolean) {
      return YamlScalar.Type.BOOLEAN;
    }
    if (value instanceof Integer || value instanceof Long || value instanceof BigInteger) {
      return YamlScalar.Type.INTEGER;
    }
    return value instanceof Number ? YamlScalar.Type.FLOAT : YamlScalar.Type.TEXT;
  }
}
