package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code -o wide} prints can be written from {@code -o json} alone. */
final class JsonHasAllOfWideTest {
  private static final String TPU = "001-tpu-multislice-jobset";

  private static Stream<JsonNode> each(JsonNode array) {
    List<JsonNode> elements = new ArrayList<>();
    array.forEach(elements::add);
    return elements.stream();
  }

  private static void assertSame(Object... arguments) {
    CommandLineRun wide = CommandLineRun.of(with(new Object[] {"admit", "-o", "wide"}, arguments));
    CommandLineRun json = CommandLineRun.of(with(new Object[] {"admit", "-o", "json"}, arguments));
    assertThat(json.exitCode()).as(json.err()).isEqualTo(wide.exitCode()).isZero();

    StringWriter written = new StringWriter();
    write(Admit.parse(json.out()).get("phases"), new PrintWriter(written));

    assertThat(written).hasToString(wide.out());
  }

  @Test
  void ofPreemptions() {
    assertSame(with(
        files(
            TPU,
            "40-kueue-preemption.yaml",
            "41-priority-class.yaml",
            "20-jobsets-autopilot.yaml",
            "42-jobset-low-priority-autopilot.yaml"),
        "--order",
        "multislice-3slice,multislice-2slice,multislice-1slice,low-priority",
        "--finish",
        "low-priority"));
  }

  @Test
  void ofTopologies() {
    assertSame(files(TPU, "00-nodes.derived.yaml", "50-topology.yaml", "51-jobsets-topology.yaml"));
  }

  @Test
  void ofCohortsAndInactiveQueues(@TempDir Path folder) throws IOException {
    assertSame(Files.writeString(folder.resolve("all.yaml"), """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: lender}
        spec:
          cohortName: pool
          queueingStrategy: StrictFIFO
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu, memory]
            flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2}, {name: memory, nominalQuota: 1Gi}]}]
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: stopped}
        spec: {cohortName: pool, stopPolicy: Hold, namespaceSelector: {}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: a}, spec: {clusterQueue: lender}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: b}, spec: {clusterQueue: stopped}}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: one, labels: {kueue.x-k8s.io/queue-name: a}}
        spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1500m}}}]}}}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: two, labels: {kueue.x-k8s.io/queue-name: a}}
        spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: three, labels: {kueue.x-k8s.io/queue-name: b}}
        spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: four, labels: {kueue.x-k8s.io/queue-name: absent}}
        spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}
        """));
  }

  private static void write(JsonNode phases, PrintWriter out) {
    for (int i = 0; i < phases.size(); i++) {
      JsonNode phase = phases.get(i);
      if (phases.size() > 1) {
        out.println((i == 0 ? "" : "\n") + "PHASE " + (i + 1) + ": " + text(phase, "title"));
      }
      Map<String, String> jobs = new LinkedHashMap<>();
      TextTable table = new TextTable(ImmutableList.of(
          "NAME",
          "NAMESPACE",
          "QUEUE",
          "CLUSTERQUEUE",
          "STATUS",
          "FLAVORS",
          "WORKLOAD",
          "PODS",
          "PRIORITY",
          "REASON"));
      for (JsonNode job : phase.get("workloads")) {
        jobs.put(text(job, "workload"), text(job, "name"));
        table.add(row(job));
      }
      table.print(Screen.plain(out));
      writePlaces(phase, out);
      writePreemptions(phase, jobs, out);
      writeQueues(phase, out);
      for (JsonNode job : phase.get("workloads")) {
        if (!job.get("explanation").isNull()) {
          writeExplanation(job, job.get("explanation"), out);
        }
      }
    }
    out.flush();
  }

  /** {@return the text of a field, or {@code <none>} if it is null} */
  private static String text(JsonNode node, String field) {
    assertThat(node.has(field)).as("%s in %s", field, node).isTrue();
    return node.get(field).isNull() ? "<none>" : node.get(field).asText();
  }

  private static List<String> row(JsonNode job) {
    Set<String> flavors = new LinkedHashSet<>();
    job.get("podSets")
        .forEach(podSet -> podSet.get("flavors").forEach(f -> flavors.add(f.asText())));
    return List.of(
        text(job, "name"),
        text(job, "namespace"),
        text(job, "queue"),
        text(job, "clusterQueue"),
        text(job, "status"),
        flavors.isEmpty() ? "<none>" : String.join(",", flavors),
        text(job, "workload"),
        each(job.get("podSets"))
            .map(podSet -> text(podSet, "name") + "=" + text(podSet, "count"))
            .collect(Collectors.joining(",")),
        text(job, "priority"),
        each(job.get("reasons")).map(JsonNode::asText).collect(Collectors.joining("; ")));
  }

  private static void writePlaces(JsonNode phase, PrintWriter out) {
    TextTable table = new TextTable(List.of("NAME", "POD SET", "PODS", "DOMAINS"));
    boolean any = false;
    for (JsonNode job : phase.get("workloads")) {
      for (JsonNode podSet : job.get("podSets")) {
        JsonNode assignment = podSet.get("topologyAssignment");
        if (!assignment.isNull() && text(job, "status").equals("Admitted")) {
          table.add(List.of(
              text(job, "name"),
              text(podSet, "name"),
              text(podSet, "count"),
              each(assignment.get("domains"))
                  .map(domain -> each(domain.get("values"))
                          .map(JsonNode::asText)
                          .collect(Collectors.joining("/"))
                      + "=" + text(domain, "count"))
                  .collect(Collectors.joining(" "))));
          any = true;
        }
      }
    }
    if (any) {
      out.println();
      table.print(Screen.plain(out));
    }
  }

  private static void writePreemptions(JsonNode phase, Map<String, String> jobs, PrintWriter out) {
    TextTable table = new TextTable(List.of("PREEMPTED", "NAMESPACE", "BY", "REASON"));
    boolean any = false;
    for (JsonNode event : phase.get("events")) {
      if (text(event, "type").equals("Preempted")) {
        table.add(List.of(
            String.valueOf(jobs.get(text(event, "workload"))),
            text(event, "namespace"),
            String.valueOf(jobs.get(text(event, "by"))),
            text(event, "reason")));
        any = true;
      }
    }
    if (any) {
      out.println();
      table.print(Screen.plain(out));
    }
  }

  private static void writeQueues(JsonNode phase, PrintWriter out) {
    out.println();
    TextTable table = new TextTable(List.of(
        "NAME",
        "COHORT",
        "PENDING WORKLOADS",
        "ADMITTED WORKLOADS",
        "STRATEGY",
        "ACTIVE",
        "USAGE"));
    for (JsonNode queue : phase.get("clusterQueues")) {
      table.add(List.of(
          text(queue, "name"),
          text(queue, "cohort"),
          text(queue, "pending"),
          text(queue, "admitted"),
          text(queue, "queueingStrategy"),
          queue.get("active").asBoolean() ? "True" : "False",
          usage(queue)));
    }
    table.print(Screen.plain(out));
    each(phase.get("clusterQueues"))
        .filter(queue -> !queue.get("inactivity").isNull())
        .forEach(queue -> out.println("Inactive: " + text(queue, "inactivity")));
  }

  private static String usage(JsonNode queue) {
    List<String> flavors = new ArrayList<>();
    queue.get("usage").properties().forEach(flavor -> {
      List<String> resources = new ArrayList<>();
      flavor
          .getValue()
          .properties()
          .forEach(used -> resources.add(used.getKey() + " " + used.getValue().asText() + "/"
              + text(queue.get("nominalQuota").get(flavor.getKey()), used.getKey())));
      flavors.add(flavor.getKey() + ": " + String.join(", ", resources));
    });
    return String.join("; ", flavors);
  }

  private static void writeExplanation(JsonNode job, JsonNode explanation, PrintWriter out) {
    out.println("\n" + text(job, "name") + " is pending");
    if (!explanation.get("positionInClusterQueue").isNull()) {
      out.println("  before it: " + text(explanation, "positionInClusterQueue")
          + " in ClusterQueue " + text(job, "clusterQueue") + ", "
          + text(explanation, "positionInLocalQueue") + " in LocalQueue " + text(job, "queue")
          + (explanation.get("nextToTry").asBoolean() ? "; the next cycle tries it" : ""));
    }
    JsonNode preempted = explanation.get("preempted");
    if (!preempted.isNull()) {
      out.println("  preempted for: " + text(preempted, "by") + " in ClusterQueue "
          + text(preempted, "clusterQueue") + " (" + text(preempted, "reason") + ")");
    }
    explanation.get("reasons").forEach(reason -> {
      out.println("  because: " + text(reason, "message"));
      if (!reason.get("figures").isNull()) {
        writeFigures(reason.get("figures"), out);
      }
    });
    JsonNode remedies = explanation.get("remedies");
    for (int i = 0; i < remedies.size(); i++) {
      out.println(
          (i == 0 ? "  would be admitted if: " : "  or if: ") + text(remedies.get(i), "message"));
    }
  }

  private static void writeFigures(JsonNode figures, PrintWriter out) {
    out.println("    requested " + text(figures, "requested") + ", available "
        + text(figures, "available") + ", nominal quota " + text(figures, "nominal") + ", used "
        + text(figures, "used"));
    JsonNode limit = figures.get("limit");
    out.println("    limited by the " + text(limit, "kind") + " " + text(limit, "owner") + ": "
        + text(limit, "used") + " of " + text(limit, "amount") + " in use");
    if (!figures.get("holders").isEmpty()) {
      String others = text(figures, "otherHolders");
      out.println("    held by "
          + each(figures.get("holders"))
              .map(holder -> text(holder, "workload") + " in " + text(holder, "clusterQueue") + " ("
                  + text(holder, "amount") + ")")
              .collect(Collectors.joining(", "))
          + (others.equals("0") ? "" : " and " + others + " more"));
    }
  }
}
