package io.kueue4j.examples.controller.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.function.Function;

/** Reads the fields of objects that the API server has validated; absent fields are empty. */
final class Tree {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Tree() {}

  static JsonNode of(GenericKubernetesResource object, String field) {
    return MAPPER.valueToTree(object.getAdditionalProperties()).path(field);
  }

  static <T> T as(JsonNode node, Class<T> type) {
    return MAPPER.convertValue(node, type);
  }

  static <T> ImmutableList<T> list(JsonNode items, Function<JsonNode, T> read) {
    ImmutableList.Builder<T> list = ImmutableList.builder();
    items.forEach(item -> list.add(read.apply(item)));
    return list.build();
  }

  static ImmutableMap<String, String> texts(JsonNode object) {
    ImmutableMap.Builder<String, String> texts = ImmutableMap.builder();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      texts.put(entry.getKey(), entry.getValue().asText());
    }
    return texts.buildOrThrow();
  }
}
