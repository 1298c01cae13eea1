package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.Trees;
import org.jspecify.annotations.Nullable;

/**
 * Shows the admission in a Workload as a note on its job, so that a job and its admission are one
 * object for the checks; by code of its own.
 */
final class NotedWorkloads {
  private NotedWorkloads() {}

  /** {@return the uid of the job of a Workload} */
  static String owner(JsonNode workload) {
    for (JsonNode owner : workload.at("/metadata/ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return owner.path("uid").asText();
      }
    }
    return "";
  }

  /** {@return a copy of a job with the admission in its Workload as the only note} */
  static ObjectNode noted(ObjectNode job, StrictCluster cluster) {
    String uid = job.at("/metadata/uid").asText();
    return noted(
        job,
        cluster.trees("Workload").stream()
            .filter(workload -> owner(workload).equals(uid))
            .findFirst()
            .orElse(null));
  }

  /** {@return a copy of a job with the admission in {@code workload} as the only note} */
  static ObjectNode noted(ObjectNode job, @Nullable ObjectNode workload) {
    ObjectNode noted = job.deepCopy();
    ObjectNode annotations = Trees.child(noted, "metadata", "annotations");
    annotations.remove("kueue4j.io/admission");
    if (workload != null
        && condition(workload, "QuotaReserved").path("status").asText("").equals("True")) {
      annotations.put("kueue4j.io/admission", note(workload).toString());
    }
    return noted;
  }

  private static ObjectNode note(ObjectNode workload) {
    ObjectNode note = JsonNodeFactory.instance.objectNode();
    note.put("uid", owner(workload));
    note.put("workload", workload.at("/metadata/name").asText());
    note.set("admission", workload.at("/status/admission"));
    note.put(
        "quotaReservedTime",
        condition(workload, "QuotaReserved").path("lastTransitionTime").asText());
    JsonNode stopping = condition(workload, "kueue4j.io/Stopping");
    if (stopping.path("status").asText("").equals("True")) {
      note.putObject("stopping")
          .put("reason", stopping.path("reason").asText())
          .put("time", stopping.path("lastTransitionTime").asText());
    }
    return note;
  }

  private static JsonNode condition(ObjectNode workload, String type) {
    for (JsonNode condition : workload.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return JsonNodeFactory.instance.objectNode();
  }
}
