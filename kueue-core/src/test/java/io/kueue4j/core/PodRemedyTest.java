package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Queues.openQueue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The remedies that make pods match the taints and labels of a flavor, and their effect. */
class PodRemedyTest extends RemedyFixture {
  private void tainted(String... keys) {
    ResourceFlavor.Builder flavor = ResourceFlavor.builder().name(FLAVOR);
    for (String key : keys) {
      flavor.addNodeTaints(new Taint(key, "yes", Taint.Effect.NO_SCHEDULE));
    }
    cluster.with(flavor.build());
  }

  @Test
  void everyTaintOfTheFlavorIsToleratedByEveryPodSet() {
    tainted("gpu", "spot");
    PodSet one = PodSet.builder().name("one").requestAmount("cpu", 1000).build();
    PodSet two = PodSet.builder().name("two").requestAmount("cpu", 1000).build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(one, two)));
    assertThat(make("w"))
        .hasToString("pod set one tolerates the taints gpu=yes:NoSchedule and"
            + " spot=yes:NoSchedule, pod set two tolerates the taints gpu=yes:NoSchedule and"
            + " spot=yes:NoSchedule");
  }

  @Test
  void onlyTaintsThatExcludePodsAreTolerated() {
    ResourceFlavor tolerant = ResourceFlavor.builder()
        .name(FLAVOR)
        .addNodeTaints(
            new Taint("gpu", "yes", Taint.Effect.NO_SCHEDULE),
            new Taint("own", "yes", Taint.Effect.NO_SCHEDULE),
            new Taint("spot", "yes", Taint.Effect.NO_SCHEDULE))
        .addTolerations(Toleration.builder().key("own").value("yes").build())
        .build();
    cluster.with(tolerant);
    Toleration gpu = Toleration.builder().key("gpu").value("yes").build();
    Toleration spot = Toleration.builder().key("spot").value("yes").build();
    PodSet one = PodSet.builder()
        .name("one")
        .requestAmount("cpu", 1000)
        .addTolerations(gpu, spot)
        .build();
    PodSet two = PodSet.builder()
        .name("two")
        .requestAmount("cpu", 1000)
        .addTolerations(gpu)
        .build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(one, two)));
    Remedy remedy = make("w");
    assertThat(remedy).hasToString("pod set two tolerates the taint spot=yes:NoSchedule");
    assertThat(remedy.workload().orElseThrow().podSets().get(1).tolerations())
        .containsExactly(
            gpu,
            Toleration.builder().from(spot).effect(Taint.Effect.NO_SCHEDULE).build());
  }

  @Test
  void aSelectorThatExcludesTheFlavorIsRemovedAndOthersStay() {
    cluster.with(
        ResourceFlavor.builder().name(FLAVOR).putNodeLabels("zone", "a").build());
    PodSet pods = PodSet.builder()
        .requestAmount("cpu", 1000)
        .putNodeSelector("zone", "b")
        .putNodeSelector("disk", "ssd")
        .build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(pods)));
    Remedy remedy = make("w");
    assertThat(remedy).hasToString("pod set main does not select nodes by zone=b");
    assertThat(remedy.workload().orElseThrow().podSets().get(0).nodeSelector())
        .isEqualTo(Map.of("disk", "ssd"));
  }

  @Test
  void anAffinityThatExcludesTheFlavorIsRemoved() {
    cluster.with(
        ResourceFlavor.builder().name(FLAVOR).putNodeLabels("zone", "a").build());
    PodSet pods = PodSet.builder()
        .requestAmount("cpu", 1000)
        .addAllNodeAffinity(ImmutableList.of(NodeSelectorTerm.of(LabelRequirement.in("zone", "b"))))
        .build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(pods)));
    assertThat(make("w")).hasToString("pod set main has no required node affinity");
  }

  @Test
  void allObstaclesOfOneFlavorAreOneChange() {
    cluster.with(ResourceFlavor.builder()
        .name(FLAVOR)
        .putNodeLabels("zone", "a")
        .addNodeTaints(new Taint("gpu", "yes", Taint.Effect.NO_SCHEDULE))
        .addNodeTaints(new Taint("slow", "yes", Taint.Effect.PREFER_NO_SCHEDULE))
        .build());
    PodSet pods = PodSet.builder()
        .requestAmount("cpu", 1000)
        .putNodeSelector("zone", "b")
        .addAllNodeAffinity(ImmutableList.of(NodeSelectorTerm.of(LabelRequirement.in("zone", "b"))))
        .build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(pods)));
    assertThat(make("w"))
        .hasToString("pod set main tolerates the taint gpu=yes:NoSchedule, pod set main does not"
            + " select nodes by zone=b, pod set main has no required node affinity");
  }

  @Test
  void theFlavorWithTheFewestObstaclesIsMatched() {
    cluster.with(
        ResourceFlavor.builder()
            .name(FLAVOR)
            .putNodeLabels("zone", "a")
            .addNodeTaints(new Taint("gpu", "yes", Taint.Effect.NO_SCHEDULE))
            .build(),
        ResourceFlavor.builder().name("other").putNodeLabels("zone", "a").build());
    cluster.with(openQueue("b")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of(FLAVOR, cpu(2)), FlavorQuotas.of("other", cpu(2)))));
    PodSet pods =
        PodSet.builder().requestAmount("cpu", 1000).putNodeSelector("zone", "b").build();
    cluster.submit(cluster.jobOf("w", "b", w -> w.addPodSets(pods)));
    assertThat(make("w")).hasToString("pod set main does not select nodes by zone=b");
  }

  @Test
  void adaptingToAFlavorThatIsFullDoesNotHelp() {
    tainted("gpu");
    cluster.submit("w", "a", 11);
    assertThat(changes("w")).isEmpty();
  }
}
