package io.kueue4j.examples.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a check needs to know of a stored Workload.
 *
 * @param name its name
 * @param annotations its annotations
 * @param podSets the pod sets in order, with the admitted counts
 * @param conditions the types of its conditions that are true
 * @param isActive whether it may be admitted at all
 * @param checks the states of its admission checks
 */
record ProvisionedWorkload(
    String name,
    ImmutableMap<String, String> annotations,
    List<PodSet> podSets,
    ImmutableSet<String> conditions,
    boolean isActive,
    List<AdmissionCheckState> checks) {

  /**
   * One pod set.
   *
   * @param name its name
   * @param count the number of admitted pods
   * @param template their template, as the job has it
   */
  record PodSet(String name, int count, PodTemplateSpec template) {

    /** {@return whether a container requests, or limits, one of the resources} */
    boolean uses(ImmutableSet<String> resources) {
      PodSpec pod = spec();
      return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
          .map(Container::getResources)
          .filter(Objects::nonNull)
          .flatMap(container ->
              Stream.of(orEmpty(container.getRequests()), orEmpty(container.getLimits())))
          .anyMatch(amounts -> !Sets.intersection(amounts.keySet(), resources).isEmpty());
    }

    PodSpec spec() {
      return Objects.requireNonNullElseGet(template.getSpec(), PodSpec::new);
    }
  }

  static <T> Map<String, T> orEmpty(@Nullable Map<String, T> map) {
    return map == null ? Map.of() : map;
  }

  /** Reads a Workload, whose typed content is given as well. */
  static ProvisionedWorkload read(GenericKubernetesResource object, ImportedWorkload content) {
    JsonNode spec = Json.tree(object).path("spec");
    Map<String, PodSetAssignment> assignments = content
        .admission()
        .<Map<String, PodSetAssignment>>map(
            admission -> Maps.uniqueIndex(admission.podSetAssignments(), PodSetAssignment::name))
        .orElse(Map.of());
    List<PodSet> podSets = Json.list(spec, "podSets", podSet -> {
      String name = podSet.path("name").asText();
      return new PodSet(
          name,
          Optional.ofNullable(assignments.get(name))
              .map(PodSetAssignment::count)
              .orElse(podSet.path("count").asInt(1)),
          Json.as(podSet.path("template"), PodTemplateSpec.class));
    });
    ImmutableSet.Builder<String> conditions = ImmutableSet.builder();
    Json.tree(object).path("status").path("conditions").forEach(condition -> {
      if (condition.path("status").asText().equals("True")) {
        conditions.add(condition.path("type").asText());
      }
    });
    return new ProvisionedWorkload(
        Strings.nullToEmpty(object.getMetadata().getName()),
        ImmutableMap.copyOf(orEmpty(object.getMetadata().getAnnotations())),
        podSets,
        conditions.build(),
        content.workload().active(),
        content.status().admissionChecks());
  }

  boolean isFinished() {
    return conditions.contains("Finished");
  }

  boolean isEvicted() {
    return conditions.contains("Evicted");
  }

  boolean hasQuota() {
    return conditions.contains("QuotaReserved");
  }

  boolean isAdmitted() {
    return conditions.contains("Admitted");
  }

  /** {@return the pod sets that the autoscaler has to provide nodes for} */
  List<PodSet> provisioned(ProvisioningConfig config) {
    return podSets.stream()
        .filter(podSet -> podSet.count() > 0)
        .filter(
            podSet -> config.managedResources().isEmpty() || podSet.uses(config.managedResources()))
        .collect(ImmutableList.toImmutableList());
  }
}
