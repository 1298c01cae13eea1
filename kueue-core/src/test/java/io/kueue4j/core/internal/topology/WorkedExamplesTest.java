package io.kueue4j.core.internal.topology;

import static io.kueue4j.core.internal.topology.NodeTree.BLOCK;
import static io.kueue4j.core.internal.topology.NodeTree.HOST;
import static io.kueue4j.core.internal.topology.NodeTree.RACK;
import static io.kueue4j.core.model.TopologyRequest.anywhere;
import static io.kueue4j.core.model.TopologyRequest.preferred;
import static io.kueue4j.core.model.TopologyRequest.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The worked examples of the rules of placement, TE-1 to TE-21 and TX-1 to TX-7. */
class WorkedExamplesTest {
  /** Racks of two blocks. */
  private final NodeTree racks =
      NodeTree.of(List.of(BLOCK, RACK), "b1/r1:1 b1/r2:1 b1/r2:1 b1/r2:1 b2/r1:1 b2/r2:2", RACKS);

  /** The examples are of a version that counts a rack as a whole. */
  private static final Settings RACKS = Settings.builder()
      .putFeatureGates(FeatureGate.TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS, false)
      .build();

  private final NodeTree traced =
      NodeTree.hosts("b1/r1/h1:3 b1/r1/h2:4 b1/r2/h3:4 b2/r3/h4:5 b2/r3/h5:2 b2/r4/h6:2");

  private static TopologyRequest slices(TopologyRequest request, String level, int size) {
    TopologyRequest.Builder slices =
        TopologyRequest.builder().sliceTopology(level).sliceSize(size);
    return slices.required(request.required()).preferred(request.preferred()).build();
  }

  private static TopologyRequest layers(TopologyRequest request, SliceConstraint... layers) {
    return TopologyRequest.builder()
        .required(request.required())
        .preferred(request.preferred())
        .addSliceConstraints(layers)
        .build();
  }

  @Test
  void te1RequiredRackTakesTheSmallestThatSuffices() {
    assertThat(racks.place(1, required(RACK))).isEqualTo("b1/r1:1");
    assertThat(racks.place(2, required(RACK))).isEqualTo("b2/r2:2");
    assertThat(racks.place(3, required(RACK))).isEqualTo("b1/r2:3");
    assertThat(racks.place(4, required(RACK)))
        .isEqualTo("topology \"default\" allows to fit only 3 out of 4 pod(s)");
  }

  @Test
  void te2RequiredBlock() {
    assertThat(racks.place(1, required(BLOCK))).isEqualTo("b2/r1:1");
    assertThat(racks.place(4, required(BLOCK))).isEqualTo("b1/r1:1 b1/r2:3");
    assertThat(racks.place(5, required(BLOCK)))
        .isEqualTo("topology \"default\" allows to fit only 4 out of 5 pod(s)");
    assertThat(racks.place(racks.pods(1, required(BLOCK), 4000), null))
        .isEqualTo("topology \"default\" doesn't allow to fit any of 1 pod(s)."
            + " Total nodes: 4; excluded: resource \"cpu\": 4");
  }

  @Test
  void te3PreferredRackGoesUpLevelByLevel() {
    assertThat(racks.place(4, preferred(RACK))).isEqualTo("b1/r1:1 b1/r2:3");
    assertThat(racks.place(6, preferred(RACK))).isEqualTo("b1/r1:1 b1/r2:3 b2/r2:2");
    assertThat(racks.place(10, preferred(BLOCK)))
        .isEqualTo("topology \"default\" allows to fit only 7 out of 10 pod(s)");
  }

  @Test
  void te4PreferredOnASingleLevel() {
    assertThat(NodeTree.of(List.of(BLOCK), "b1:2 b2:1 b3:4").place(5, preferred(BLOCK)))
        .isEqualTo("b2:1 b3:4");
  }

  @Test
  void te5FewestRacksBeforeFewestHosts() {
    NodeTree cluster =
        NodeTree.hosts("b1/r1/x3:2 b1/r2/x5:2 b1/r3/x1:1 b1/r3/x6:1 b1/r3/x2:1 b1/r3/x4:1");
    assertThat(cluster.place(4, required(BLOCK))).isEqualTo("x1:1 x2:1 x4:1 x6:1");
  }

  @Test
  void te6UnconstrainedTakesTheSmallestFirst() {
    NodeTree cluster = NodeTree.hosts("b1/r1/x3:4 b1/r1/x5:1 b1/r1/x1:1 b2/r1/x6:2 b2/r1/x2:1");
    assertThat(cluster.place(6, anywhere())).isEqualTo("x1:1 x3:1 x5:1 x2:1 x6:2");
  }

  @Test
  void te7SlicesAtTheHost() {
    NodeTree cluster = NodeTree.hosts("b/r/x3:6 b/r/x5:5 b/r/x1:4 b/r/x6:2");
    assertThat(cluster.place(12, slices(required(BLOCK), HOST, 2))).isEqualTo("x1:4 x3:6 x6:2");
    assertThat(
            NodeTree.hosts("b/r/x3:3 b/r/x5:2 b/r/x1:2").place(4, slices(required(BLOCK), HOST, 2)))
        .isEqualTo("x1:2 x5:2");
    assertThat(
            NodeTree.hosts("b/r/x3:4 b/r/x5:3 b/r/x1:2").place(6, slices(required(BLOCK), HOST, 2)))
        .isEqualTo("x1:2 x3:4");
    assertThat(NodeTree.hosts("b/r/a:6 b/r/b:5 b/r/c:4 b/r/d:3 b/r/e:2")
            .place(12, slices(required(BLOCK), HOST, 2)))
        .isEqualTo("a:6 c:4 e:2");
  }

  @Test
  void te8SlicesAtTheRack() {
    NodeTree cluster = NodeTree.hosts(
        "b1/r1/x3:1 b1/r1/x5:1 b1/r2/x1:1 b1/r2/x6:1 b1/r2/x2:1 b2/r1/x4:1 b2/r1/x7:1");
    assertThat(cluster.place(4, slices(required(BLOCK), RACK, 2))).isEqualTo("x3:1 x5:1 x1:1 x2:1");
    assertThat(NodeTree.hosts("b1/r1/x3:1 b1/r2/x5:1 b1/r2/x1:1 b1/r2/x6:1 b2/r1/x2:1 b2/r2/x4:2")
            .place(4, slices(preferred(BLOCK), RACK, 2)))
        .isEqualTo("x1:1 x5:1 x4:2");
    assertThat(
            NodeTree.hosts("b/r1/a:2 b/r2/b:2 b/r3/c:2").place(6, slices(required(BLOCK), RACK, 3)))
        .isEqualTo("topology \"default\" doesn't allow to fit any of 2 slice(s)");
    assertThat(NodeTree.hosts("b/r1/a:3 b/r2/b:1 b/r3/c:1 b/r4/d:1")
            .place(6, slices(required(BLOCK), RACK, 3)))
        .isEqualTo("topology \"default\" allows to fit only 1 out of 2 slice(s)");
    assertThat(NodeTree.hosts("b1/r1/a:2 b1/r2/b:2 b1/r3/c:2 b2/r4/d:3 b2/r5/e:3")
            .place(6, slices(required(BLOCK), RACK, 3)))
        .isEqualTo("d:3 e:3");
  }

  @Test
  void te9BelowTheSlicesHostsAreFilledSmallestFirst() {
    assertThat(NodeTree.hosts("b/r1/x1:1 b/r1/x2:4 b/r2/x3:3 b/r2/x4:4")
            .place(8, slices(required(BLOCK), RACK, 4)))
        .isEqualTo("x1:1 x2:3 x3:3 x4:1");
  }

  @Test
  void te10SeveralLayersOfSlices() {
    TopologyRequest rackAndHost =
        layers(required(BLOCK), new SliceConstraint(RACK, 4), new SliceConstraint(HOST, 2));
    assertThat(NodeTree.hosts("b/r1/x1:1 b/r1/x2:4 b/r2/x3:3 b/r2/x4:4").place(8, rackAndHost))
        .isEqualTo("x2:4 x3:2 x4:2");
    TopologyRequest six =
        layers(required(BLOCK), new SliceConstraint(RACK, 6), new SliceConstraint(HOST, 2));
    assertThat(NodeTree.hosts("b/r/x1:3 b/r/x2:3 b/r/x3:0").place(6, six))
        .isEqualTo("topology \"default\" doesn't allow to fit; 0/1 slice(s) fit on level rack;"
            + " 2/3 slice(s) fit on level kubernetes.io/hostname."
            + " Total nodes: 3; excluded: resource \"cpu\": 1");
    TopologyRequest eight =
        layers(required(BLOCK), new SliceConstraint(RACK, 8), new SliceConstraint(HOST, 4));
    assertThat(NodeTree.hosts("b/r1/a:7 b/r1/b:4 b/r2/c:7 b/r2/d:3").place(16, eight))
        .contains("; 1/2 slice(s) fit on level rack; 3/4 slice(s) fit on level kubernetes");
    assertThat(NodeTree.hosts("b/r1/a:4 b/r2/b:4 b/r3/c:4").place(12, six))
        .contains("; 0/2 slice(s) fit on level rack; 6/6 slice(s) fit on level kubernetes");
  }

  @Test
  void te11OnlySlicesStartAtTheTop() {
    TopologyRequest pairs =
        TopologyRequest.builder().sliceTopology(HOST).sliceSize(2).build();
    assertThat(NodeTree.hosts("b/r/x3:3 b/r/x5:3 b/r/x1:3").place(6, pairs))
        .isEqualTo("x1:2 x3:2 x5:2");
    assertThat(NodeTree.hosts("b1/r1/x3:4 b1/r1/x5:1 b1/r1/x1:1 b2/r1/x6:2 b2/r1/x2:1")
            .place(6, pairs))
        .isEqualTo("x3:4 x6:2");
    assertThat(NodeTree.hosts("b1/r/a:8 b2/r/b:4 b3/r/c:2").place(4, pairs)).isEqualTo("b:4");
  }

  @Test
  void te12TwoPodSetsOneAfterTheOther() {
    NodeTree cluster = NodeTree.of(List.of(BLOCK), "b1:2 b2:2 b3:2");
    assertThat(cluster.take(3, preferred(BLOCK))).isEqualTo("b1:2 b2:1");
    assertThat(cluster.take(3, preferred(BLOCK))).isEqualTo("b2:1 b3:2");
  }

  @Test
  void te13TheLeaderGoesWhereItCostsLeast() {
    NodeTree cluster = NodeTree.hosts("b/r1/h1:2 b/r1/h2:4 b/r1/h3:3");
    assertThat(
            cluster.place(cluster.pods(4, required(RACK), 2000), cluster.pods(1, required(RACK))))
        .isEqualTo("leader h3 workers h1:1 h2:2 h3:1");
  }

  @Test
  void te15ALeaderThatFitsNowhere() {
    NodeTree cluster = NodeTree.of(List.of(BLOCK), "b1:4 b2:4");
    assertThat(cluster.place(
            cluster.pods(4, required(BLOCK)), cluster.pods(1, required(BLOCK), 10_000)))
        .isEqualTo("topology \"default\" allows to fit only 4 out of 4 pod(s)");
  }

  @Test
  void te20WhatAParentWasGivenIsForgotten() {
    assertThat(NodeTree.hosts("b1/r1/a:3 b1/r1/b:3 b1/r2/c:4").place(7, required(BLOCK)))
        .isEqualTo("a:3 c:4");
  }

  @Test
  void te21WhatDoesNotFillASliceIsASmallerOne() {
    assertThat(NodeTree.hosts("b/r/a:10").place(5, slices(required(RACK), HOST, 2)))
        .isEqualTo("a:5");
  }

  @Test
  void tx1LeaderOneLevelUp() {
    assertThat(traced.place(traced.pods(8, preferred(RACK)), traced.pods(1, preferred(RACK))))
        .isEqualTo("leader h4 workers h4:4 h5:2 h6:2");
  }

  @Test
  void tx2LeaderOverSeveralBlocks() {
    assertThat(traced.place(traced.pods(13, preferred(RACK)), traced.pods(1, preferred(RACK))))
        .isEqualTo("leader h4 workers h1:3 h2:4 h4:4 h5:2");
  }

  @Test
  void tx3Unconstrained() {
    assertThat(traced.place(9, anywhere())).isEqualTo("h1:3 h2:2 h5:2 h6:2");
  }

  @Test
  void tx4TwoPodSetsInRacks() {
    assertThat(traced.take(4, required(RACK))).isEqualTo("h3:4");
    assertThat(traced.take(4, required(RACK))).isEqualTo("h2:4");
  }

  @Test
  void tx5SlicesOverTwoBlocks() {
    assertThat(traced.place(12, slices(preferred(BLOCK), RACK, 4)))
        .isEqualTo("h1:3 h2:1 h3:4 h4:2 h5:2");
  }

  @Test
  void tx6OnlySlices() {
    assertThat(traced.place(
            8, TopologyRequest.builder().sliceTopology(RACK).sliceSize(4).build()))
        .isEqualTo("h1:3 h2:1 h3:4");
  }

  @Test
  void tx7SlicesWithALeader() {
    TopologyRequest pairs = slices(required(BLOCK), HOST, 2);
    assertThat(traced.place(traced.pods(8, pairs), traced.pods(1, pairs)))
        .isEqualTo("leader h4 workers h4:4 h5:2 h6:2");
  }
}
