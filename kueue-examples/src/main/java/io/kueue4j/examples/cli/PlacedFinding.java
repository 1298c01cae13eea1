package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.hash.Hashing;
import io.kueue4j.core.lint.Finding;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A finding in manifests.
 *
 * @param finding the finding
 * @param object the kind and name of the object as the manifest has them
 * @param place where it is, with its message
 * @param content the object in the manifest
 */
record PlacedFinding(Finding finding, String object, ManifestIssue place, JsonNode content) {
  private static final Pattern STEP = Pattern.compile("\\[([^\\]]*)]|[^.\\[]+");
  private static final List<String> NAMES = List.of("name", "nodeLabel", "key");

  /**
   * {@return what identifies the finding, whatever its line, its figures, and what stands beside}
   */
  String fingerprint() {
    return Hashing.sha256()
        .hashString(finding.rule() + "\n" + object + "\n" + namedField(), UTF_8)
        .toString()
        .substring(0, 32);
  }

  /**
   * {@return the path of the field with elements of lists by name, such as
   * {@code spec.resourceGroups[].flavors[spot]}} A resource group has no name, but no flavor or
   * resource is in two of them.
   */
  private String namedField() {
    StringBuilder named = new StringBuilder();
    JsonNode node = content;
    Matcher step = STEP.matcher(place.field());
    while (step.find()) {
      String index = step.group(1);
      if (index == null || !node.isArray()) {
        node = node.path(index == null ? step.group() : index);
        named.append('/').append(step.group());
      } else {
        node = node.path(Integer.parseInt(index));
        named.append('[').append(name(node)).append(']');
      }
    }
    return named.toString();
  }

  private static String name(JsonNode element) {
    return element.isValueNode()
        ? element.asText()
        : NAMES.stream()
            .map(name -> element.path(name).asText())
            .filter(name -> !name.isEmpty())
            .findFirst()
            .orElse("");
  }

  /** {@return whether it is in a text, and not in a live cluster} */
  boolean isInText() {
    return place.line() > 0;
  }

  /** {@return the object, field and message; the name stands for the whole object} */
  String text() {
    String field = place.field().isEmpty() || place.field().equals("metadata.name")
        ? ""
        : place.field() + ": ";
    return object + ": " + field + place.message();
  }
}
