package io.kueue4j.examples.conformance;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.kueue4j.examples.simulation.InputException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Reads the JSON of vectors. Absent lists and maps are empty, unknown fields are ignored. */
final class VectorJson {
  private static final JsonSetter.Value ABSENT_IS_EMPTY =
      JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.FAIL);
  private static final JsonMapper MAPPER = JsonMapper.builder()
      .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .withConfigOverride(List.class, list -> list.setSetterInfo(ABSENT_IS_EMPTY))
      .withConfigOverride(Map.class, map -> map.setSetterInfo(ABSENT_IS_EMPTY))
      .withConfigOverride(SortedMap.class, map -> map.setSetterInfo(ABSENT_IS_EMPTY))
      .build();

  private VectorJson() {}

  /**
   * Reads a value.
   *
   * @param type the class of the value
   * @param name a description of the value, for messages
   * @param json the text
   * @throws InputException if the text is not JSON, or not such a value
   */
  static <T> T read(Class<T> type, String name, String json) {
    try {
      T value = MAPPER.readValue(json, type);
      if (value == null) {
        throw new InputException("null; expected " + name + ", which is a JSON object");
      }
      return value;
    } catch (JsonMappingException e) {
      throw new InputException(field(e) + problem(e), e);
    } catch (JsonProcessingException e) {
      throw new InputException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** {@return the text as a tree, a missing node if it is not JSON} */
  static JsonNode tree(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** {@return the parser's message without the names of classes} */
  private static String problem(JsonMappingException e) {
    String message = e.getOriginalMessage();
    if (message.startsWith("Missing required creator property")) {
      return "missing";
    }
    return message.replaceAll(" of type `[^`]*`", "").replaceAll(" \\(token `[^`]*`\\)", "");
  }

  private static String field(JsonMappingException e) {
    String path = e.getPath().stream()
        .map(at -> at.getFieldName() == null ? "[" + at.getIndex() + "]" : "." + at.getFieldName())
        .collect(Collectors.joining());
    return path.isEmpty() ? "" : path.substring(1) + ": ";
  }
}
