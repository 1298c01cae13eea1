package io.kueue4j.examples.controller.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.collect.Maps;
import com.google.common.collect.TreeMultimap;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds kinds of Kueue of which the API server would silently lose fields.
 *
 * <p>A definition without conversion ({@code spec.conversion.strategy: None}) passes an object of
 * one version as it is to readers of another, without the fields that the other does not have. Of a
 * ClusterQueue in v1beta1, {@code cohort} and {@code admissionChecks} are lost to readers of
 * v1beta2. Kueue converts them by a webhook.
 */
public final class LossyKinds {
  private static final int FORBIDDEN = 403;
  private static final int MAX_NAMED = 5;
  private static final String SCHEMA = "/schema/openAPIV3Schema";

  /** Fields that are not read, or that no version of Kueue uses any more. */
  private static final ImmutableSet<String> UNUSED =
      ImmutableSet.of("metadata", "status", "spec.retryDelayMinutes");

  private LossyKinds() {}

  /**
   * The result of a search.
   *
   * @param problems the kinds that lose fields, and what to do; empty if there are none
   * @param unchecked the definitions that the controller has no permission to read
   */
  public record Result(ImmutableList<String> problems, ImmutableList<String> unchecked) {}

  /** {@return the kinds among {@code kinds} that lose fields} */
  public static Result find(KubernetesClient client, Iterable<WatchedKind> kinds) {
    ImmutableList.Builder<String> problems = ImmutableList.builder();
    ImmutableList.Builder<String> unchecked = ImmutableList.builder();
    for (WatchedKind kind :
        Iterables.filter(kinds, each -> each.group().equals(KueueApiVersion.GROUP))) {
      String name = kind.plural() + "." + kind.group();
      try {
        CustomResourceDefinition definition =
            client.resources(CustomResourceDefinition.class).withName(name).get();
        if (definition != null) {
          problem(definition, kind.version()).ifPresent(problems::add);
        }
      } catch (KubernetesClientException e) {
        if (e.getCode() != FORBIDDEN) {
          throw e;
        }
        unchecked.add(name);
      }
    }
    return new Result(problems.build(), unchecked.build());
  }

  /** {@return which fields readers of a version lose, and what to do; empty if there are none} */
  static Optional<String> problem(CustomResourceDefinition definition, String version) {
    JsonNode spec = Json.tree(definition.getSpec());
    Map<String, JsonNode> versions =
        Maps.uniqueIndex(spec.path("versions"), each -> each.path("name").asText());
    JsonNode read = versions.getOrDefault(version, MissingNode.getInstance()).at(SCHEMA);
    if (read.isMissingNode() || spec.at("/conversion/strategy").asText().equals("Webhook")) {
      return Optional.empty();
    }
    JsonNode stored = Json.tree(definition).at("/status/storedVersions");
    TreeMultimap<String, String> lost = TreeMultimap.create();
    versions.forEach((name, written) -> {
      if (written.path("served").asBoolean()
          || Iterables.any(stored, each -> each.asText().equals(name))) {
        addMissing("", written.at(SCHEMA), read, lost.get(name));
      }
    });
    String sources = String.join(", ", lost.keySet());
    return lost.isEmpty()
        ? Optional.empty()
        : Optional.of("CustomResourceDefinition " + definition.getMetadata().getName()
            + " serves several versions without conversion: objects written as " + sources
            + " lose " + named(new TreeSet<>(lost.values())) + " when they are read as " + version
            + ". Install Kueue's conversion webhook, or write all objects as " + version
            + ", and set served: false and remove from status.storedVersions " + sources);
  }

  private static String named(Set<String> lost) {
    String first = lost.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
    return lost.size() <= MAX_NAMED ? first : first + " and " + (lost.size() - MAX_NAMED) + " more";
  }

  /** Adds the fields of {@code written} that {@code read} lacks. */
  private static void addMissing(
      String path, JsonNode written, JsonNode read, Set<String> missing) {
    if (read.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
      return;
    }
    written.path("properties").properties().forEach(property -> {
      String field = (path.isEmpty() ? "" : path + ".") + property.getKey();
      JsonNode known = read.path("properties").path(property.getKey());
      if (UNUSED.contains(field)) {
        return;
      }
      if (known.isMissingNode()) {
        missing.add(field);
      } else {
        addMissing(field, property.getValue(), known, missing);
      }
    });
    if (read.has("items")) {
      addMissing(path + "[]", written.path("items"), read.path("items"), missing);
    }
  }
}
