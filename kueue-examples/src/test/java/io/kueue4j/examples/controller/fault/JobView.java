package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.cluster.JobSetSimulator;
import io.kueue4j.examples.controller.cluster.JobSimulator;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A Job or JobSet with the Workload that records its admission, as anybody sees them who reads
 * their fields, by code of its own: nothing of the library is asked.
 *
 * @param tree the job
 * @param workload the Workload, missing if there is none
 */
record JobView(ObjectNode tree, JsonNode workload) {
  JobView(ObjectNode tree) {
    this(tree, MissingNode.getInstance());
  }

  /** {@return a job with its Workload, if there is one} */
  static JobView of(ObjectNode job, @Nullable ObjectNode workload) {
    return workload == null ? new JobView(job) : new JobView(job, workload);
  }

  /** {@return a job with its Workload in {@code cluster}} */
  static JobView of(ObjectNode job, StrictCluster cluster) {
    String uid = job.at("/metadata/uid").asText();
    return cluster.trees("Workload").stream()
        .filter(workload -> owner(workload).equals(uid))
        .findFirst()
        .map(workload -> new JobView(job, workload))
        .orElseGet(() -> new JobView(job));
  }

  /** {@return the uid of the job of a Workload} */
  static String owner(JsonNode workload) {
    for (JsonNode owner : workload.at("/metadata/ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return owner.path("uid").asText();
      }
    }
    return "";
  }

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

  /** {@return whether its admission is recorded} */
  boolean isRecorded() {
    return isTrue("QuotaReserved");
  }

  /** {@return whether its record says that it is being stopped} */
  boolean isStopping() {
    return isRecorded() && isTrue("kueue4j.io/Stopping");
  }

  private boolean isTrue(String type) {
    return condition(type).path("status").asText().equals("True");
  }

  private JsonNode condition(String type) {
    for (JsonNode condition : workload.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  /** {@return the recorded admission, missing if there is none} */
  JsonNode admission() {
    return isRecorded() ? workload.at("/status/admission") : MissingNode.getInstance();
  }

  Instant quotaReservedTime() {
    return Instant.parse(condition("QuotaReserved").path("lastTransitionTime").asText());
  }

  WorkloadId id() {
    return WorkloadId.of(key().namespace(), workload.at("/metadata/name").asText());
  }

  String clusterQueue() {
    return admission().path("clusterQueue").asText();
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
    for (JsonNode assignment : admission().path("podSetAssignments")) {
      if (assignment.path("name").asText().equals(part)) {
        return assignment.at("/flavors/cpu").asText();
      }
    }
    return "";
  }

  /** {@return how many pods of a part were admitted} */
  long admittedCount(String part) {
    for (JsonNode assignment : admission().path("podSetAssignments")) {
      if (assignment.path("name").asText().equals(part)) {
        return assignment.path("count").asLong();
      }
    }
    return 0;
  }

  /** {@return by flavor, what it takes by its record} */
  Map<String, Long> usageMillis() {
    Map<String, Long> usage = new TreeMap<>();
    for (Part part : parts()) {
      usage.merge(flavor(part.name()), admittedCount(part.name()) * part.cpuMillis(), Long::sum);
    }
    return usage;
  }
}
