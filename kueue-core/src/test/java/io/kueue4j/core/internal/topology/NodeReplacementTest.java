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
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Other places for pods whose host has failed, with the worked examples TE-19. */
class NodeReplacementTest {
  private static TopologyRequest slices(TopologyRequest request, String level, int size) {
    return TopologyRequest.builder()
        .required(request.required())
        .preferred(request.preferred())
        .sliceTopology(level)
        .sliceSize(size)
        .build();
  }

  @Test
  void aBrokenSliceIsMadeWholeInItsRack() {
    NodeTree cluster = NodeTree.hosts("b1/r1/x1:1 b1/r2/x3:1 b1/r2/x4:1 b2/r1/x5:1");

    assertThat(cluster.replace(slices(preferred(BLOCK), RACK, 2), 1000, "x2:1 x3:1", "x2"))
        .isEqualTo("x3:1 x4:1");
  }

  @Test
  void aWholeSliceGoesWhereTheRequiredLevelLetsIt() {
    NodeTree cluster = NodeTree.hosts("b1/r1/x1:1 b1/r2/x2:1 b1/r2/x4:1 b2/r1/x5:1");

    assertThat(cluster.replace(slices(required(BLOCK), RACK, 4), 250, "x2:4 x3:4 x4:4", "x3"))
        .isEqualTo("x1:4 x2:4 x4:4");
  }

  @Test
  void aBrokenSliceIsFoundByTheNumberThatFillsIt() {
    NodeTree cluster = NodeTree.hosts("b1/r2/x2:1 b1/r2/x3:1 b2/r1/x5:1");

    assertThat(cluster.replace(slices(preferred(BLOCK), RACK, 2), 200, "x1:3 x2:5", "x1"))
        .isEqualTo("x2:5 x3:3");
  }

  @Test
  void ifNothingIsKeptTheChoiceIsFree() {
    NodeTree cluster = NodeTree.hosts("b1/r2/x2:1 b2/r1/x5:4");

    assertThat(cluster.replace(required(RACK), 1000, "x1:4", "x1")).isEqualTo("x5:4");
  }

  /** T-93: two pods are a smaller slice of four, which stays in its rack. */
  @Test
  void aBrokenSmallerSliceStaysInItsRack() {
    NodeTree cluster = NodeTree.hosts("b1/r2/x2:4 b1/r2/x3:4 b2/r1/x5:9");

    assertThat(cluster.replace(slices(required(BLOCK), RACK, 4), 1000, "x1:1 x2:1", "x1"))
        .isEqualTo("x2:2");
  }

  @Test
  void theInnermostBrokenLayerBinds() {
    TopologyRequest layers = TopologyRequest.builder()
        .required(BLOCK)
        .addSliceConstraints(
            new SliceConstraint(RACK, 8),
            new SliceConstraint("switch", 4),
            new SliceConstraint(HOST, 2))
        .build();
    NodeTree cluster = NodeTree.of(
        List.of(BLOCK, RACK, "switch", Topology.HOSTNAME),
        "b/r1/s1/x1:2 b/r1/s1/x3:2 b/r1/s2/x4:2 b/r1/s2/x5:2 b/r1/s2/x6:2 b/r2/s3/x7:9");

    assertThat(cluster.replace(layers, 1000, "x1:2 x2:2 x4:2 x5:2", "x2"))
        .isEqualTo("x1:2 x3:2 x4:2 x5:2");
  }

  @Test
  void aRackWhoseNameBeginsAlikeIsAnotherOne() {
    NodeTree cluster = NodeTree.hosts("b/rack-a/x2:1 b/rack-ab/x3:4");

    assertThat(cluster.replace(required(RACK), 1000, "x1:1 x2:1", "x1"))
        .isEqualTo("cannot find replacement assignment for unhealthy node: x1");
  }

  @Test
  void withoutRequirementAnyHostWillDo() {
    NodeTree cluster = NodeTree.hosts("b1/r1/x2:2 b2/r1/x3:1 b2/r1/x4:3");

    assertThat(cluster.replace(anywhere(), 1000, "x1:1 x2:1", "x1")).isEqualTo("x2:2");
    assertThat(cluster.replace(preferred(RACK), 1000, "x1:3 x2:2", "x1")).isEqualTo("x2:2 x4:3");
  }

  @Test
  void aKeptHostThatIsGoneMakesTheWholePlaceInvalid() {
    NodeTree cluster = NodeTree.hosts("b1/r1/x3:2");

    assertThat(cluster.replace(anywhere(), 1000, "x1:1 x2:1", "x1"))
        .isEqualTo("Cannot replace the node, because the existing topologyAssignment is invalid,"
            + " as it contains the stale domain x2");
  }

  /** T-93: only the last rack of an assignment has a smaller slice, so the first one is broken. */
  @Test
  void theRackOfTheSmallerSliceIsTheLastOne() {
    TopologyRequest fours = slices(preferred(BLOCK), RACK, 4);

    assertThat(NodeTree.hosts("b/r1/x2:9 b/r2/x3:2 b/r2/x4:9")
            .replace(fours, 1000, "x3:2 x1:2 x2:2", "x1"))
        .isEqualTo("x3:2 x4:2 x2:2");
  }

  /** T-93: a smaller slice that is lost as a whole goes to the rack that is the last one then. */
  @Test
  void aLostSmallerSliceStaysBesideWholeOnes() {
    TopologyRequest fours = slices(preferred(BLOCK), RACK, 4);

    assertThat(
            NodeTree.hosts("b/r1/x2:4 b/r1/x3:1 b/r3/x4:9").replace(fours, 1000, "x2:4 x1:1", "x1"))
        .isEqualTo("x2:4 x3:1");
    assertThat(NodeTree.hosts("b/r1/x2:4 b/r3/x4:9").replace(fours, 1000, "x2:4 x1:1", "x1"))
        .isEqualTo("cannot find replacement assignment for unhealthy node: x1");
  }

  /**
   * T-93: the pods have another place, but the pods that stay do not fill slices, as after a change
   * of the slice size or in places that another version chose.
   */
  @Test
  void podsThatSplitASliceAreNotMoved() {
    TopologyRequest fours = slices(preferred(BLOCK), RACK, 4);
    String nodes = "b/r1/x1:3 b/r2/x2:1 b/r2/x3:4 b/r3/x4:4";
    Settings without = Settings.builder()
        .putFeatureGates(FeatureGate.TAS_PARTIAL_SLICES, false)
        .build();

    assertThat(NodeTree.hosts(nodes).replace(fours, 1000, "x1:3 x2:1 x3:4", "x3"))
        .isEqualTo("cannot replace the node x3 without splitting a PodSet slice");
    assertThat(NodeTree.of(List.of(BLOCK, RACK, HOST), nodes, without)
            .replace(fours, 1000, "x1:3 x2:1 x3:4", "x3"))
        .isEqualTo("x1:3 x2:1 x4:4");
  }

  /** As in Kueue, slices alone name no level once they are given up; pods may also go anywhere. */
  @Test
  void aBrokenSliceOfARequestForSlicesAloneHasNoPlace() {
    String nodes = "b/r1/x2:1 b/r1/x3:2 b/r1/x4:3 b/r2/x5:9";
    TopologyRequest slices =
        TopologyRequest.builder().sliceTopology(RACK).sliceSize(4).build();
    TopologyRequest anywhere = TopologyRequest.builder()
        .unconstrained(true)
        .sliceTopology(RACK)
        .sliceSize(4)
        .build();
    Settings strict = Settings.builder()
        .putFeatureGates(FeatureGate.TAS_BALANCED_PLACEMENT, true)
        .putFeatureGates(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS, false)
        .strictTopology(true)
        .build();

    assertThat(NodeTree.hosts(nodes).replace(slices, 1000, "x1:2 x3:2", "x1"))
        .isEqualTo("cannot find replacement assignment for unhealthy node: x1");
    assertThat(NodeTree.hosts(nodes).replace(anywhere, 1000, "x1:2 x3:2", "x1"))
        .isEqualTo("x3:2 x4:2");
    assertThat(NodeTree.of(List.of(BLOCK, RACK, HOST), nodes, strict)
            .replace(slices, 1000, "x1:2 x3:2", "x1"))
        .isEqualTo("x2:1 x3:2 x4:1");
  }
}
