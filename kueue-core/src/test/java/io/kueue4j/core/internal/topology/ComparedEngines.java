package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.AdmissionEngineUnderTest;
import io.kueue4j.core.testkit.CycleDecisions;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An engine and the reference model with the same nodes, which must answer alike. Nodes are written
 * as {@code b1/r1/x3:cpu=2,gpu=1}, and answers read {@code lead x1:1 work x3:1 x5:1}.
 */
final class ComparedEngines {
  static final String BLOCK = "block";
  static final String RACK = "rack";
  static final String HOST = Topology.HOSTNAME;

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Splitter WORDS = Splitter.on(' ').omitEmptyStrings();

  final AdmissionEngine engine;
  private final List<EngineUnderTest> both;
  private int workloads;

  private ComparedEngines(Settings settings) {
    engine = AdmissionEngine.builder().settings(settings).clock(() -> NOW).build();
    both = List.of(AdmissionEngineUnderTest.of(engine), new ReferenceEngine(settings, () -> NOW));
  }

  /** {@return nodes of the levels given, in flavor tas, and queue q with plenty of its quota} */
  static ComparedEngines of(List<String> levels, String nodes) {
    return of(Settings.defaults(), levels, nodes);
  }

  /** {@return the same with other settings} */
  static ComparedEngines of(Settings settings, List<String> levels, String nodes) {
    ComparedEngines cluster = new ComparedEngines(settings);
    cluster.apply(new Topology("dc", ImmutableList.copyOf(levels)));
    cluster.apply(flavor("tas"));
    cluster.apply(queue("q", quota("tas", 1000)).build());
    cluster.apply(nodes(levels, "tas", nodes));
    return cluster;
  }

  /** {@return blocks, racks and hosts} */
  static ComparedEngines hosts(String nodes) {
    return of(List.of(BLOCK, RACK, HOST), nodes);
  }

  /** {@return no nodes yet, nor anything else} */
  static ComparedEngines empty(Settings settings) {
    return new ComparedEngines(settings);
  }

  void apply(ConfigObject... objects) {
    both.forEach(each -> each.apply(ImmutableList.copyOf(objects)));
  }

  // ----- objects

  static ResourceFlavor flavor(String name) {
    return ResourceFlavor.builder()
        .name(name)
        .putNodeLabels("pool-" + name, "yes")
        .topologyName("dc")
        .build();
  }

  static FlavorQuotas quota(String flavor, long amount) {
    return FlavorQuotas.of(
        flavor, ResourceQuota.ofAmount("cpu", amount), ResourceQuota.ofAmount("gpu", amount));
  }

  static ClusterQueue.Builder queue(String name, FlavorQuotas... flavors) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(flavors));
  }

  static ConfigObject[] nodes(List<String> levels, String flavor, String text) {
    return WORDS.splitToList(text.replace('\n', ' ')).stream()
        .map(each -> node(levels, List.of(flavor), each))
        .toArray(ConfigObject[]::new);
  }

  /** {@return one of {@code b1/r1/x3:cpu=2}; with 100 pods unless said otherwise} */
  static Node node(List<String> levels, List<String> flavors, String text) {
    List<String> parts = Splitter.on(':').splitToList(text);
    List<String> path = Splitter.on('/').splitToList(parts.get(0));
    Node.Builder node = Node.builder().name(path.get(path.size() - 1));
    flavors.forEach(flavor -> node.putLabels("pool-" + flavor, "yes"));
    for (int level = 0; level < levels.size(); level++) {
      node.putLabels(levels.get(level), path.get(level));
    }
    Map<String, String> amounts = Splitter.on(',').withKeyValueSeparator('=').split(parts.get(1));
    amounts.forEach((resource, amount) -> node.allocatableAmount(resource, Long.parseLong(amount)));
    if (!amounts.containsKey("pods")) {
      node.allocatableAmount("pods", 100);
    }
    return node.build();
  }

  /** {@return pods that each request {@code cpu=1,gpu=1}; nothing if it is empty} */
  static PodSet.Builder pods(String name, int count, String requests, TopologyRequest request) {
    PodSet.Builder podSet = PodSet.builder().name(name).count(count).topologyRequest(request);
    if (!requests.isEmpty()) {
      Splitter.on(',')
          .withKeyValueSeparator('=')
          .split(requests)
          .forEach((resource, amount) -> podSet.requestAmount(resource, Long.parseLong(amount)));
    }
    return podSet;
  }

  static Workload.Builder workload(String name, PodSet... podSets) {
    return Workload.builder().namespace("ns").name(name).queueName("q").addPodSets(podSets);
  }

  // ----- decisions

  /** Places pods at once; they stay there. */
  String place(PodSet... podSets) {
    return place(workload("w" + ++workloads, podSets).build());
  }

  /** Admits a workload at once. */
  String place(Workload workload) {
    apply(LocalQueue.of("ns", "q", "q"));
    AdmissionResult result = engine.tryAdmit(workload).result();
    String ofModel = both.get(1)
        .tryAdmit(workload, false)
        .admission()
        .map(ComparedEngines::text)
        .orElse("");
    String ofEngine = engine.admission(workload.id()).map(ComparedEngines::text).orElse("");
    assertThat(ofModel).isEqualTo(ofEngine);
    return ofEngine.isEmpty() ? problem(result) : ofEngine;
  }

  private static String problem(AdmissionResult result) {
    return result instanceof AdmissionResult.Pending pending
        ? pending.reasons().stream().map(Reason::detail).collect(Collectors.joining("; "))
        : result.toString();
  }

  void submit(Workload workload) {
    both.forEach(each -> assertThat(each.submit(workload)).isTrue());
  }

  /** {@return who was admitted where, or is to stop, in the next cycle} */
  String cycle() {
    CycleDecisions decisions = both.get(0).runCycle();
    assertThat(both.get(1).runCycle()).isEqualTo(decisions);
    String admitted = decisions.admitted().stream()
        .map(admission -> admission.workload().name() + ": " + text(admission))
        .collect(Collectors.joining("; "));
    String evicted = decisions.evictions().stream()
        .map(eviction -> "evict " + eviction.victim().name())
        .collect(Collectors.joining("; "));
    return admitted + evicted;
  }

  private static String text(Admission admission) {
    return admission.podSetAssignments().stream()
        .map(podSet -> podSet.name() + " " + text(podSet))
        .collect(Collectors.joining(" "));
  }

  private static String text(PodSetAssignment podSet) {
    return podSet.topologyAssignment().stream()
        .flatMap(assignment -> assignment.domains().stream())
        .map(domain -> String.join("/", domain.values()) + ":" + domain.count())
        .collect(Collectors.joining(" "));
  }
}
