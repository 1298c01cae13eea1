package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.AdmissionWriter;
import io.kueue4j.k8s.kueue.WorkloadReader;
import io.kueue4j.k8s.yaml.ManifestException;
import java.util.Optional;

/** Notes on jobs as JSON. The admission has the form of Kueue's {@code Workload.status}. */
final class NoteJson {
  private static final ManifestReader MANIFESTS = ManifestReader.create();
  private static final WorkloadReader ADMISSIONS = new WorkloadReader(template -> PodSet.builder());

  private NoteJson() {}

  static ObjectNode write(AdmissionNote note) {
    Workload workload = note.workload();
    ObjectNode json = Json.object()
        .put("uid", note.uid())
        .put("workload", workload.name())
        .put("workloadUid", workload.uid())
        .put("localQueue", workload.queueName())
        .put("priority", workload.priority());
    workload.priorityClass().ifPresent(name -> json.put("priorityClass", name));
    workload.creationTime().ifPresent(time -> json.put("creationTime", time.toString()));
    ArrayNode podSets = json.putArray("podSets");
    for (PodSet podSet : workload.podSets()) {
      ObjectNode written =
          podSets.addObject().put("name", podSet.name()).put("count", podSet.count());
      podSet.minCount().ifPresent(count -> written.put("minCount", count));
      ObjectNode requests = written.putObject("requests");
      podSet
          .requests()
          .forEach((resource, amount) -> requests.put(resource, Quantity.format(resource, amount)));
    }
    if (!workload.reclaimablePods().isEmpty()) {
      ObjectNode reclaimable = json.putObject("reclaimablePods");
      workload.reclaimablePods().forEach(reclaimable::put);
    }
    json.put("quotaReservedTime", note.admission().quotaReservedTime().toString());
    json.set("admission", Json.tree(AdmissionWriter.v1beta2().write(note.admission())));
    if (!note.slices().isEmpty()) {
      json.set("slices", Json.parse(note.slices()));
    }
    note.stopping()
        .ifPresent(stopping -> json.putObject("stopping")
            .put("reason", stopping.reason())
            .put("message", stopping.message())
            .put("time", stopping.time().toString()));
    json.set("status", StatusJson.write(note.status()));
    json.set("before", SnapshotJson.write(note.before()));
    return json;
  }

  /**
   * {@return the note}
   *
   * @param namespace the namespace of the job
   * @throws IllegalArgumentException if it has another form; says what is wrong
   */
  static AdmissionNote read(String namespace, JsonNode json) {
    Workload.Builder workload = Workload.builder()
        .namespace(namespace)
        .name(Json.text(json, "workload"))
        .uid(Json.text(json, "workloadUid"))
        .queueName(Json.text(json, "localQueue"))
        .priority(Json.number(json, "priority"))
        .priorityClass(Json.optionalText(json, "priorityClass"))
        .addAllPodSets(Json.list(json, "podSets", NoteJson::podSet))
        .putAllReclaimablePods(Json.map(json, "reclaimablePods", JsonNode::asInt));
    if (json.has("creationTime")) {
      workload.creationTime(Json.time(json, "creationTime"));
    }
    Workload read = workload.build();
    return new AdmissionNote(
        Json.text(json, "uid"),
        read,
        admission(read, json),
        StatusJson.read(json.path("status")),
        json.has("stopping") ? Optional.of(stopping(json.path("stopping"))) : Optional.empty(),
        SnapshotJson.read(json.path("before")),
        json.has("slices") ? Json.text(json.path("slices")) : "");
  }

  private static Stopping stopping(JsonNode json) {
    return new Stopping(
        Json.text(json, "reason"), Json.text(json, "message"), Json.time(json, "time"));
  }

  private static PodSet podSet(JsonNode json) {
    PodSet.Builder podSet =
        PodSet.builder().name(Json.text(json, "name")).count(Json.number(json, "count"));
    if (json.has("minCount")) {
      podSet.minCount(Json.number(json, "minCount"));
    }
    Json.map(json, "requests", JsonNode::asText)
        .forEach(
            (resource, text) -> podSet.requestAmount(resource, Quantity.amount(resource, text)));
    return podSet.build();
  }

  /** Reads the admission where Kueue writes it, in a Workload that has nothing else. */
  private static Admission admission(Workload workload, JsonNode json) {
    ObjectNode object =
        Json.object().put("apiVersion", "kueue.x-k8s.io/v1beta2").put("kind", "Workload");
    object
        .putObject("metadata")
        .put("namespace", workload.namespace())
        .put("name", workload.name());
    ObjectNode spec = object.putObject("spec").put("queueName", workload.queueName());
    ArrayNode podSets = spec.putArray("podSets");
    workload
        .podSets()
        .forEach(podSet -> podSets
            .addObject()
            .put("name", podSet.name())
            .put("count", podSet.count())
            .putObject("template"));
    ObjectNode status = object.putObject("status");
    status.set("admission", json.path("admission"));
    status
        .putArray("conditions")
        .addObject()
        .put("type", "QuotaReserved")
        .put("status", "True")
        .put("reason", "QuotaReserved")
        .put("message", "")
        .put("lastTransitionTime", Json.text(json, "quotaReservedTime"));
    try {
      return ADMISSIONS
          .read(MANIFESTS
              .read(ManifestSource.of(Json.as(object, GenericKubernetesResource.class)))
              .items()
              .get(0))
          .admission()
          .orElseThrow(() -> new IllegalArgumentException("there is no admission"));
    } catch (ManifestException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
