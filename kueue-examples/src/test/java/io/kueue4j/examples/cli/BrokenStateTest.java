package io.kueue4j.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of a cluster with fields that are missing or altered is refused, or used, in words. */
class BrokenStateTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int TRIES = 60 * Integer.getInteger("kueue4j.tries", 1);

  /** Nodes, placed pods, and Workloads with places in both versions of the API. */
  private static final String PLACED = """
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: racks},
       spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta1, kind: ResourceFlavor, metadata: {name: placed},
       spec: {nodeLabels: {pool: a}, topologyName: racks}}
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: node-1, resourceVersion: "7", uid: n1, labels: {pool: a, rack: r1, kubernetes.io/hostname: node-1}}
      spec: {taints: [{key: k, value: v, effect: PreferNoSchedule}]}
      status: {allocatable: {cpu: 4, pods: 10}, conditions: [{type: Ready, status: "True"}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: ClusterQueue
      metadata: {name: racks}
      spec:
        cohort: all
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: placed, resources: [{name: cpu, nominalQuota: 4, borrowingLimit: 1}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: LocalQueue
      metadata: {name: racks, namespace: team-a}
      spec: {clusterQueue: racks}
      status: {fairSharing: {weightedShare: 0, admissionFairSharingStatus: {consumedResources: {cpu: 2}, lastUpdate: "2026-01-31T12:00:00Z"}}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta1
      kind: Workload
      metadata: {name: placed, namespace: team-a, uid: w1, creationTimestamp: "2026-01-31T09:30:00Z"}
      spec:
        queueName: racks
        podSets:
        - name: main
          count: 2
          topologyRequest: {required: rack, podIndexLabel: i}
          template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}, limits: {cpu: 2}}}]}}
      status:
        admission:
          clusterQueue: racks
          podSetAssignments:
          - name: main
            count: 2
            flavors: {cpu: placed}
            resourceUsage: {cpu: 2}
            topologyAssignment: {levels: [kubernetes.io/hostname], domains: [{values: [node-1], count: 2}]}
        conditions:
        - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: m, lastTransitionTime: "2026-01-31T11:45:00Z"}
        - {type: Admitted, status: "True", reason: Admitted, message: m, lastTransitionTime: "2026-01-31T11:45:00Z"}
        reclaimablePods: [{name: main, count: 1}]
        unhealthyNodes: [{name: node-1}]
        schedulingStats: {evictions: [{reason: Preempted, underlyingCause: "", count: 1}]}
        accumulatedPastExexcutionTimeSeconds: 3
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Workload
      metadata: {name: placed-too, namespace: team-a, uid: w2, creationTimestamp: "2026-01-31T09:30:00Z"}
      spec:
        queueName: racks
        podSets:
        - name: main
          count: 1
          topologyRequest: {unconstrained: true}
          template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}
      status:
        admission:
          clusterQueue: racks
          podSetAssignments:
          - name: main
            count: 1
            flavors: {cpu: placed}
            resourceUsage: {cpu: 1}
            topologyAssignment: {levels: [kubernetes.io/hostname], slices: [
              {domainCount: 1, valuesPerLevel: [{individual: {prefix: node-, roots: ["1"], suffix: ""}}], podCounts: {universal: 1}}]}
        conditions:
        - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: m, lastTransitionTime: "2026-01-31T11:45:00Z"}
        - {type: Admitted, status: "False", reason: NoChecks, message: m, lastTransitionTime: "2026-01-31T11:45:00Z"}
        admissionChecks: [{name: budget, state: Ready, message: m, lastTransitionTime: "2026-01-31T11:45:00Z", retryCount: 1, requeueAfterSeconds: 2, podSetUpdates: [{name: main, labels: {a: b}, tolerations: [{key: k, operator: Exists}]}]}]
      ---
      apiVersion: v1
      kind: Pod
      metadata:
        {name: train-0, namespace: team-a, uid: p1, resourceVersion: "9", annotations: {kueue.x-k8s.io/podset-required-topology: rack},
         ownerReferences: [{apiVersion: batch/v1, kind: Job, name: running, uid: uid-of-running, controller: true}]}
      spec: {nodeName: node-1, containers: [{name: main, resources: {requests: {cpu: 1}}}]}
      status: {phase: Running}
      ---
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      admissionFairSharing: {usageHalfLifeTime: 168h, usageSamplingInterval: 5m, resourceWeights: {cpu: 1.5}}
      waitForPodsReady: {timeout: 5m, requeuingStrategy: {timestamp: Eviction, backoffBaseSeconds: 60}}
      """;

  @TempDir
  private Path folder;

  private static ArrayNode cluster() {
    ArrayNode items = MAPPER.createArrayNode();
    String all = ClusterDump.QUEUES + ClusterDump.JOBS + ClusterDump.WORKLOADS + PLACED;
    ManifestReader.create()
        .read(ManifestSource.of("all", all))
        .items()
        .forEach(manifest ->
            items.add(MAPPER.<JsonNode>valueToTree(manifest.as(GenericKubernetesResource.class))));
    return items;
  }

  /**
   * Alters a field or element, any in the tree.
   *
   * @return what was done
   */
  private static String alter(JsonNode root, Random random) {
    List<Runnable> changes = new ArrayList<>();
    List<String> names = new ArrayList<>();
    JsonNode[] values = {
      JsonNodeFactory.instance.nullNode(),
      JsonNodeFactory.instance.numberNode(-1),
      JsonNodeFactory.instance.numberNode(0),
      JsonNodeFactory.instance.numberNode(Long.MAX_VALUE),
      JsonNodeFactory.instance.numberNode(new BigInteger("9".repeat(40))),
      JsonNodeFactory.instance.numberNode(Integer.MAX_VALUE),
      JsonNodeFactory.instance.textNode(""),
      JsonNodeFactory.instance.textNode("other"),
      JsonNodeFactory.instance.textNode("-5"),
      JsonNodeFactory.instance.textNode("9223372036854775807"),
      JsonNodeFactory.instance.textNode("0001-01-01T00:00:00Z"),
      JsonNodeFactory.instance.textNode("9999-12-31T23:59:59Z"),
      JsonNodeFactory.instance.booleanNode(true),
      JsonNodeFactory.instance.arrayNode(),
      JsonNodeFactory.instance.objectNode(),
      JsonNodeFactory.instance.arrayNode().addNull()
    };
    collect(root, "", names, changes, random, values);
    int chosen = random.nextInt(changes.size());
    changes.get(chosen).run();
    return names.get(chosen);
  }

  private static void collect(
      JsonNode node,
      String path,
      List<String> names,
      List<Runnable> changes,
      Random random,
      JsonNode[] values) {
    if (node instanceof ObjectNode object) {
      object.properties().forEach(field -> {
        String at = path + "/" + field.getKey();
        names.add(at);
        changes.add(() -> {
          int choice = random.nextInt(values.length + 4);
          if (choice < values.length) {
            object.set(field.getKey(), values[choice].deepCopy());
          } else if (choice == values.length) {
            object.set(field.getKey() + "x", field.getValue());
            object.remove(field.getKey());
          } else {
            object.remove(field.getKey());
          }
        });
        collect(field.getValue(), at, names, changes, random, values);
      });
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        int index = i;
        String at = path + "/" + i;
        names.add(at);
        changes.add(() -> {
          int choice = random.nextInt(values.length + 3);
          if (choice < values.length) {
            array.set(index, values[choice].deepCopy());
          } else if (choice == values.length) {
            array.remove(index);
          } else {
            array.add(array.get(index).deepCopy());
          }
        });
        collect(array.get(i), at, names, changes, random, values);
      }
    }
  }

  @Test
  void anOwnerWithoutNameLeavesTheNameOfTheWorkload() throws IOException {
    String workloads = ClusterDump.WORKLOADS.replace("kind: Job, name: pending,", "kind: Job,");
    Path file = Files.writeString(folder.resolve("cluster.yaml"), ClusterDump.QUEUES + workloads);
    assertThat(Admit.json(file).names(0, "Pending")).contains("job-pending-abcde");
  }

  @Test
  void aPodWithoutNameOnANodeIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("cluster.yaml"), ClusterDump.QUEUES + """
        ---
        apiVersion: v1
        kind: Pod
        spec: {nodeName: node-1, containers: [{name: main, resources: {requests: {cpu: 1}}}]}
        """);
    CommandLineRun run = CommandLineRun.of("admit", file);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .endsWith("metadata.name: missing; what the pod takes does not count");
  }

  @Test
  void objectsOfOneUidAreNamed() throws IOException {
    String workloads =
        ClusterDump.WORKLOADS.replace("uid-of-workload-inactive", "uid-of-workload-pending");
    Path file = Files.writeString(folder.resolve("cluster.yaml"), ClusterDump.QUEUES + workloads);
    CommandLineRun run = CommandLineRun.of("admit", file);
    assertThat(run.exitCode()).isZero();
    assertThat(run.errLines("warning: "))
        .singleElement()
        .asString()
        .contains("metadata.uid: \"uid-of-workload-pending\" is the uid of Workload"
            + " team-a/job-pending-abcde as well; both count");
    // An object that is given twice is one object.
    assertThat(CommandLineRun.of("snapshot", file, file).errLines("warning: ")).hasSize(1);
  }

  @Test
  void alteredFieldsAreRefusedOrUsedInWords() throws IOException {
    Path file = folder.resolve("cluster.json");
    List<String> failures = new ArrayList<>();
    for (int seed = 0; seed < TRIES; seed++) {
      Random random = new Random(seed);
      ObjectNode list = MAPPER.createObjectNode();
      list.put("apiVersion", "v1").put("kind", "List").set("items", cluster());
      StringBuilder done = new StringBuilder();
      for (int i = 0; i <= random.nextInt(3); i++) {
        done.append(alter(list, random)).append(' ');
      }
      Files.writeString(file, MAPPER.writeValueAsString(list));
      for (String command : List.of("admit", "snapshot", "topology")) {
        CommandLineRun run = CommandLineRun.of(command, file);
        boolean isUsable = run.exitCode() == 0 && !run.out().isEmpty();
        boolean isRefused =
            run.exitCode() == 2 && run.out().isEmpty() && run.err().contains("error: ");
        if (!(isUsable || isRefused)
            || run.err().contains("\tat ")
            || run.err().contains("null;")) {
          failures.add(
              "seed " + seed + " " + command + " " + done + " exit " + run.exitCode() + ": "
                  + run.err()
                      .lines()
                      .filter(line -> !line.startsWith("warning"))
                      .limit(4)
                      .toList());
        }
      }
    }
    assertThat(failures).isEmpty();
  }
}
