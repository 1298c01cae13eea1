package io.kueue4j.examples.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.api.model.PodTemplateBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.examples.controller.object.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Creates the objects that a check writes. */
final class ProvisioningObjects {
  private static final ImmutableMap<String, String> LABELS =
      ImmutableMap.of("kueue.x-k8s.io/managed", "true");

  private ProvisioningObjects() {}

  /** {@return the request, owned by its workload} */
  static GenericKubernetesResource request(
      GenericKubernetesResource workload, ProvisioningPlan.NewRequest request) {
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion(NodeRequest.GROUP + "/v1");
    object.setKind(NodeRequest.KIND);
    object.setMetadata(new ObjectMetaBuilder()
        .withNamespace(workload.getMetadata().getNamespace())
        .withName(request.name())
        .withLabels(LABELS)
        .withOwnerReferences(owner(workload))
        .build());
    object.setAdditionalProperty(
        "spec",
        Map.of(
            "provisioningClassName",
            request.className(),
            "parameters",
            request.parameters(),
            "podSets",
            request.pods().stream()
                .map(pods -> Map.of(
                    "podTemplateRef",
                    Map.of(
                        "name",
                        ProvisioningNames.podTemplate(
                            request.name(), pods.podSet().name())),
                    "count",
                    pods.count()))
                .collect(ImmutableList.toImmutableList())));
    return object;
  }

  /**
   * {@return the template of requested pods as they will run: on the nodes of their flavors, and
   * with limits in place of missing requests}
   *
   * @param owner the object with which the template is deleted
   * @param flavors the flavors of the pods
   */
  static PodTemplate template(
      GenericKubernetesResource owner,
      String name,
      ProvisionedWorkload.PodSet podSet,
      Iterable<GenericKubernetesResource> flavors) {
    PodSpec spec = podSet.spec();
    Map<String, String> selector =
        new LinkedHashMap<>(ProvisionedWorkload.orEmpty(spec.getNodeSelector()));
    Set<Toleration> tolerations = new LinkedHashSet<>(spec.getTolerations());
    for (GenericKubernetesResource flavor : flavors) {
      JsonNode fields = Json.tree(flavor).path("spec");
      selector.putAll(Json.map(fields, "nodeLabels", JsonNode::asText));
      tolerations.addAll(
          Json.list(fields, "tolerations", toleration -> Json.as(toleration, Toleration.class)));
    }
    return new PodTemplateBuilder()
        .withNewMetadata()
        .withNamespace(owner.getMetadata().getNamespace())
        .withName(name)
        .withLabels(LABELS)
        .withOwnerReferences(owner(owner))
        .endMetadata()
        .withTemplate(new PodTemplateSpecBuilder(podSet.template())
            .withSpec(new PodSpecBuilder(spec)
                .withNodeSelector(selector)
                .withTolerations(List.copyOf(tolerations))
                .withContainers(requested(spec.getContainers()))
                .withInitContainers(requested(spec.getInitContainers()))
                .build())
            .build())
        .build();
  }

  private static List<Container> requested(List<Container> containers) {
    return containers.stream()
        .map(container -> container.getResources() == null
            ? container
            : new ContainerBuilder(container)
                .editResources()
                .withRequests(requests(container))
                .endResources()
                .build())
        .toList();
  }

  private static Map<String, Quantity> requests(Container container) {
    Map<String, Quantity> requests =
        new LinkedHashMap<>(ProvisionedWorkload.orEmpty(container.getResources().getLimits()));
    requests.putAll(ProvisionedWorkload.orEmpty(container.getResources().getRequests()));
    return requests;
  }

  static OwnerReference owner(GenericKubernetesResource object) {
    return new OwnerReferenceBuilder()
        .withApiVersion(object.getApiVersion())
        .withKind(object.getKind())
        .withName(object.getMetadata().getName())
        .withUid(object.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }

  /**
   * {@return the configuration by which the states of checks are applied to a workload}
   *
   * @param states the new states; those that have changed get the given time
   */
  static GenericKubernetesResource states(
      GenericKubernetesResource workload,
      ProvisionedWorkload before,
      Iterable<AdmissionCheckState> states,
      Instant now) {
    ImmutableList.Builder<Map<String, Object>> checks = ImmutableList.builder();
    for (AdmissionCheckState state : states) {
      boolean isNew = before.checks().stream()
          .noneMatch(
              known -> known.name().equals(state.name()) && known.state().equals(state.state()));
      checks.add(check(state, isNew ? now : state.lastTransitionTime()));
    }
    return status(workload, Map.of("admissionChecks", checks.build()));
  }

  /**
   * {@return the configuration to apply a status; the version in it keeps it from undoing what
   * others have written meanwhile}
   */
  private static GenericKubernetesResource status(
      GenericKubernetesResource object, Map<String, Object> status) {
    GenericKubernetesResource applied = new GenericKubernetesResource();
    applied.setApiVersion(object.getApiVersion());
    applied.setKind(object.getKind());
    applied.setMetadata(new ObjectMetaBuilder()
        .withNamespace(object.getMetadata().getNamespace())
        .withName(object.getMetadata().getName())
        .withUid(object.getMetadata().getUid())
        .withResourceVersion(object.getMetadata().getResourceVersion())
        .build());
    applied.setAdditionalProperty("status", status);
    return applied;
  }

  /** {@return the configuration by which the condition of a check is applied} */
  static GenericKubernetesResource activity(
      GenericKubernetesResource check, boolean isActive, Instant now) {
    return status(
        check,
        Map.of(
            "conditions",
            ImmutableList.of(Map.of(
                "type",
                "Active",
                "status",
                isActive ? "True" : "False",
                "reason",
                isActive ? "Active" : "BadParametersRef",
                "message",
                isActive
                    ? "The admission check is active"
                    : "the ProvisioningRequestConfig that spec.parameters names does not exist",
                "lastTransitionTime",
                now.truncatedTo(ChronoUnit.SECONDS).toString(),
                "observedGeneration",
                check.getMetadata().getGeneration()))));
  }

  private static Map<String, Object> check(AdmissionCheckState state, Instant since) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", state.name());
    fields.put("state", state.state().toString());
    fields.put("lastTransitionTime", since.truncatedTo(ChronoUnit.SECONDS).toString());
    fields.put("message", state.message());
    state.requeueAfter().ifPresent(delay -> fields.put("requeueAfterSeconds", delay.toSeconds()));
    if (state.retryCount() > 0) {
      fields.put("retryCount", state.retryCount());
    }
    if (!state.podSetUpdates().isEmpty()) {
      fields.put(
          "podSetUpdates",
          ImmutableList.copyOf(
              Iterables.transform(state.podSetUpdates(), ProvisioningObjects::update)));
    }
    return fields;
  }

  private static Map<String, Object> update(PodSetUpdate update) {
    return Map.of(
        "name", update.name(),
        "annotations", update.annotations(),
        "nodeSelector", update.nodeSelector());
  }
}
