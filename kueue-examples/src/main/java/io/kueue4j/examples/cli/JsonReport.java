package io.kueue4j.examples.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.Event;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.simulation.PhaseDifference;
import io.kueue4j.k8s.status.AdmissionWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * Prints phases as JSON.
 *
 * <p>Keys have a fixed order. Names are the jobs' own, {@code workload} is the name of the
 * Workload. Absent values are null, or empty if they are lists, objects or text.
 */
public final class JsonReport {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
  private static final ObjectWriter WRITER = MAPPER.writer(
      new DefaultPrettyPrinter().withObjectIndenter(INDENTER).withArrayIndenter(INDENTER));

  private JsonReport() {}

  /** Prints phases. */
  public static void print(List<Phase> phases, PrintWriter out) {
    print(phases, Optional.empty(), out);
  }

  /** Prints phases, and the differences from the last of them if requested. */
  static void print(List<Phase> phases, Optional<PhaseDifference> whatIf, PrintWriter out) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode array = root.putArray("phases");
    phases.forEach(phase -> write(phase, array.addObject()));
    whatIf.ifPresent(difference -> write(difference, root.putObject("whatIf")));
    print(root, out);
  }

  /** {@return an object to fill} */
  static ObjectNode newObject() {
    return MAPPER.createObjectNode();
  }

  /** Prints an object followed by a line end. */
  static void print(ObjectNode root, PrintWriter out) {
    try {
      out.println(WRITER.writeValueAsString(root));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values is always written", e);
    }
  }

  private static void write(Phase phase, ObjectNode json) {
    json.put("title", phase.title());
    ArrayNode workloads = json.putArray("workloads");
    phase.jobs().forEach(job -> write(job, workloads.addObject()));
    ArrayNode clusterQueues = json.putArray("clusterQueues");
    phase.clusterQueues().forEach(queue -> write(queue, clusterQueues.addObject()));
    ArrayNode events = json.putArray("events");
    phase.events().forEach(event -> write(event, events.addObject()));
  }

  private static void write(PhaseDifference difference, ObjectNode json) {
    ArrayNode workloads = json.putArray("workloads");
    for (PhaseDifference.JobChange change : difference.jobs()) {
      ObjectNode workload = workloads.addObject();
      write(change.before(), workload.putObject("before"));
      write(change.after(), workload.putObject("after"));
      ArrayNode reasons = workload.putArray("reasons");
      change.reasons().forEach(reasons::add);
    }
    ArrayNode clusterQueues = json.putArray("clusterQueues");
    for (PhaseDifference.QueueChange change : difference.clusterQueues()) {
      ObjectNode queue = clusterQueues.addObject().put("name", change.name());
      write("before", change.before(), queue);
      write("after", change.after(), queue);
    }
  }

  private static void write(String key, Optional<ClusterQueueView> queue, ObjectNode json) {
    queue.ifPresentOrElse(view -> write(view, json.putObject(key)), () -> json.putNull(key));
  }

  /** Writes a job. */
  static void write(JobReport report, ObjectNode json) {
    json.put("name", report.job().name())
        .put("workload", report.job().workload().name())
        .put("namespace", report.job().namespace())
        .put("queue", report.job().workload().queueName())
        .put("clusterQueue", report.clusterQueue().orElse(null))
        .put("status", report.status().toString())
        .put("priority", report.job().workload().priority());
    ArrayNode podSets = json.putArray("podSets");
    report.podSets().forEach(podSet -> {
      ObjectNode written =
          podSets.addObject().put("name", podSet.name()).put("count", podSet.count());
      ObjectNode flavors = written.putObject("flavors");
      podSet.flavors().forEach(flavors::put);
      written.set(
          "topologyAssignment",
          MAPPER.valueToTree(
              podSet.topologyAssignment().map(AdmissionWriter.v1beta1()::write).orElse(null)));
      ArrayNode slices = written.putArray("slices");
      podSet.slices().forEach(slice -> write(slice, slices.addObject()));
    });
    ArrayNode reasons = json.putArray("reasons");
    report.reasons().forEach(reasons::add);
    report
        .explanation()
        .ifPresentOrElse(
            explanation -> ExplanationJson.write(explanation, json.putObject("explanation")),
            () -> json.putNull("explanation"));
  }

  private static void write(SliceAssignment slice, ObjectNode json) {
    json.put("shape", slice.placement().shape().toString())
        .put("poolSet", slice.poolSet())
        .put("pool", slice.pool())
        .put("axes", slice.placement().order().toString());
    ArrayNode hosts = json.putArray("hosts");
    slice.hosts().forEach(hosts::add);
    ArrayNode partitions = json.putArray("partitionIds");
    slice.partitionIds().forEach(partitions::add);
  }

  private static void write(ClusterQueueView queue, ObjectNode json) {
    json.put("name", queue.name())
        .put("pending", queue.waitingCount())
        .put("admitted", PhaseDifference.admitted(queue));
    json.put("cohort", queue.spec().cohort().orElse(null))
        .put("queueingStrategy", queue.spec().queueingStrategy().toString())
        .put("active", queue.isActive())
        .put("inactivity", queue.inactivity().orElse(null));
    ObjectNode used = json.putObject("usage");
    ObjectNode nominal = json.putObject("nominalQuota");
    for (QuotaUsage usage : queue.usage()) {
      String resource = usage.resource();
      used.withObjectProperty(usage.flavor())
          .put(resource, Quantity.format(resource, usage.used()));
      nominal
          .withObjectProperty(usage.flavor())
          .put(resource, Quantity.format(resource, usage.nominal()));
    }
  }

  private static void write(Event event, ObjectNode json) {
    json.put("type", event.type().toString())
        .put("workload", event.job().workload().name())
        .put("namespace", event.job().namespace())
        .put("by", event.by())
        .put("reason", event.reason());
  }
}
