package io.kueue4j.examples.deploy;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.examples.DeployManifests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A structural schema of a CustomResourceDefinition. Finds what the API server would reject, and
 * fields that it would drop.
 */
final class StructuralSchema {
  /** All keywords of the schemas here; those that say nothing of validity are among them. */
  private static final Set<String> KEYWORDS = ImmutableSet.of(
      "type",
      "properties",
      "additionalProperties",
      "items",
      "required",
      "enum",
      "pattern",
      "minLength",
      "minimum",
      "anyOf",
      "format",
      "default",
      "x-kubernetes-int-or-string",
      "x-kubernetes-list-type",
      "x-kubernetes-list-map-keys",
      "x-kubernetes-map-type");

  private final Map<?, ?> schema;

  private StructuralSchema(Map<?, ?> schema) {
    this.schema = schema;
  }

  static StructuralSchema read(Path file) throws IOException {
    return new StructuralSchema(DeployManifests.map(file));
  }

  /** {@return what is wrong with {@code object}, with its place} */
  ImmutableList<String> problems(Object object) {
    ImmutableList.Builder<String> found = ImmutableList.builder();
    check(schema, object, "", found);
    return found.build();
  }

  private static void check(
      Map<?, ?> schema, Object value, String path, ImmutableList.Builder<String> found) {
    checkState(KEYWORDS.containsAll(schema.keySet()), "unknown keywords in %s", schema.keySet());
    if (!hasType(schema, value)) {
      found.add(path + ": is " + value + ", expected " + schema.get("type"));
      return;
    }
    if (schema.get("enum") instanceof List<?> known && !known.contains(value)) {
      found.add(path + ": is " + value + ", expected one of " + known);
    }
    if (value instanceof String text) {
      checkText(schema, text, path, found);
    } else if (value instanceof Number number
        && schema.get("minimum") instanceof Number minimum
        && number.doubleValue() < minimum.doubleValue()) {
      found.add(path + ": is " + value + ", expected " + minimum + " or more");
    } else if (value instanceof List<?> list && schema.get("items") instanceof Map<?, ?> items) {
      for (int i = 0; i < list.size(); i++) {
        check(items, list.get(i), path + "[" + i + "]", found);
      }
    } else if (value instanceof Map<?, ?> map) {
      checkFields(schema, map, path, found);
    }
  }

  private static boolean hasType(Map<?, ?> schema, Object value) {
    if (schema.containsKey("x-kubernetes-int-or-string")) {
      return value instanceof Integer || value instanceof String;
    }
    return switch (String.valueOf(schema.get("type"))) {
      case "object" -> value instanceof Map;
      case "array" -> value instanceof List;
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "integer" -> value instanceof Integer || value instanceof Long;
      case "number" -> value instanceof Number;
      default -> throw new IllegalStateException("unknown type in " + schema);
    };
  }

  private static void checkText(
      Map<?, ?> schema, String text, String path, ImmutableList.Builder<String> found) {
    if (schema.get("pattern") instanceof String pattern
        && !Pattern.compile(pattern).matcher(text).find()) {
      found.add(path + ": is " + text + ", expected to match " + pattern);
    }
    if (schema.get("minLength") instanceof Integer length && text.length() < length) {
      found.add(path + ": is too short");
    }
  }

  private static void checkFields(
      Map<?, ?> schema, Map<?, ?> object, String path, ImmutableList.Builder<String> found) {
    if (schema.get("required") instanceof List<?> required) {
      required.stream()
          .filter(field -> !object.containsKey(field))
          .forEach(field -> found.add(path + ": lacks " + field));
    }
    boolean isOpen = path.equals(".metadata");
    object.forEach((field, value) -> {
      String place = path + "." + field;
      if (schema.get("properties") instanceof Map<?, ?> fields
          && fields.get(field) instanceof Map<?, ?> known) {
        check(known, value, place, found);
      } else if (schema.get("additionalProperties") instanceof Map<?, ?> other) {
        check(other, value, place, found);
      } else if (!isOpen) {
        found.add(place + ": unknown field");
      }
    });
  }
}
