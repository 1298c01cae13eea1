package io.kueue4j.k8s.yaml;

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
 * Finds the fields that a class does not know.
 *
 * <p>The model classes of fabric8 swallow unknown fields, and binding tells nobody. So the tree is
 * held against the properties that Jackson sees in each class on the way down.
 */
final class UnknownFields {
  private static final String SWALLOWED = "additionalProperties";

  private final DeserializationConfig config;
  private final Map<JavaType, ImmutableMap<String, Optional<JavaType>>> known =
      new ConcurrentHashMap<>();

  UnknownFields(DeserializationConfig config) {
    this.config = config;
  }

  /** Notes each field at or below {@code node}, to be bound to {@code type}, that is not known. */
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

  /** {@return whether the fields of a mapping for {@code type} can be told from the class} */
  private static boolean hasFields(JavaType type) {
    return type.isConcrete()
        && !type.isContainerType()
        && !type.isJavaLangObject()
        && !type.isTypeOrSubTypeOf(JsonNode.class);
  }

  /** {@return the fields that a class knows, with their types where it looks at them} */
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
