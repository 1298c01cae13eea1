package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Defaults and validation of pods: hardly anything of a pod may change, except that scheduling
 * gates may be taken away and, while there are any, node selectors and required node affinity may
 * be made stricter.
 */
final class PodRules implements KindRules {
  private static final String FORBIDDEN =
      "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
          + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
          + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
          + " be set to 1 if it was previously negative)";

  @Override
  public void prepareForCreate(ObjectNode pod) {
    PodDefaults.applyToPod(Trees.child(pod, "spec"));
    for (String condition : List.of("not-ready", "unreachable")) {
      tolerate(Trees.child(pod, "spec"), "node.kubernetes.io/" + condition);
    }
    ObjectNode status = pod.putObject("status");
    status.put("phase", "Pending");
  }

  /** Five minutes, unless the pod specifies a time; an admission plugin that is always on. */
  private static void tolerate(ObjectNode spec, String taint) {
    ArrayNode tolerations =
        spec.get("tolerations") instanceof ArrayNode array ? array : spec.putArray("tolerations");
    for (JsonNode toleration : tolerations) {
      String key = toleration.path("key").asText();
      String effect = toleration.path("effect").asText();
      if ((key.isEmpty() || key.equals(taint))
          && (effect.isEmpty() || effect.equals("NoExecute"))) {
        return;
      }
    }
    tolerations
        .addObject()
        .put("key", taint)
        .put("operator", "Exists")
        .put("effect", "NoExecute")
        .put("tolerationSeconds", 300);
  }

  @Override
  public List<String> violations(ObjectNode pod) {
    return Trees.same(Trees.at(pod, "spec", "containers"), null)
        ? List.of("spec.containers: Required value")
        : List.of();
  }

  @Override
  public List<String> violations(ObjectNode old, ObjectNode now) {
    List<String> causes = new ArrayList<>();
    ObjectNode stored = Trees.child(old, "spec").deepCopy();
    JsonNode given = now.path("spec");
    Set<JsonNode> gates = elements(stored.path("schedulingGates"));
    for (JsonNode gate : given.path("schedulingGates")) {
      if (!gates.contains(gate)) {
        causes.add("spec.schedulingGates: Forbidden: only deletion is allowed, but found new"
            + " scheduling gate '" + gate.path("name").asText() + "'");
      }
    }
    if (!elements(given.path("tolerations")).containsAll(elements(stored.path("tolerations")))) {
      causes.add("spec.tolerations: Forbidden: existing toleration can not be modified except its"
          + " tolerationSeconds");
    }
    Trees.set(stored, "schedulingGates", given.get("schedulingGates"));
    Trees.set(stored, "tolerations", given.get("tolerations"));
    Trees.set(stored, "activeDeadlineSeconds", given.get("activeDeadlineSeconds"));
    copyImages(stored.path("initContainers"), given.path("initContainers"));
    copyImages(stored.path("containers"), given.path("containers"));
    if (!gates.isEmpty()) {
      checkSelector(stored.path("nodeSelector"), given.path("nodeSelector"), causes);
      Trees.set(stored, "nodeSelector", given.get("nodeSelector"));
      copyAffinity(stored, given);
    }
    if (causes.isEmpty() && !Trees.same(stored, given)) {
      causes.add(FORBIDDEN);
    }
    return causes;
  }

  private static void checkSelector(JsonNode stored, JsonNode given, List<String> causes) {
    stored.properties().forEach(label -> {
      if (!label.getValue().equals(given.get(label.getKey()))) {
        causes.add("spec.nodeSelector: Invalid value: " + given
            + ": only additions to spec.nodeSelector are allowed (no mutations or deletions)");
      }
    });
  }

  /** May be set if nothing was required before. */
  private static void copyAffinity(ObjectNode stored, JsonNode given) {
    String required = "requiredDuringSchedulingIgnoredDuringExecution";
    JsonNode wanted = Trees.at(given, "affinity", "nodeAffinity");
    if (Trees.at(stored, "affinity", "nodeAffinity", required).isMissingNode()
        && !wanted.isMissingNode()) {
      Trees.set(Trees.child(stored, "affinity", "nodeAffinity"), required, wanted.get(required));
    }
  }

  private static void copyImages(JsonNode stored, JsonNode given) {
    for (int i = 0; i < Math.min(stored.size(), given.size()); i++) {
      Trees.set((ObjectNode) stored.get(i), "image", given.get(i).get("image"));
    }
  }

  private static Set<JsonNode> elements(JsonNode list) {
    Set<JsonNode> elements = new LinkedHashSet<>();
    list.forEach(elements::add);
    return elements;
  }
}
