package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.cluster.JobSetSimulator;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Job or JobSet as anybody sees it who reads its fields, by code of its own: nothing of the
 * library is asked.
 */
record JobView(ObjectNode tree) {
  private static final String NOTE = "kueue4j.io/admission";

  /** Some of its pods: where they are written, how many there are, what one of them asks for. */
  record Part(String name, long count, long cpuMillis, JsonNode template) {}

  static boolean isJob(ObjectKey key) {
    return key.kind().equals("Job") || key.kind().equals("JobSet");
  }

  ObjectKey key() {
    return ObjectKey.of(tree);
  }

  String uid() {
    return tree.at("/metadata/uid").asText();
  }

  String queue() {
    return tree.at("/metadata/labels/kueue.x-k8s.io~1queue-name").asText();
  }

  boolean isManaged() {
    return !queue().isEmpty() && !isChild();
  }

  boolean isChild() {
    return !tree.at("/metadata/ownerReferences").isMissingNode();
  }

  boolean isSuspended() {
    return tree.at("/spec/suspend").asBoolean();
  }

  boolean hasEnded() {
    return isJobSet() ? JobSetSimulator.hasEnded(tree) : JobSimulator.hasEnded(tree);
  }

  boolean isDeleting() {
    return tree.at("/metadata").has("deletionTimestamp");
  }

  private boolean isJobSet() {
    return key().kind().equals("JobSet");
  }

  /** {@return the admission, as {@link NotedWorkloads} shows it; missing if there is none} */
  JsonNode note() {
    String text = tree.at("/metadata/annotations").path(NOTE).asText();
    return text.isEmpty() ? tree.at("/nothing") : Trees.parse(text);
  }

  boolean hasNote() {
    return !tree.at("/metadata/annotations").path(NOTE).asText().isEmpty();
  }

  /** {@return the workload that the note is of} */
  WorkloadId workload() {
    return WorkloadId.of(key().namespace(), note().path("workload").asText());
  }

  String clusterQueue() {
    return note().at("/admission/clusterQueue").asText();
  }

  List<Part> parts() {
    if (!isJobSet()) {
      return List.of(part("main", 1, tree.path("spec")));
    }
    List<Part> parts = new ArrayList<>();
    for (JsonNode replicated : tree.at("/spec/replicatedJobs")) {
      parts.add(part(
          replicated.path("name").asText(),
          replicated.path("replicas").asLong(),
          replicated.at("/template/spec")));
    }
    return parts;
  }

  private static Part part(String name, long replicas, JsonNode jobSpec) {
    long parallelism = jobSpec.path("parallelism").asLong(1);
    long count = Math.min(parallelism, jobSpec.path("completions").asLong(parallelism));
    long cpu = 0;
    for (JsonNode container : jobSpec.at("/template/spec/containers")) {
      cpu += cpuMillis(container.at("/resources/requests/cpu"));
    }
    return new Part(name, replicas * count, cpu, jobSpec.path("template"));
  }

  static long cpuMillis(JsonNode quantity) {
    String text = quantity.asText("0");
    return text.endsWith("m")
        ? Long.parseLong(text.substring(0, text.length() - 1))
        : Long.parseLong(text) * 1000;
  }

  /** {@return what all its pods ask for} */
  long totalCpuMillis() {
    return parts().stream().mapToLong(part -> part.count() * part.cpuMillis()).sum();
  }

  /** {@return the flavor that a part was admitted on, empty if on none} */
  String flavor(String part) {
    for (JsonNode assignment : note().at("/admission/podSetAssignments")) {
      if (assignment.path("name").asText().equals(part)) {
        return assignment.at("/flavors/cpu").asText();
      }
    }
    return "";
  }

  /** {@return how many pods of a part were admitted} */
  long admittedCount(String part) {
    for (JsonNode assignment : note().at("/admission/podSetAssignments")) {
      if (assignment.path("name").asText().equals(part)) {
        return assignment.path("count").asLong();
      }
    }
    return 0;
  }

  /** {@return by flavor, what it takes by its note} */
  Map<String, Long> usageMillis() {
    Map<String, Long> usage = new TreeMap<>();
    for (Part part : parts()) {
      usage.merge(flavor(part.name()), admittedCount(part.name()) * part.cpuMillis(), Long::sum);
    }
    return usage;
  }
}
