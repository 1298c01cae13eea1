package io.kueue4j.k8s.yaml;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reports the fields that a class does not know.
 *
 * <p>The model classes of fabric8 swallow unknown fields by an "any setter". A mapper that ignores
 * these setters meets each such field as unknown, at whatever depth, and asks this handler.
 */
final class UnknownFields extends DeserializationProblemHandler {
  /** Takes the path of an unknown field and the names that are known beside it. */
  interface Sink {
    void unknown(String field, Stream<String> known);
  }

  static final BeanDeserializerModifier WITHOUT_ANY_SETTERS = new WithoutAnySetters();

  private UnknownFields() {}

  /** {@return a reader of {@code mapper} that reports to the sink of {@link #into}} */
  static ObjectReader reporting(ObjectMapper mapper) {
    return mapper.reader().withHandler(new UnknownFields());
  }

  static ObjectReader into(ObjectReader reader, Sink sink) {
    return reader.withAttribute(Sink.class, sink);
  }

  @Override
  public boolean handleUnknownProperty(
      DeserializationContext context,
      JsonParser parser,
      @Nullable JsonDeserializer<?> deserializer,
      Object beanOrClass,
      String propertyName)
      throws IOException {
    if (context.getAttribute(Sink.class) instanceof Sink sink) {
      Collection<Object> known =
          deserializer == null || deserializer.getKnownPropertyNames() == null
              ? List.of()
              : deserializer.getKnownPropertyNames();
      sink.unknown(path(context(parser)), known.stream().map(String::valueOf));
    }
    parser.skipChildren();
    return true;
  }

  /** {@return the path that {@code references} stand for} */
  static String path(List<JsonMappingException.Reference> references) {
    String path = "";
    for (JsonMappingException.Reference reference : references) {
      path = reference.getFieldName() == null
          ? FieldPath.item(path, reference.getIndex())
          : FieldPath.field(path, reference.getFieldName());
    }
    return path;
  }

  /** {@return where the field is; at the start of its value the parser is already inside of it} */
  private static JsonStreamContext context(JsonParser parser) {
    JsonStreamContext context = parser.getParsingContext();
    return parser.currentToken().isStructStart() ? context.getParent() : context;
  }

  private static String path(JsonStreamContext context) {
    JsonStreamContext parent = context.getParent();
    if (parent == null) {
      return "";
    }
    String path = path(parent);
    return context.inArray()
        ? FieldPath.item(path, context.getCurrentIndex())
        : FieldPath.field(path, String.valueOf(context.getCurrentName()));
  }

  private static final class WithoutAnySetters extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public BeanDeserializerBuilder updateBuilder(
        DeserializationConfig config,
        BeanDescription description,
        BeanDeserializerBuilder builder) {
      builder.setAnySetter(null);
      return builder;
    }
  }
}
