package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Hosts.host;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Test;

/** With gate TopologyAwareScheduling off topologies do not count. */
class TopologyGateTest {
  private static final TopologyRequest ONE_RACK = TopologyRequest.required(Hosts.RACK);
  private static final Settings OFF = Settings.builder()
      .putFeatureGates(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, false)
      .build();

  private final Cluster cluster = Hosts.cluster(OFF, "r1/x1:2");
  private final AdmissionEngine engine = cluster.engine;

  @Test
  void podsGetQuotaWithoutNodes() {
    assertThat(cluster.admit(workload("w", pods(100, "1", ONE_RACK)))).isEqualTo("anywhere");
    assertThat(cluster.admit(workload("implied", PodSet.builder().count(100).request("cpu", "1"))))
        .isEqualTo("anywhere");
    assertThat(cluster.admit(
            workload("unknown", pods(1, "1", TopologyRequest.required("no-such-level")))))
        .isEqualTo("anywhere");
  }

  @Test
  void flavorsWithAndWithoutTopologyAreForAllPods() {
    engine.apply(
        ResourceFlavor.of("plain"),
        ClusterQueue.builder()
            .name("mixed")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of("tas", ResourceQuota.of("cpu", "2")),
                FlavorQuotas.of("plain", ResourceQuota.of("cpu", "2"))))
            .build(),
        LocalQueue.of("ns", "mixed", "mixed"));

    assertThat(flavor(workload("first", "mixed", PodSet.builder().count(2).request("cpu", "1"))))
        .isEqualTo("tas");
    assertThat(flavor(workload("second", "mixed", pods(2, "1", ONE_RACK)))).isEqualTo("plain");
  }

  private String flavor(Workload workload) {
    assertThat(cluster.admit(workload)).isEqualTo("anywhere");
    return engine
        .admission(workload.id())
        .map(Admission::podSetAssignments)
        .orElseThrow()
        .get(0)
        .flavors()
        .getOrDefault("cpu", "none");
  }

  @Test
  void aMissingTopologyKeepsNoQueueOut() {
    engine.remove(Topology.class, "dc");

    assertThat(engine.view().clusterQueue("q").orElseThrow().isActive()).isTrue();
    assertThat(cluster.admit(workload("w", pods(1, "1", ONE_RACK)))).isEqualTo("anywhere");
  }

  @Test
  void nodesWakeNoQueue() {
    engine.submit(workload("w", pods(1001, "1", ONE_RACK)));
    engine.runCycle();
    assertThat(engine.view().clusterQueue("q").orElseThrow().inadmissible())
        .containsExactly(id("w"));

    engine.apply(host("r1/x2:2"));

    assertThat(engine.view().clusterQueue("q").orElseThrow().inadmissible())
        .containsExactly(id("w"));
  }

  @Test
  void failedNodesAreNotReplaced() {
    Cluster before = Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:2");
    Workload workload = workload("w", pods(2, "1", ONE_RACK));
    before.admit(workload);
    engine.lifecycle().restore(workload, before.engine.admission(id("w")).orElseThrow());

    assertThat(engine.lifecycle().nodeFailed(id("w"), "x1").evicted()).isEmpty();
    assertThat(engine.runCycle().isEmpty()).isTrue();
    assertThat(cluster.workload("w").place()).isEqualTo("x1:2");
  }
}
