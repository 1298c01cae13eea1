package io.kueue4j.core;

import com.google.common.base.Splitter;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An engine with one queue of unlimited cpus, on nodes written as {@code r1/x1:5}: rack, host and
 * cpus. Workloads are written as on {@code x1:2 x2:3}.
 */
final class HostsEngine {
  static final String RACK = "rack";

  final AdmissionEngine engine;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  HostsEngine(Settings settings, String hosts) {
    engine = AdmissionEngine.builder().settings(settings).clock(() -> now).build();
    engine.apply(
        Topology.of("dc", RACK, Topology.HOSTNAME),
        flavor("tas"),
        queue("q", 1000, "tas"),
        LocalQueue.of("ns", "queue", "q"));
    for (String host : Splitter.on(' ').split(hosts)) {
      engine.apply(host(host));
    }
  }

  static ResourceFlavor flavor(String name) {
    return ResourceFlavor.builder()
        .name(name)
        .putNodeLabels("pool", "tas")
        .topologyName("dc")
        .build();
  }

  static ClusterQueue queue(String name, int cpus, String flavor) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of(flavor, ResourceQuota.of("cpu", String.valueOf(cpus)))))
        .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER))
        .build();
  }

  static Node host(String text) {
    return hostBuilder(text).build();
  }

  static Node.Builder hostBuilder(String text) {
    List<String> parts = Splitter.on(':').splitToList(text);
    List<String> values = Splitter.on('/').splitToList(parts.get(0));
    return Node.builder()
        .name(values.get(1))
        .putLabels("pool", "tas")
        .putLabels(RACK, values.get(0))
        .putLabels(Topology.HOSTNAME, values.get(1))
        .allocatable("cpu", parts.get(1))
        .allocatable("pods", parts.size() > 2 ? parts.get(2) : "110");
  }

  static PodSet.Builder pods(int count, String cpu, TopologyRequest request) {
    return PodSet.builder().count(count).request("cpu", cpu).topologyRequest(request);
  }

  static Workload workload(String name, PodSet.Builder... podSets) {
    return workload(name, "queue", podSets);
  }

  static Workload workload(String name, String queue, PodSet.Builder... podSets) {
    Workload.Builder workload = Workload.builder().namespace("ns").name(name).queueName(queue);
    for (PodSet.Builder podSet : podSets) {
      workload.addPodSets(podSet.build());
    }
    return workload.build();
  }

  static WorkloadId id(String name) {
    return new WorkloadId("ns", name);
  }

  /** {@return the assigned hosts of a workload, or why it has none} */
  @CanIgnoreReturnValue
  String admit(Workload workload) {
    return engine
        .tryAdmit(workload)
        .match(
            admitted -> place(admitted.admission()),
            reserved -> "reserved " + reserved.reasons(),
            preempting -> "preempting " + preempting.victims(),
            pending -> pending.reasons().toString(),
            rejected -> "rejected " + rejected.reasons());
  }

  String place(String name) {
    return engine.admission(id(name)).map(HostsEngine::place).orElse("nowhere");
  }

  static String place(Admission admission) {
    return admission.podSetAssignments().stream()
        .map(podSet -> podSet
            .topologyAssignment()
            .map(assignment -> assignment.domains().stream()
                .map(domain -> domain.values().get(0) + ":" + domain.count())
                .collect(Collectors.joining(" ")))
            .orElse("anywhere"))
        .collect(Collectors.joining(" + "));
  }

  Instant now() {
    return now;
  }

  void advance(Duration time) {
    now = now.plus(time);
  }
}
