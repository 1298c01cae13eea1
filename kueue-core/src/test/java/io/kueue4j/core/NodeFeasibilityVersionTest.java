package io.kueue4j.core;

import static io.kueue4j.core.Hosts.RACK;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Test;

/**
 * Topologies that do not end in hosts, with gate TASNodeFeasibilityForAllLevels on as in 0.20 and
 * off as in 0.19; rules T-13, T-24, T-26, T-51 and T-73.
 */
class NodeFeasibilityVersionTest {
  private static final TopologyRequest ONE_RACK = TopologyRequest.required(RACK);

  private final Cluster old =
      racks(Settings.builder().kueueVersion(KueueVersion.V0_19).build());
  private final Cluster recent =
      racks(Settings.builder().kueueVersion(KueueVersion.V0_20).build());

  /** {@return racks {@code r1} and {@code r2} with two nodes of four cores each} */
  private static Cluster racks(Settings settings) {
    return new Cluster(settings)
        .with(Topology.of("dc", RACK), Hosts.flavor("tas"))
        .with(Hosts.queue("q", 1000, "tas"))
        .with(node("r1/n1").build(), node("r1/n2").build())
        .with(node("r2/n3").build(), node("r2/n4").build());
  }

  private static Node.Builder node(String rackAndName) {
    return Hosts.hostBuilder(rackAndName + ":4");
  }

  private static Workload onePod(String name, String cpu) {
    return workload(name, pods(1, cpu, ONE_RACK));
  }

  @Test
  void aPodMustFitANodeNotOnlyARack() {
    assertThat(old.admit(onePod("w", "6"))).isEqualTo("r1:1");

    assertThat(recent.admit(onePod("w", "6")))
        .contains("topology \"dc\" doesn't allow to fit any of 1 pod(s)."
            + " Total nodes: 4; excluded: resource \"cpu\": 4");
    assertThat(recent.admit(onePod("small", "4"))).as("only racks are named").isEqualTo("r1:1");
  }

  @Test
  void podsDoNotSpanNodes() {
    assertThat(old.admit(workload("w", pods(2, "3", ONE_RACK)))).isEqualTo("r1:2");
    assertThat(recent.admit(workload("w", pods(2, "3", ONE_RACK)))).isEqualTo("r1:2");

    assertThat(racks(version(KueueVersion.V0_19)).admit(workload("v", pods(5, "1500m", ONE_RACK))))
        .isEqualTo("r1:5");
    assertThat(racks(version(KueueVersion.V0_20)).admit(workload("v", pods(5, "1500m", ONE_RACK))))
        .contains("allows to fit only 4 out of 5 pod(s)");
  }

  private static Settings version(KueueVersion version) {
    return Settings.builder().kueueVersion(version).build();
  }

  @Test
  void taintsAndSelectorsExcludeNodesOfARack() {
    Node spot =
        node("r1/n1").addTaints(new Taint("spot", "", Taint.Effect.NO_SCHEDULE)).build();
    Node fast = node("r2/n3").putLabels("disk", "ssd").build();
    Workload tolerant = workload("w", pods(8, "1", ONE_RACK).putNodeSelector("pool", "tas"));
    Workload selecting = workload("s", pods(2, "1", ONE_RACK).putNodeSelector("disk", "ssd"));
    old.with(spot, fast);
    recent.with(spot, fast);

    assertThat(old.admit(selecting)).isEqualTo("r1:2");
    assertThat(recent.admit(selecting)).isEqualTo("r2:2");
    assertThat(old.admit(tolerant)).isEqualTo("r2:8");
    assertThat(recent.admit(tolerant))
        .contains("allows to fit only 6 out of 8 pod(s)."
            + " Total nodes: 4; excluded: taint \"spot:NoSchedule\": 1");
  }

  @Test
  void usageBoundsTheRackAndNotItsNodes() {
    assertThat(recent.admit(workload("w", pods(4, "1", ONE_RACK)))).isEqualTo("r1:4");

    assertThat(recent.admit(onePod("large", "4"))).as("in the fullest rack").isEqualTo("r1:1");
    assertThat(recent.admit(onePod("more", "1"))).isEqualTo("r2:1");
    assertThat(recent.admit(workload("rest", pods(8, "1", ONE_RACK))))
        .contains("allows to fit only 7 out of 8 pod(s)");
  }

  @Test
  void podSetsOfAWorkloadDoNotShareTheRoomOfANode() {
    TopologyRequest any = TopologyRequest.builder().unconstrained(true).build();
    PodSet.Builder[] podSets = new PodSet.Builder[5];
    for (int i = 0; i < podSets.length; i++) {
      podSets[i] = pods(1, "3", any).name("p" + i);
    }

    assertThat(old.admit(workload("w", podSets))).contains("any of 1 pod(s)");
    assertThat(recent.admit(workload("w", podSets))).contains("any of 1 pod(s)");
    podSets[4] = pods(1, "2", any).name("p4");
    assertThat(old.admit(workload("v", podSets))).doesNotContain("topology");
    assertThat(recent.admit(workload("v", podSets))).contains("any of 1 pod(s)");
  }

  @Test
  void nodesOfOneHostnameCountApart() {
    Node alias = node("r1/n1").name("n2").build();
    recent.with(alias);

    assertThat(recent.admit(onePod("w", "6"))).contains("any of 1 pod(s)");
    assertThat(recent.admit(workload("v", pods(2, "4", ONE_RACK)))).isEqualTo("r1:2");
  }

  @Test
  void theInternalLevelCannotBeAskedFor() {
    Workload host = workload("w", pods(1, "1", TopologyRequest.required(Topology.HOSTNAME)));

    assertThat(recent.admit(host)).isEqualTo(old.admit(host)).doesNotContain("r1:1");
  }

  @Test
  void aTopologyThatEndsInHostsIsTheSameInBothVersions() {
    for (KueueVersion version : KueueVersion.values()) {
      Cluster hosts = Hosts.cluster(version(version), "r1/x1:4 r1/x2:4");
      assertThat(hosts.admit(workload("w", pods(5, "1500m", ONE_RACK))))
          .contains("allows to fit only 4 out of 5 pod(s)");
    }
  }

  @Test
  void theGateDecidesWhateverTheVersionIs() {
    Settings off = Settings.builder()
        .putFeatureGates(FeatureGate.TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS, false)
        .build();

    assertThat(racks(off).admit(onePod("w", "6"))).isEqualTo("r1:1");
  }
}
