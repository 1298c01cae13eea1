package io.kueue4j.core.internal.topology;

import static io.kueue4j.core.internal.topology.NodeTree.BLOCK;
import static io.kueue4j.core.internal.topology.NodeTree.HOST;
import static io.kueue4j.core.internal.topology.NodeTree.RACK;
import static io.kueue4j.core.model.TopologyRequest.preferred;
import static io.kueue4j.core.model.TopologyRequest.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Even spreading, with the worked examples TE-17. */
class BalancedPlacementTest {
  private static final Settings BALANCED = Settings.builder()
      .putFeatureGates(FeatureGate.TAS_BALANCED_PLACEMENT, true)
      .putFeatureGates(FeatureGate.TAS_PARTIAL_SLICES, false)
      .build();

  private static NodeTree hosts(String nodes) {
    return NodeTree.of(List.of(BLOCK, RACK, HOST), nodes, BALANCED);
  }

  private static TopologyRequest slices(String preferred, String level, int size) {
    return TopologyRequest.builder()
        .preferred(preferred)
        .sliceTopology(level)
        .sliceSize(size)
        .build();
  }

  @Test
  void racksOfOneHostShareAlike() {
    NodeTree cluster = hosts("b/r1/x1:15 b/r2/x2:15");

    assertThat(cluster.place(25, preferred(RACK))).isEqualTo("x1:13 x2:12");
    assertThat(NodeTree.hosts("b/r1/x1:15 b/r2/x2:15").place(25, preferred(RACK)))
        .isEqualTo("x1:15 x2:10");
  }

  @Test
  void asFewHostsOfARackAsSuffice() {
    assertThat(hosts("b/r/x1:15 b/r/x2:13 b/r/x3:10").place(23, preferred(RACK)))
        .isEqualTo("x1:12 x2:11");
  }

  @Test
  void slicesAreCountedNotPods() {
    assertThat(hosts("b/r/x1:20 b/r/x2:15 b/r/x3:10").place(25, slices(RACK, HOST, 5)))
        .isEqualTo("x2:15 x3:10");
  }

  @Test
  void theBlockIsTakenThatBalancesBest() {
    assertThat(hosts("b1/r1/x1:20 b1/r2/x2:10 b2/r3/x3:15 b2/r4/x4:15").place(22, preferred(RACK)))
        .isEqualTo("x3:11 x4:11");
    assertThat(hosts("b1/r1/x1:14 b1/r2/x2:11 b2/r3/x3:15 b2/r4/x4:10").place(25, preferred(RACK)))
        .isEqualTo("x1:14 x2:11");
  }

  @Test
  void theRackIsTakenWhoseHostsAreFilledEvenly() {
    assertThat(hosts("b/r1/a:10 b/r1/b:5 b/r2/c:5 b/r2/d:5 b/r2/e:5").place(15, preferred(RACK)))
        .isEqualTo("c:5 d:5 e:5");
    assertThat(hosts("b/r1/a:8 b/r1/b:8 b/r1/c:8 b/r2/d:16 b/r2/e:8").place(24, preferred(RACK)))
        .isEqualTo("a:8 b:8 c:8");
  }

  @Test
  void theLeaderCountsWhereItIs() {
    NodeTree cluster = hosts("b/r/x1:20 b/r/x2:15 b/r/x3:12");
    assertThat(cluster.place(
            cluster.pods(25, slices(RACK, HOST, 5)), cluster.pods(1, preferred(RACK))))
        .isEqualTo("leader x3 workers x2:15 x3:10");

    NodeTree small = hosts("b/r/x1:6 b/r/x2:5");
    assertThat(small.place(small.pods(10, preferred(RACK)), small.pods(1, preferred(RACK))))
        .isEqualTo("leader x1 workers x1:5 x2:5");
  }

  /**
   * Workers take 2, the leader 3. In twos the leader would have to be on a host of 8, where it
   * costs two workers; so the threshold is lowered to what x3 holds beside the leader.
   */
  @Test
  void theThresholdIsLoweredIfTheLeaderHasNoPlaceOtherwise() {
    NodeTree cluster = hosts("b/r1/x1:8 b/r1/x2:8 b/r1/x3:5 b/r1/x4:2 b/r2/x5:9");

    assertThat(cluster.place(
            cluster.pods(13, preferred(RACK), 2000), cluster.pods(1, preferred(RACK), 3000)))
        .isEqualTo("leader x5 workers x1:4 x2:4 x3:2 x5:3");
  }

  /** As in Kueue: r1 could give only 4 of its 6 in twos, which pruning does not look at. */
  @Test
  void innerSlicesDoNotCountOnceDomainsArePruned() {
    TopologyRequest request = TopologyRequest.builder()
        .preferred(BLOCK)
        .addSliceConstraints(new TopologyRequest.SliceConstraint(RACK, 4))
        .addSliceConstraints(new TopologyRequest.SliceConstraint(HOST, 2))
        .build();

    assertThat(hosts("b/r1/x1:3 b/r1/x2:3 b/r2/x3:5").place(4, request)).isEqualTo("x3:4");
  }

  /** As in Kueue: r1 has room for 3 slices and r2 for 2, but both for 6 pods. */
  @Test
  void onTheWayDownToTheSlicesPodsCount() {
    NodeTree cluster = NodeTree.of(
        List.of("zone", BLOCK, RACK, HOST),
        "z/b/r1/x1:6 z/b/r2/x2:3 z/b/r2/x3:3 z/b/r2/x4:1",
        BALANCED);

    assertThat(cluster.place(4, slices("zone", HOST, 2))).isEqualTo("x1:4");
  }

  @Test
  void belowTheSlicesHostsAreFilledSmallestFirst() {
    NodeTree cluster = NodeTree.of(
        List.of(BLOCK, "sub-block", RACK, Topology.HOSTNAME),
        "b/sb1/r1/x1:18 b/sb1/r2/x2:8 b/sb2/r3/x3:15 b/sb2/r4/x4:9 b/sb2/r4/x5:7",
        BALANCED);

    assertThat(cluster.place(20, slices("sub-block", RACK, 2))).isEqualTo("x3:10 x4:3 x5:7");
  }

  @Test
  void whatCannotBeBalancedIsPlacedAsUsual() {
    // The preferred level is the level of the slices and not the lowest: rule T-56.
    String nodes = "b1/r1/x1:4 b1/r1/x2:2 b1/r2/x3:4 b2/r3/x4:4";
    assertThat(hosts(nodes).place(8, slices(RACK, RACK, 2)))
        .isEqualTo(NodeTree.hosts(nodes).place(8, slices(RACK, RACK, 2)));
    assertThat(hosts(nodes).place(15, preferred(RACK)))
        .isEqualTo("topology \"default\" allows to fit only 14 out of 15 pod(s)");
  }

  @Test
  void otherModesAreNotBalanced() {
    assertThat(hosts("b/r1/x1:15 b/r2/x2:15").place(25, required(BLOCK))).isEqualTo("x1:15 x2:10");
  }

  @Test
  void aTrialLeavesWhatFitsAsItWas() {
    NodeTree cluster = hosts("b1/r1/x1:20 b1/r2/x2:10 b2/r3/x3:15 b2/r4/x4:15");

    for (int i = 0; i < 3; i++) {
      assertThat(cluster.place(22, preferred(RACK))).isEqualTo("x3:11 x4:11");
      assertThat(cluster.place(30, required(BLOCK))).isEqualTo("x1:20 x2:10");
    }
  }

  @Test
  void hostsAreChosenByNameWhateverTheOrderOfTheirRacks() {
    // The larger rack is chosen first; among the hosts of both the first ones by name suffice.
    assertThat(
            hosts("b/r1/x1:8 b/r1/x2:8 b/r2/x3:8 b/r2/x4:8 b/r2/x5:8").place(32, preferred(RACK)))
        .isEqualTo("x1:8 x2:8 x3:8 x4:8");
    assertThat(hosts("b/r1/x1:4 b/r1/x2:4 b/r2/x3:4 b/r2/x4:4 b/r2/x5:4 b/r2/x6:4 b/r3/x7:4")
            .place(20, slices(RACK, HOST, 2)))
        .isEqualTo("x3:4 x4:4 x5:4 x6:4 x7:4");
  }

  @Test
  void likedHostsWithoutRoomEndTheSearch() {
    Settings settings = Settings.builder()
        .putFeatureGates(FeatureGate.TAS_BALANCED_PLACEMENT, true)
        .putFeatureGates(FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED, true)
        .build();
    List<String> levels = List.of(BLOCK, RACK, HOST);
    TopologyRequest request = preferred(RACK);
    PodSet podSet = PodSet.builder()
        .count(6)
        .requestAmount("cpu", 1000)
        .topologyRequest(request)
        .addPreferredNodeAffinity(
            new PreferredNodeTerm(10, NodeSelectorTerm.of(LabelRequirement.in("liked", "true"))))
        .build();

    NodeTree withRoom = NodeTree.of(levels, "b/r/x1:2:liked b/r/x2:4 b/r/x3:4", settings);
    assertThat(withRoom.place(withRoom.member(podSet), null)).isEqualTo("x1:2 x2:4");
    NodeTree plain = NodeTree.of(levels, "b/r/x1:0 b/r/x2:4 b/r/x3:4", settings);
    assertThat(plain.place(plain.member(podSet), null)).isEqualTo("x2:3 x3:3");
    NodeTree full = NodeTree.of(levels, "b/r/x1:0:liked b/r/x2:4 b/r/x3:4", settings);
    assertThat(full.place(full.member(podSet), null)).isEqualTo("x2:4 x3:2");
  }

  @Test
  void fewerPodsThanASliceAreNothingToBalance() {
    assertThat(hosts("b/r/x1:4 b/r/x2:4").place(3, slices(RACK, HOST, 4))).isEmpty();
  }
}
