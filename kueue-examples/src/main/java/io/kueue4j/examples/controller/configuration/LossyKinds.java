package io.kueue4j.examples.controller.configuration;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.object.WatchedKind;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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

  /** Fields that no version of Kueue uses any more. */
  private static final ImmutableSet<String> UNUSED = ImmutableSet.of("spec.retryDelayMinutes");

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
    for (WatchedKind kind : kinds) {
      if (!kind.group().equals(KueueApiVersion.GROUP)) {
        continue;
      }
      String name = kind.plural() + "." + kind.group();
      try {
        CustomResourceDefinition definition = client
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName(name)
            .get();
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
    CustomResourceDefinitionSpec spec = definition.getSpec();
    boolean isConverted =
        spec.getConversion() != null && "Webhook".equals(spec.getConversion().getStrategy());
    Optional<JSONSchemaProps> read = spec.getVersions().stream()
        .filter(each -> each.getName().equals(version))
        .findFirst()
        .flatMap(LossyKinds::schema);
    if (isConverted || read.isEmpty()) {
      return Optional.empty();
    }
    Set<String> lost = new TreeSet<>();
    List<String> sources = new ArrayList<>();
    List<String> stored = definition.getStatus() == null
        ? ImmutableList.of()
        : definition.getStatus().getStoredVersions();
    for (CustomResourceDefinitionVersion other : spec.getVersions()) {
      boolean isUsed = Boolean.TRUE.equals(other.getServed()) || stored.contains(other.getName());
      Set<String> missing = new TreeSet<>();
      if (isUsed && !other.getName().equals(version)) {
        schema(other).ifPresent(written -> addMissing("", written, read.get(), missing));
      }
      if (!missing.isEmpty()) {
        lost.addAll(missing);
        sources.add(other.getName());
      }
    }
    return lost.isEmpty()
        ? Optional.empty()
        : Optional.of("CustomResourceDefinition " + definition.getMetadata().getName()
            + " serves several versions without conversion: objects written as "
            + String.join(", ", sources) + " lose " + named(lost) + " when they are read as "
            + version + ". Install Kueue's conversion webhook, or write all objects as " + version
            + ", and set served: false and remove from status.storedVersions "
            + String.join(", ", sources));
  }

  private static Optional<JSONSchemaProps> schema(CustomResourceDefinitionVersion version) {
    return Optional.ofNullable(version.getSchema())
        .flatMap(schema -> Optional.ofNullable(schema.getOpenAPIV3Schema()));
  }

  private static String named(Set<String> lost) {
    return lost.size() <= MAX_NAMED
        ? String.join(", ", lost)
        : String.join(", ", ImmutableList.copyOf(lost).subList(0, MAX_NAMED)) + " and "
            + (lost.size() - MAX_NAMED) + " more";
  }

  /** Adds the fields of {@code written} that {@code read} lacks; the status is not read. */
  private static void addMissing(
      String path, JSONSchemaProps written, JSONSchemaProps read, Set<String> missing) {
    if (Boolean.TRUE.equals(read.getXKubernetesPreserveUnknownFields())) {
      return;
    }
    Map<String, JSONSchemaProps> fields = properties(written);
    Map<String, JSONSchemaProps> known = properties(read);
    for (String name : Sets.difference(fields.keySet(), Set.of("status", "metadata"))) {
      String field = path.isEmpty() ? name : path + "." + name;
      JSONSchemaProps other = known.get(name);
      if (other != null) {
        addMissing(field, fields.getOrDefault(name, other), other, missing);
      } else if (!UNUSED.contains(field)) {
        missing.add(field);
      }
    }
    if (written.getItems() != null
        && written.getItems().getSchema() != null
        && read.getItems() != null
        && read.getItems().getSchema() != null) {
      addMissing(path + "[]", written.getItems().getSchema(), read.getItems().getSchema(), missing);
    }
  }

  private static Map<String, JSONSchemaProps> properties(JSONSchemaProps schema) {
    return schema.getProperties() == null ? Map.of() : schema.getProperties();
  }
}
