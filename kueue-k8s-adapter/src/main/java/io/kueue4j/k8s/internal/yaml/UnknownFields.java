package io.kueue4j.k8s.internal.yaml;

import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the fields that a class does not have.
 *
 * <p>The model classes of fabric8 accept unknown fields silently. So the tree is compared with the
 * properties that Jackson finds in each class on the way down.
 */
final class UnknownFields {
  private static final String SWALLOWED = "additionalProperties";

  private final DeserializationConfig config;
  private final Map<JavaType, ImmutableMap<String, Optional<JavaType>>> known =
      new ConcurrentHashMap<>();

  UnknownFields(DeserializationConfig config) {
    this.config = config;
  }

  /** Notes each unknown field at or below {@code node}, which is to be bound to {@code type}. */
  void note(YamlNode node, JavaType type, String path, Issues issues) {
    if (node instanceof YamlSequence sequence && type.isCollectionLikeType()) {
      for (int i = 0; i < sequence.items().size(); i++) {
        note(sequence.items().get(i), type.getContentType(), FieldPath.item(path, i), issues);
      }
    } else if (node instanceof YamlMapping mapping && type.isMapLikeType()) {
      for (YamlField field : mapping.fields().values()) {
        if (!(field.value() instanceof YamlScalar)) {
          String at = FieldPath.field(path, field.name());
          note(field.value(), type.getContentType(), at, issues);
        }
      }
    } else if (node instanceof YamlMapping mapping && hasFields(type)) {
      ImmutableMap<String, Optional<JavaType>> fields = known.computeIfAbsent(type, this::fields);
      mapping.fields().values().forEach(field -> note(field, fields, path, issues));
    }
  }

  private void note(
      YamlField field,
      ImmutableMap<String, Optional<JavaType>> known,
      String parent,
      Issues issues) {
    Optional<JavaType> type = known.get(field.name());
    if (type == null) {
      issues.note(
          field.place(),
          FieldPath.field(parent, field.name()),
          Fields.unknown(field.name(), known.keySet().stream()));
    } else if (type.isPresent() && !(field.value() instanceof YamlScalar)) {
      note(field.value(), type.get(), FieldPath.field(parent, field.name()), issues);
    }
  }

  /** {@return whether the class determines the fields of a mapping for {@code type}} */
  private static boolean hasFields(JavaType type) {
    return type.isConcrete()
        && !type.isContainerType()
        && !type.isJavaLangObject()
        && !type.isTypeOrSubTypeOf(JsonNode.class);
  }

  /** {@return the fields of a class, with the types of those that it reads} */
  private ImmutableMap<String, Optional<JavaType>> fields(JavaType type) {
    Map<String, Optional<JavaType>> fields = new HashMap<>();
    for (BeanPropertyDefinition property : config.introspect(type).findProperties()) {
      if (!property.getName().equals(SWALLOWED)) {
        fields.put(property.getName(), Optional.ofNullable(property.getPrimaryType()));
      }
    }
    KeepsFields kept = type.getRawClass().getAnnotation(KeepsFields.class);
    if (kept != null) {
      for (String name : kept.value()) {
        fields.put(name, Optional.empty());
      }
    }
    return ImmutableMap.copyOf(fields);
  }
}
