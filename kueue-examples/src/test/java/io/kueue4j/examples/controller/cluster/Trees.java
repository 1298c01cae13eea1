package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kueue4j.k8s.job.JobKinds;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects as trees of JSON, as in an API server. */
public final class Trees {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final KubernetesSerialization SERIALIZATION =
      new KubernetesSerialization(MAPPER, true);

  private static final JobKinds KINDS = JobKinds.all();

  private Trees() {}

  public static ObjectNode of(HasMetadata object) {
    return withoutNulls(MAPPER.valueToTree(object));
  }

  public static ObjectNode parse(String json) {
    if (parseAny(json) instanceof ObjectNode object) {
      return withoutNulls(object);
    }
    throw ApiRefusal.badRequest("the body is no JSON object");
  }

  /** {@return a merge patch, in which null has a meaning} */
  static ObjectNode parsePatch(String json) {
    if (parseAny(json) instanceof ObjectNode object) {
      return object;
    }
    throw ApiRefusal.badRequest("the patch is no JSON object");
  }

  static JsonNode parseAny(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw ApiRefusal.badRequest("the body is no JSON: " + e.getOriginalMessage());
    }
  }

  /** {@return the object as an instance of its class, or a generic one if its kind has none} */
  public static HasMetadata toObject(ObjectNode tree) {
    ObjectKey key = ObjectKey.of(tree);
    return SERIALIZATION.convertValue(
        tree, KINDS.type(key.group(), key.kind()).orElse(HasMetadata.class));
  }

  public static <T extends HasMetadata> T toObject(ObjectNode tree, Class<T> type) {
    return SERIALIZATION.convertValue(tree, type);
  }

  /** {@return the object at the path, created if it is missing} */
  public static ObjectNode child(ObjectNode parent, String... path) {
    ObjectNode node = parent;
    for (String name : path) {
      node = node.get(name) instanceof ObjectNode next ? next : node.putObject(name);
    }
    return node;
  }

  public static JsonNode at(JsonNode node, String... path) {
    JsonNode found = node;
    for (String name : path) {
      found = found.path(name);
    }
    return found;
  }

  static void set(ObjectNode parent, String name, @Nullable JsonNode value) {
    if (value == null || value.isMissingNode() || value.isNull()) {
      parent.remove(name);
    } else {
      parent.set(name, value.deepCopy());
    }
  }

  static void setDefault(ObjectNode parent, String name, String value) {
    if (!parent.has(name)) {
      parent.put(name, value);
    }
  }

  static void setDefault(ObjectNode parent, String name, int value) {
    if (!parent.has(name)) {
      parent.put(name, value);
    }
  }

  static void setDefault(ObjectNode parent, String name, boolean value) {
    if (!parent.has(name)) {
      parent.put(name, value);
    }
  }

  /**
   * Removes keys with a null value, which are equivalent to absent ones in the API, and converts
   * numbers so that they are equal regardless of their type in Java.
   */
  static ObjectNode withoutNulls(ObjectNode node) {
    dropNulls(node);
    return node;
  }

  private static void dropNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator();
          fields.hasNext(); ) {
        Map.Entry<String, JsonNode> field = fields.next();
        JsonNode value = field.getValue();
        if (value.isNull()) {
          fields.remove();
        } else if (value.isLong() && value.canConvertToInt()) {
          field.setValue(JsonNodeFactory.instance.numberNode(value.intValue()));
        } else {
          dropNulls(value);
        }
      }
    } else if (node instanceof ArrayNode array) {
      array.forEach(Trees::dropNulls);
    }
  }

  /** {@return whether two values are equivalent: null, an empty list and an empty map are} */
  public static boolean same(@Nullable JsonNode left, @Nullable JsonNode right) {
    JsonNode a = pruned(left);
    JsonNode b = pruned(right);
    return a.equals(b);
  }

  private static JsonNode pruned(@Nullable JsonNode node) {
    JsonNodeFactory factory = JsonNodeFactory.instance;
    if (node instanceof ObjectNode object) {
      ObjectNode kept = factory.objectNode();
      object.properties().forEach(field -> {
        JsonNode value = pruned(field.getValue());
        if (!value.isNull()) {
          kept.set(field.getKey(), value);
        }
      });
      return kept.isEmpty() ? factory.nullNode() : kept;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode kept = factory.arrayNode();
      array.forEach(element -> kept.add(pruned(element)));
      return kept.isEmpty() ? factory.nullNode() : kept;
    }
    return node == null || node.isMissingNode() ? factory.nullNode() : node;
  }

  /** {@return {@code target} with a JSON merge patch applied: null removes the key} */
  static ObjectNode merged(ObjectNode target, ObjectNode patch) {
    ObjectNode result = target.deepCopy();
    patch.properties().forEach(field -> {
      String name = field.getKey();
      JsonNode value = field.getValue();
      if (value.isNull()) {
        result.remove(name);
      } else if (value instanceof ObjectNode object) {
        ObjectNode before = result.get(name) instanceof ObjectNode old
            ? old
            : JsonNodeFactory.instance.objectNode();
        result.set(name, merged(before, object));
      } else {
        result.set(name, value.deepCopy());
      }
    });
    return result;
  }

  public static boolean hasCondition(JsonNode object, String type) {
    for (JsonNode condition : at(object, "status", "conditions")) {
      if (condition.path("type").asText().equals(type)
          && condition.path("status").asText().equals("True")) {
        return true;
      }
    }
    return false;
  }
}
