package io.kueue4j.core.internal.topology;

import static io.kueue4j.core.internal.topology.NodeTree.BLOCK;
import static io.kueue4j.core.internal.topology.NodeTree.HOST;
import static io.kueue4j.core.internal.topology.NodeTree.RACK;
import static io.kueue4j.core.model.TopologyRequest.preferred;
import static io.kueue4j.core.model.TopologyRequest.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.TopologyRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Domains that pods would rather go to, with the worked examples TE-18. */
class PreferredAffinityTest {
  private static final Settings RESPECTED = Settings.builder()
      .putFeatureGates(FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED, true)
      .build();

  private static String place(Settings settings, String nodes, int pods, TopologyRequest request) {
    NodeTree cluster = NodeTree.of(List.of(BLOCK, RACK, HOST), nodes, settings);
    PodSet podSet = PodSet.builder()
        .count(pods)
        .requestAmount("cpu", 1000)
        .topologyRequest(request)
        .addPreferredNodeAffinity(
            new PreferredNodeTerm(10, NodeSelectorTerm.of(LabelRequirement.in("liked", "true"))))
        .build();
    return cluster.place(cluster.member(podSet), null);
  }

  @Test
  void likedHostsAreFilledFirst() {
    String nodes = "b/r/x1:2 b/r/x2:1 b/r/x3:2:liked b/r/x4:1:liked";

    assertThat(place(RESPECTED, nodes, 5, preferred(HOST))).isEqualTo("x1:2 x3:2 x4:1");
    assertThat(place(Settings.defaults(), nodes, 5, preferred(HOST))).isEqualTo("x1:2 x2:1 x3:2");
  }

  @Test
  void aLikedRackThatIsTooSmallIsPassedOverIfOneIsRequired() {
    String nodes = "b/r1/x1:2:liked b/r2/x2:8";

    assertThat(place(RESPECTED, nodes, 4, required(RACK))).isEqualTo("x2:4");
    assertThat(place(RESPECTED, nodes, 2, required(RACK))).isEqualTo("x1:2");
  }

  @Test
  void aLikedDomainThatIsTooSmallSendsAPreferenceUp() {
    String nodes = "b/r1/x1:2:liked b/r2/x2:4";

    assertThat(place(RESPECTED, nodes, 4, preferred(RACK))).isEqualTo("x1:2 x2:2");
    assertThat(place(Settings.defaults(), nodes, 4, preferred(RACK))).isEqualTo("x2:4");
  }

  @Test
  void likingCountsEachTimeAnew() {
    NodeTree cluster =
        NodeTree.of(List.of(BLOCK, RACK, HOST), "b/r1/x1:3:liked b/r2/x2:3", RESPECTED);
    PodSet podSet = PodSet.builder()
        .requestAmount("cpu", 1000)
        .topologyRequest(required(RACK))
        .addPreferredNodeAffinity(
            new PreferredNodeTerm(1, NodeSelectorTerm.of(LabelRequirement.in("liked", "true"))))
        .build();

    for (int i = 0; i < 3; i++) {
      // Kueue forgets the scores when it looks at the same pods again (T-62).
      assertThat(cluster.place(cluster.member(podSet), null)).isEqualTo("x1:1");
    }
  }

  @Test
  void weightsAreThoseOfKubernetes() {
    NodeSelectorTerm term = NodeSelectorTerm.of(LabelRequirement.in("liked", "true"));

    assertThatThrownBy(() -> new PreferredNodeTerm(0, term))
        .hasMessage("the weight is 0, expected a number from 1 to 100");
    assertThatThrownBy(() -> new PreferredNodeTerm(101, term)).hasMessageContaining("101");
  }
}
