package io.kueue4j.k8s.internal.yaml;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts a tree to an object of a class with Jackson annotations.
 *
 * <p>As strict as the API server: a number is not accepted as text, and text, such as a number in
 * quotes, is not accepted as a number. A null field is treated as absent. Quantities are checked
 * and keep their text.
 *
 * @since 0.1.0
 */
public final class ObjectBinder {
  private static final ObjectMapper BINDING = mapper(module());
  private static final UnknownFields UNKNOWN_FIELDS =
      new UnknownFields(BINDING.getDeserializationConfig());
  private static final ClassValue<ObjectReader> READERS = new ClassValue<>() {
    @Override
    protected ObjectReader computeValue(Class<?> type) {
      return BINDING.readerFor(type);
    }
  };

  private ObjectBinder() {}

  /**
   * Binds a tree.
   *
   * @param node the tree
   * @param type the class
   * @param path the path of the tree in its Kubernetes object, empty for the whole object
   * @param issues receives the problem if a value has a wrong type
   * @return the object, empty if there is a problem
   */
  public static <T> Optional<T> bind(YamlNode node, Class<T> type, String path, Issues issues) {
    return read(READERS.get(type), node, path, issues).map(type::cast);
  }

  /**
   * Checks a tree without binding it: notes each field, at any depth, that {@code type} does not
   * have, and adds a problem if the tree cannot be bound.
   */
  public static void check(YamlNode node, Class<?> type, String path, Issues issues) {
    UNKNOWN_FIELDS.note(node, BINDING.constructType(type), path, issues);
    if (read(READERS.get(type), node, path, issues).isEmpty() && !issues.hasProblems()) {
      issues.problem(node, path, node.describe() + "; expected a mapping");
    }
  }

  private static Optional<Object> read(
      ObjectReader reader, YamlNode node, String path, Issues issues) {
    if (hasEmptyItem(node, path, issues)) {
      return Optional.empty();
    }
    try (TokenBuffer buffer = new TokenBuffer(BINDING, false)) {
      write(node, buffer);
      try (JsonParser parser = buffer.asParserOnFirstToken()) {
        return Optional.ofNullable(reader.readValue(parser));
      }
    } catch (JsonMappingException e) {
      addProblem(node, path, e, issues);
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /**
   * Adds a problem for each empty item in any list.
   *
   * @return whether there is one
   */
  private static boolean hasEmptyItem(YamlNode node, String path, Issues issues) {
    boolean found = false;
    if (node instanceof YamlMapping mapping) {
      for (var field : mapping.fields().values()) {
        if (!(field.value() instanceof YamlScalar)) {
          found |= hasEmptyItem(field.value(), FieldPath.field(path, field.name()), issues);
        }
      }
    } else if (node instanceof YamlSequence sequence) {
      for (int i = 0; i < sequence.items().size(); i++) {
        YamlNode item = sequence.items().get(i);
        String at = FieldPath.item(path, i);
        if (item.isNull()) {
          issues.problem(item, at, "empty; expected an element, or none at all");
          found = true;
        }
        found |= hasEmptyItem(item, at, issues);
      }
    }
    return found;
  }

  private static void write(YamlNode node, TokenBuffer buffer) throws IOException {
    if (node instanceof YamlMapping mapping) {
      buffer.writeStartObject();
      for (var field : mapping.fields().values()) {
        buffer.writeFieldName(field.name());
        write(field.value(), buffer);
      }
      buffer.writeEndObject();
    } else if (node instanceof YamlSequence sequence) {
      buffer.writeStartArray();
      for (YamlNode item : sequence.items()) {
        write(item, buffer);
      }
      buffer.writeEndArray();
    } else if (node instanceof YamlScalar scalar) {
      writeScalar(scalar, buffer);
    }
  }

  private static void writeScalar(YamlScalar scalar, TokenBuffer buffer) throws IOException {
    switch (scalar.type()) {
      case NULL -> buffer.writeNull();
      case BOOLEAN -> buffer.writeBoolean(scalar.isTrue());
      case INTEGER -> writeInteger(scalar.text(), buffer);
      // Write it as text, since any number type would lose its notation.
      case FLOAT -> buffer.writeNumber(scalar.text());
      case TEXT -> buffer.writeString(scalar.text());
    }
  }

  /** Writes an integer in the smallest type that holds it, as JSON parsers do. */
  private static void writeInteger(String text, TokenBuffer buffer) throws IOException {
    Integer number = Ints.tryParse(text);
    Long large = Longs.tryParse(text);
    if (number != null) {
      buffer.writeNumber((int) number);
    } else if (large != null) {
      buffer.writeNumber((long) large);
    } else {
      buffer.writeNumber(new BigInteger(text));
    }
  }

  private static void addProblem(
      YamlNode root, String path, JsonMappingException e, Issues issues) {
    String field = path(e.getPath());
    YamlPosition place = FieldPath.locate(root, field);
    YamlNode given = place instanceof YamlField named ? named.value() : (YamlNode) place;
    Class<?> type = targetType(e);
    Optional<String> quantityProblem =
        type == Quantity.class ? Fields.quantityProblem(given) : Optional.empty();
    issues.problem(
        place,
        FieldPath.join(path, field),
        quantityProblem.orElseGet(() -> given.describe() + "; expected " + expected(type)));
  }

  /** {@return the path of {@code references}} */
  private static String path(List<JsonMappingException.Reference> references) {
    String path = "";
    for (JsonMappingException.Reference reference : references) {
      path = reference.getFieldName() == null
          ? FieldPath.item(path, reference.getIndex())
          : FieldPath.field(path, reference.getFieldName());
    }
    return path;
  }

  private static @Nullable Class<?> targetType(JsonMappingException e) {
    if (e.getCause() instanceof InputCoercionException tooLarge) {
      return tooLarge.getTargetType();
    }
    return e instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "a value of another form";
    }
    if (type == Integer.class || type == int.class) {
      return "a 32-bit integer";
    }
    if (type == Long.class || type == long.class) {
      return "an integer";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (type == String.class) {
      return "text, in quotes if it looks like something else";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    return Map.class.isAssignableFrom(type)
        ? "a mapping"
        : "a mapping (" + type.getSimpleName() + ")";
  }

  private static SimpleModule module() {
    // A deserializer named by the class itself can be replaced only with a mix-in.
    return new SimpleModule().setMixInAnnotation(Quantity.class, QuantityMixIn.class);
  }

  @JsonDeserialize(using = QuantityDeserializer.class)
  private interface QuantityMixIn {}

  private static ObjectMapper mapper(SimpleModule module) {
    JsonMapper mapper = JsonMapper.builder()
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .addModule(module)
        .build();
    // Like the API server, treat a null field as absent.
    mapper.setDefaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SKIP));
    for (CoercionInputShape shape : new CoercionInputShape[] {
      CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
    }) {
      mapper.coercionConfigFor(LogicalType.Textual).setCoercion(shape, CoercionAction.Fail);
    }
    return mapper;
  }
}
