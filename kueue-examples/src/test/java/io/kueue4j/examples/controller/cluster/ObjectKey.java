package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ComparisonChain;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Locale;
import java.util.Objects;

/**
 * What an API server stores an object under.
 *
 * @param group without version, empty for the core group
 * @param namespace empty for objects without one
 */
public record ObjectKey(String group, String kind, String namespace, String name)
    implements Comparable<ObjectKey> {

  /** {@return the key of an object} */
  public static ObjectKey of(HasMetadata object) {
    return new ObjectKey(
        groupOf(object.getApiVersion()),
        object.getKind(),
        Objects.requireNonNullElse(object.getMetadata().getNamespace(), ""),
        Objects.requireNonNullElse(object.getMetadata().getName(), ""));
  }

  /** {@return the key of an object} */
  public static ObjectKey of(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectKey(
        groupOf(object.path("apiVersion").asText("")),
        object.path("kind").asText(""),
        metadata.path("namespace").asText(""),
        metadata.path("name").asText(""));
  }

  private static String groupOf(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  /** {@return for example {@code Job.batch}} */
  String qualifiedKind() {
    return group.isEmpty() ? kind : kind + "." + group;
  }

  /** {@return for example {@code jobs.batch "sample"}} */
  String resourceAndName() {
    String lower = kind.toLowerCase(Locale.ROOT);
    String plural = lower.endsWith("s") ? lower + "es" : lower + "s";
    return (group.isEmpty() ? plural : plural + "." + group) + " \"" + name + "\"";
  }

  @Override
  public int compareTo(ObjectKey other) {
    return ComparisonChain.start()
        .compare(group, other.group)
        .compare(kind, other.kind)
        .compare(namespace, other.namespace)
        .compare(name, other.name)
        .result();
  }
}
