package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;

/**
 * What a server answers to a client that asks what it serves: the kinds whose
 * CustomResourceDefinitions are stored. Built-in kinds are left out.
 */
final class ServedDefinitions {
  private final StrictCluster cluster;

  ServedDefinitions(StrictCluster cluster) {
    this.cluster = cluster;
  }

  /** {@return the answer to {@code /apis/GROUP} or {@code /apis/GROUP/VERSION}, if it has any} */
  Optional<JsonNode> answer(String path) {
    List<String> parts = Splitter.on('/').omitEmptyStrings().splitToList(path);
    if (parts.size() < 2 || parts.size() > 3 || !parts.get(0).equals("apis")) {
      return Optional.empty();
    }
    ImmutableList<ObjectNode> specs = cluster.trees("CustomResourceDefinition").stream()
        .map(definition -> (ObjectNode) definition.path("spec"))
        .filter(spec -> spec.path("group").asText().equals(parts.get(1)))
        .collect(ImmutableList.toImmutableList());
    if (specs.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        parts.size() == 2
            ? group(parts.get(1), specs)
            : resources(parts.get(1) + "/" + parts.get(2), parts.get(2), specs));
  }

  private static JsonNode group(String name, ImmutableList<ObjectNode> specs) {
    ObjectNode group = JsonNodeFactory.instance.objectNode();
    group.put("kind", "APIGroup").put("apiVersion", "v1").put("name", name);
    for (ObjectNode spec : specs) {
      for (JsonNode version : spec.path("versions")) {
        group
            .withArray("versions")
            .addObject()
            .put("groupVersion", name + "/" + version.path("name").asText())
            .put("version", version.path("name").asText());
      }
    }
    group.set("preferredVersion", group.path("versions").path(0));
    return group;
  }

  private static JsonNode resources(
      String apiVersion, String version, ImmutableList<ObjectNode> specs) {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.put("kind", "APIResourceList").put("apiVersion", "v1").put("groupVersion", apiVersion);
    for (ObjectNode spec : specs) {
      for (JsonNode served : spec.path("versions")) {
        if (served.path("name").asText().equals(version)) {
          ObjectNode resource = list.withArray("resources").addObject();
          resource.set("name", spec.at("/names/plural"));
          resource.set("kind", spec.at("/names/kind"));
          resource.put("namespaced", spec.path("scope").asText().equals("Namespaced"));
          resource.putArray("verbs");
        }
      }
    }
    return list;
  }
}
