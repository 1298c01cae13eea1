package io.kueue4j.examples.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.k8s.internal.yaml.BackfillAnnotations;
import java.util.function.Predicate;

/**
 * Removes all fields of objects that decide nothing, such as images (but the image of Kueue),
 * environments, and most labels.
 */
final class NeededFields {
  private static final String KUEUE = "kueue.x-k8s.io/";
  private static final ImmutableSet<String> BACKFILL =
      ImmutableSet.of(BackfillAnnotations.EXPECTED_DURATION, BackfillAnnotations.BACKFILL_DEPTH);
  private static final String GKE = "cloud.google.com/gke-";

  private static final ImmutableSet<String> OBJECT =
      ImmutableSet.of("apiVersion", "kind", "metadata", "spec");
  private static final ImmutableMap<String, ImmutableSet<String>> OTHER_OBJECTS =
      ImmutableMap.<String, ImmutableSet<String>>builder()
          .put("Namespace", ImmutableSet.of("apiVersion", "kind", "metadata"))
          .put("WorkloadPriorityClass", ImmutableSet.of("apiVersion", "kind", "metadata", "value"))
          .put("Workload", withStatus())
          .put("AdmissionCheck", withStatus())
          .put("LocalQueue", withStatus())
          .put("Node", withStatus())
          .put("Pod", withStatus())
          .put(
              "Configuration",
              ImmutableSet.of(
                  "apiVersion",
                  "kind",
                  "manageJobsWithoutQueueName",
                  "fairSharing",
                  "admissionFairSharing",
                  "waitForPodsReady",
                  "resources",
                  "featureGates"))
          .buildOrThrow();

  private static final ImmutableSet<String> WORKLOAD_STATUS = ImmutableSet.of(
      "accumulatedPastExecutionTimeSeconds",
      "accumulatedPastExexcutionTimeSeconds", // so in v1beta1
      "admission",
      "admissionChecks",
      "conditions",
      "preemptionGates",
      "reclaimablePods",
      "requeueState",
      "schedulingStats",
      "unhealthyNodes");
  private static final ImmutableSet<String> METADATA = ImmutableSet.of(
      "name",
      "namespace",
      "uid",
      "creationTimestamp",
      "deletionTimestamp",
      "labels",
      "annotations",
      "ownerReferences");
  private static final ImmutableSet<String> OWNER =
      ImmutableSet.of("apiVersion", "kind", "name", "uid", "controller");
  private static final ImmutableSet<String> POD = ImmutableSet.of(
      "affinity",
      "containers",
      "initContainers",
      "nodeName",
      "nodeSelector",
      "overhead",
      "priority",
      "priorityClassName",
      "resourceClaims",
      "resources",
      "restartPolicy",
      "schedulingGates",
      "tolerations");
  private static final ImmutableSet<String> CONTAINER =
      ImmutableSet.of("name", "resources", "restartPolicy");
  private static final ImmutableSet<String> RESOURCES = ImmutableSet.of("requests", "limits");

  private final ImmutableSet<String> labels;

  /** Creates the filter for objects among which nodes and namespaces are selected by labels. */
  NeededFields(Iterable<ObjectNode> objects) {
    ImmutableSet.Builder<String> keys = ImmutableSet.builder();
    keys.add("kubernetes.io/hostname", "kubernetes.io/metadata.name");
    objects.forEach(object -> {
      if (!isDeployment(object)) {
        addKeys(object, keys);
      }
    });
    labels = keys.build();
  }

  private static ImmutableSet<String> withStatus() {
    return ImmutableSet.<String>builder().addAll(OBJECT).add("status").build();
  }

  private static void addKeys(JsonNode node, ImmutableSet.Builder<String> keys) {
    node.properties().forEach(field -> {
      JsonNode value = field.getValue();
      switch (field.getKey()) {
        case "nodeLabels", "nodeSelector", "matchLabels" ->
          value.fieldNames().forEachRemaining(keys::add);
        case "key", "nodeLabel" -> keys.add(value.asText());
        default -> addKeys(value, keys);
      }
    });
    if (node.isArray()) {
      node.forEach(item -> addKeys(item, keys));
    }
  }

  /** Removes what is not needed from an object. */
  void retain(ObjectNode object) {
    String kind = object.path("kind").asText();
    object.retain(OTHER_OBJECTS.getOrDefault(kind, OBJECT));
    metadata(object, kind);
    if (isDeployment(object)) {
      image(object);
      return;
    }
    if (kind.equals("Pod")) {
      pod(object.path("spec"));
      retain(object.path("status"), ImmutableSet.of("phase"));
    } else if (kind.equals("Node")) {
      retain(object.path("spec"), ImmutableSet.of("taints", "unschedulable"));
      retain(object.path("status"), ImmutableSet.of("allocatable", "capacity", "conditions"));
      object
          .path("status")
          .path("conditions")
          .forEach(condition -> retain(condition, ImmutableSet.of("type", "status")));
    } else if (kind.equals("AdmissionCheck")) {
      retain(object.path("spec"), ImmutableSet.of("controllerName"));
    } else if (kind.equals("LocalQueue")) {
      localQueueStatus(object);
    } else if (kind.equals("Workload")) {
      retain(object.path("status"), WORKLOAD_STATUS);
      if (object.path("status").isEmpty()) {
        object.remove("status");
      }
      for (JsonNode podSet : object.path("spec").path("podSets")) {
        JsonNode template = podSet.path("template");
        retain(template, ImmutableSet.of("metadata", "spec"));
        if (template instanceof ObjectNode given) {
          metadata(given, kind);
        }
        pod(template.path("spec"));
      }
    }
  }

  /** {@return whether an object is the Deployment of Kueue's manager} No other one is stored. */
  static boolean isDeployment(ObjectNode object) {
    return object.path("kind").asText().equals("Deployment");
  }

  /** Retains what says the version of Kueue. */
  private static void image(ObjectNode deployment) {
    retain(deployment.path("metadata"), ImmutableSet.of("name"));
    JsonNode spec = deployment.path("spec");
    retain(spec, ImmutableSet.of("template"));
    retain(spec.path("template"), ImmutableSet.of("spec"));
    JsonNode pod = spec.path("template").path("spec");
    retain(pod, ImmutableSet.of("containers"));
    pod.path("containers")
        .forEach(container -> retain(container, ImmutableSet.of("name", "image")));
  }

  /** Retains the past usage. */
  private static void localQueueStatus(ObjectNode object) {
    JsonNode fairSharing = object.path("status").path("fairSharing");
    if (fairSharing.path("admissionFairSharingStatus").isObject()) {
      retain(object.path("status"), ImmutableSet.of("fairSharing"));
      retain(fairSharing, ImmutableSet.of("admissionFairSharingStatus", "weightedShare"));
    } else {
      object.remove("status");
    }
  }

  private void metadata(ObjectNode object, String kind) {
    JsonNode metadata = object.path("metadata");
    retain(metadata, METADATA);
    boolean isSelected = kind.equals("Node") || kind.equals("Namespace");
    keys(
        metadata,
        "labels",
        key -> isSelected ? labels.contains(key) || key.startsWith(GKE) : key.startsWith(KUEUE));
    keys(
        metadata,
        "annotations",
        key -> key.startsWith(KUEUE) || BACKFILL.contains(key) || key.startsWith(GKE));
    metadata.path("ownerReferences").forEach(owner -> retain(owner, OWNER));
    if (metadata.isEmpty()) {
      object.remove("metadata");
    }
  }

  private static void keys(JsonNode metadata, String field, Predicate<String> isNeeded) {
    if (metadata.path(field) instanceof ObjectNode map) {
      map.properties().removeIf(entry -> !isNeeded.test(entry.getKey()));
      if (map.isEmpty() && metadata instanceof ObjectNode holder) {
        holder.remove(field);
      }
    }
  }

  private static void pod(JsonNode spec) {
    retain(spec, POD);
    retain(spec.path("affinity"), ImmutableSet.of("nodeAffinity"));
    for (String field : new String[] {"containers", "initContainers"}) {
      if (spec.path(field) instanceof ArrayNode containers) {
        containers.forEach(container -> {
          retain(container, CONTAINER);
          retain(container.path("resources"), RESOURCES);
        });
      }
    }
  }

  private static void retain(JsonNode node, ImmutableSet<String> fields) {
    if (node instanceof ObjectNode object) {
      object.retain(fields);
    }
  }
}
