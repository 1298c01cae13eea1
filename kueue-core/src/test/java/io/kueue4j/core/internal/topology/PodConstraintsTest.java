package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodConstraintsTest {
  private static final Taint SICK = new Taint("sick", "", Taint.Effect.NO_EXECUTE);
  private static final Taint GPU = new Taint("gpu", "yes", Taint.Effect.NO_SCHEDULE);
  private static final Taint DISLIKED = new Taint("old", "", Taint.Effect.PREFER_NO_SCHEDULE);

  private static Node node(Taint... taints) {
    return Node.builder()
        .name("n")
        .putLabels("disk", "ssd")
        .putLabels("zone", "a")
        .addTaints(taints)
        .build();
  }

  private static @Nullable String obstacle(PodSet.Builder pods, Node node, Toleration... flavor) {
    return PodConstraints.of(pods.name("main").count(1).build())
        .obstacle(node, ImmutableList.copyOf(flavor));
  }

  private static PodSet.Builder affinity(NodeSelectorTerm... terms) {
    return PodSet.builder().addAllNodeAffinity(ImmutableList.copyOf(terms));
  }

  @Test
  void taintsAreToleratedByThePodsOrTheFlavor() {
    assertThat(obstacle(PodSet.builder(), node(GPU))).isEqualTo("taint \"gpu=yes:NoSchedule\"");
    assertThat(obstacle(PodSet.builder(), node(DISLIKED))).isNull();
    assertThat(obstacle(PodSet.builder().addTolerations(Toleration.exists("gpu")), node(GPU)))
        .isNull();
    assertThat(obstacle(PodSet.builder(), node(GPU), Toleration.exists("gpu"))).isNull();
    assertThat(obstacle(
            PodSet.builder().addTolerations(Toleration.exists("gpu")),
            node(GPU, SICK),
            Toleration.exists("other")))
        .isEqualTo("taint \"sick:NoExecute\"");
    assertThat(obstacle(
            PodSet.builder().addTolerations(Toleration.exists("gpu")),
            node(GPU, SICK),
            Toleration.exists("sick")))
        .isNull();
  }

  @Test
  void allSelectedLabelsMustBeThere() {
    assertThat(obstacle(PodSet.builder().putNodeSelector("disk", "ssd"), node()))
        .isNull();
    assertThat(obstacle(
            PodSet.builder().putNodeSelector("disk", "ssd").putNodeSelector("zone", "b"), node()))
        .isEqualTo("nodeSelector");
    assertThat(obstacle(PodSet.builder().putNodeSelector("none", "x"), node()))
        .isEqualTo("nodeSelector");
  }

  @Test
  void oneTermOfTheAffinityMustHoldAsAWhole() {
    NodeSelectorTerm ssd = NodeSelectorTerm.of(LabelRequirement.in("disk", "ssd"));
    NodeSelectorTerm ssdInB =
        NodeSelectorTerm.of(LabelRequirement.in("disk", "ssd"), LabelRequirement.in("zone", "b"));

    assertThat(obstacle(affinity(ssd), node())).isNull();
    assertThat(obstacle(affinity(ssdInB), node())).isEqualTo("affinity");
    assertThat(obstacle(affinity(ssdInB, ssd), node())).isNull();
  }

  @Test
  void fieldsAreTheNameOfTheNode() {
    NodeSelectorTerm named = new NodeSelectorTerm(
        ImmutableList.of(), ImmutableList.of(LabelRequirement.in("metadata.name", "n")));
    NodeSelectorTerm otherwise = new NodeSelectorTerm(
        ImmutableList.of(), ImmutableList.of(LabelRequirement.in("metadata.name", "other")));
    NodeSelectorTerm both = new NodeSelectorTerm(
        ImmutableList.of(LabelRequirement.in("disk", "hdd")),
        ImmutableList.of(LabelRequirement.in("metadata.name", "n")));

    assertThat(obstacle(affinity(named), node())).isNull();
    assertThat(obstacle(affinity(otherwise), node())).isEqualTo("affinity");
    assertThat(obstacle(affinity(both), node())).isEqualTo("affinity");
  }

  @Test
  void aTermThatSaysNothingMatchesNothing() {
    assertThat(obstacle(affinity(NodeSelectorTerm.of()), node())).isEqualTo("affinity");
  }

  @Test
  void taintsGoBeforeSelectorsAndThoseBeforeAffinity() {
    PodSet.Builder all = affinity(NodeSelectorTerm.of()).putNodeSelector("none", "x");

    assertThat(obstacle(all, node(SICK))).isEqualTo("taint \"sick:NoExecute\"");
    assertThat(obstacle(affinity(NodeSelectorTerm.of()).putNodeSelector("none", "x"), node()))
        .isEqualTo("nodeSelector");
  }
}
