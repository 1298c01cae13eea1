package io.kueue4j.examples.controller.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Toleration;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.k8s.job.JobPodSet;
import io.kueue4j.k8s.job.JobSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/** The original values of what a start changes in a job, as JSON; empty values are omitted. */
final class SnapshotJson {
  private SnapshotJson() {}

  static ObjectNode write(JobSnapshot snapshot) {
    ObjectNode json = Json.object();
    ArrayNode podSets = json.putArray("podSets");
    snapshot.podSets().forEach(podSet -> write(podSet, podSets.addObject()));
    put(json, "fields", snapshot.fields().values());
    put(json, "present", snapshot.fields().present());
    return json;
  }

  private static void write(JobSnapshot.PodTemplate podSet, ObjectNode json) {
    json.put("name", podSet.name());
    json.put("hasMetadata", podSet.hasMetadata());
    put(json, "labels", podSet.labels());
    put(json, "annotations", podSet.annotations());
    put(json, "nodeSelector", podSet.nodeSelector());
    put(json, "tolerations", podSet.tolerations());
    put(json, "schedulingGates", podSet.schedulingGates());
    podSet.affinity().ifPresent(affinity -> json.set("affinity", Json.tree(affinity)));
    podSet.counts().ifPresent(counts -> {
      ObjectNode written = json.putObject("counts");
      counts.parallelism().ifPresent(count -> written.put("parallelism", count));
      counts.completions().ifPresent(count -> written.put("completions", count));
    });
  }

  private static void put(ObjectNode json, String field, Object values) {
    JsonNode tree = Json.tree(values);
    if (!tree.isEmpty()) {
      json.set(field, tree);
    }
  }

  static JobSnapshot read(JsonNode json) {
    Map<String, Object> fields = new LinkedHashMap<>();
    json.path("fields")
        .forEachEntry((field, value) -> fields.put(field, Json.as(value, Object.class)));
    return new JobSnapshot(
        Json.list(json, "podSets", SnapshotJson::podSet),
        new JobSnapshot.SavedFields(
            fields, new TreeSet<>(Json.list(json, "present", JsonNode::textValue))));
  }

  private static JobSnapshot.PodTemplate podSet(JsonNode json) {
    return new JobSnapshot.PodTemplate(
        Json.text(json, "name"),
        json.path("hasMetadata").booleanValue(),
        Json.map(json, "labels", JsonNode::textValue),
        Json.map(json, "annotations", JsonNode::textValue),
        Json.map(json, "nodeSelector", JsonNode::textValue),
        Json.list(json, "tolerations", item -> Json.as(item, Toleration.class)),
        Json.list(json, "schedulingGates", item -> Json.as(item, PodSchedulingGate.class)),
        Optional.ofNullable(json.get("affinity")).map(node -> Json.as(node, Affinity.class)),
        Optional.ofNullable(json.get("counts"))
            .map(counts ->
                new JobPodSet.Counts(count(counts, "parallelism"), count(counts, "completions"))));
  }

  private static OptionalInt count(JsonNode json, String field) {
    return json.has(field) ? OptionalInt.of(Json.number(json, field)) : OptionalInt.empty();
  }
}
