package io.kueue4j.k8s.internal.yaml;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Turns objects in memory into the trees that reading their text would give, without the text.
 *
 * <p>Nodes of such a tree have no place in a source: their line and column are 0.
 */
final class ObjectTree {
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();
  private static final int NOWHERE = TextPosition.NONE.line();

  private final JsonParser tokens;

  private ObjectTree(JsonParser tokens) {
    this.tokens = tokens;
  }

  /**
   * {@return the whole object}
   *
   * @throws IOException if it cannot be written as JSON, or is nested too deeply
   */
  static YamlMapping of(HasMetadata object) throws IOException {
    return mapping(object);
  }

  /**
   * {@return the header of an object: API version, kind and metadata; empty where a part is null}
   *
   * @throws IOException if the metadata cannot be written as JSON
   */
  static YamlMapping header(HasMetadata object) throws IOException {
    return mapping(new Header(object.getApiVersion(), object.getKind(), object.getMetadata()));
  }

  private record Header(
      @Nullable String apiVersion,
      @Nullable String kind,
      @Nullable ObjectMeta metadata) {}

  private static YamlMapping mapping(Object value) throws IOException {
    try (TokenBuffer buffer = new ShallowBuffer()) {
      MAPPER.writeValue(buffer, value);
      try (JsonParser parser = buffer.asParserOnFirstToken()) {
        YamlNode root = new ObjectTree(parser).node();
        if (root instanceof YamlMapping mapping) {
          return mapping;
        }
        throw new IOException(root.describe() + "; expected a mapping");
      }
    }
  }

  /** {@return the value that begins with the current token; the last one of it is current then} */
  private YamlNode node() throws IOException {
    JsonToken token = tokens.currentToken();
    if (token == JsonToken.START_OBJECT) {
      ImmutableMap.Builder<String, YamlField> fields = ImmutableMap.builder();
      while (tokens.nextToken() != JsonToken.END_OBJECT) {
        String name = tokens.currentName();
        tokens.nextToken();
        fields.put(name, new YamlField(name, node(), NOWHERE, NOWHERE));
      }
      // What is set by a field and among the additional properties is written twice.
      return new YamlMapping(fields.buildKeepingLast(), NOWHERE, NOWHERE);
    }
    if (token == JsonToken.START_ARRAY) {
      ImmutableList.Builder<YamlNode> items = ImmutableList.builder();
      while (tokens.nextToken() != JsonToken.END_ARRAY) {
        items.add(node());
      }
      return new YamlSequence(items.build(), NOWHERE, NOWHERE);
    }
    String text = Strings.nullToEmpty(tokens.getText());
    return new YamlScalar(text, type(token), NOWHERE, NOWHERE);
  }

  private static YamlScalar.Type type(JsonToken token) {
    return switch (token) {
      case VALUE_NULL -> YamlScalar.Type.NULL;
      case VALUE_TRUE, VALUE_FALSE -> YamlScalar.Type.BOOLEAN;
      case VALUE_NUMBER_INT -> YamlScalar.Type.INTEGER;
      case VALUE_NUMBER_FLOAT -> YamlScalar.Type.FLOAT;
      default -> YamlScalar.Type.TEXT;
    };
  }

  /** Refuses what is nested too deeply, for example because it contains itself. */
  private static final class ShallowBuffer extends TokenBuffer {
    ShallowBuffer() {
      super(MAPPER, false);
    }

    private void checkDepth() throws IOException {
      if (getOutputContext().getNestingDepth() > YamlComposer.MAX_DEPTH) {
        throw new IOException("nested more than " + YamlComposer.MAX_DEPTH + " levels deep");
      }
    }

    @Override
    public void writeStartArray(Object forValue) throws IOException {
      super.writeStartArray(forValue);
      checkDepth();
    }

    @Override
    public void writeStartArray(Object forValue, int size) throws IOException {
      super.writeStartArray(forValue, size);
      checkDepth();
    }

    @Override
    public void writeStartObject(Object forValue) throws IOException {
      super.writeStartObject(forValue);
      checkDepth();
    }

    @Override
    public void writeStartObject(Object forValue, int size) throws IOException {
      super.writeStartObject(forValue, size);
      checkDepth();
    }
  }
}
