package io.kueue4j.k8s.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class NodeQuotaTest {
  private static final ResourceFlavor ANY = ResourceFlavor.of("any");
  private static final ResourceFlavor SPOT =
      ResourceFlavor.builder().name("spot").putNodeLabels("type", "spot").build();

  private static Node node(String name, int cpu, UnaryOperator<Node.Builder> change) {
    return change
        .apply(Node.builder()
            .name(name)
            .ready(true)
            .allocatable("cpu", Integer.toString(cpu))
            .allocatable("memory", cpu + "Gi"))
        .build();
  }

  private static Node node(String name, int cpu) {
    return node(name, cpu, node -> node);
  }

  private static NodeQuota.Builder cpu() {
    return NodeQuota.builder().addResources("cpu");
  }

  /** {@return the quota of cpu of each flavor, in milli-units} */
  private static ImmutableList<Long> cpus(
      NodeQuota.Builder quota, ImmutableList<ResourceFlavor> flavors, Node... nodes) {
    return quota.build().quotas(flavors, ImmutableList.copyOf(nodes)).stream()
        .map(quotas -> quotas.resources().get(0).nominalQuota())
        .collect(ImmutableList.toImmutableList());
  }

  private static long cpu(NodeQuota.Builder quota, ResourceFlavor flavor, Node... nodes) {
    return cpus(quota, ImmutableList.of(flavor), nodes).get(0);
  }

  @Test
  void nodesAddUp() {
    assertThat(NodeQuota.builder()
            .addResources("cpu", "memory", "nvidia.com/gpu")
            .build()
            .quotas(ImmutableList.of(ANY), ImmutableList.of(node("a", 4), node("b", 8))))
        .containsExactly(FlavorQuotas.of(
            "any",
            ResourceQuota.of("cpu", "12"),
            ResourceQuota.of("memory", "12Gi"),
            ResourceQuota.ofAmount("nvidia.com/gpu", 0)));
  }

  @Test
  void nodesThatCannotBeUsedDoNotCount() {
    assertThat(cpu(
            cpu(),
            ANY,
            node("a", 4),
            node("cordoned", 8, node -> node.unschedulable(true)),
            node("broken", 8, node -> node.ready(false))))
        .isEqualTo(4000);
  }

  @Test
  void aNodeCountsForTheFirstFlavorThatItBelongsTo() {
    Node spot = node("a", 4, node -> node.putLabels("type", "spot"));
    Node other = node("b", 8, node -> node.putLabels("type", "reserved"));
    assertThat(cpus(cpu(), ImmutableList.of(SPOT, ANY), spot, other)).containsExactly(4000L, 8000L);
    assertThat(cpus(cpu(), ImmutableList.of(ANY, SPOT), spot, other)).containsExactly(12000L, 0L);
    assertThat(cpus(cpu(), ImmutableList.of(SPOT), other)).containsExactly(0L);
  }

  @Test
  void taintsThatTheFlavorDoesNotCoverKeepNodesOut() {
    Taint taint = new Taint("team", "a", Taint.Effect.NO_SCHEDULE);
    Node tainted = node("a", 4, node -> node.addTaints(taint));
    Node discouraged =
        node("b", 8, node -> node.addTaints(new Taint("x", "", Taint.Effect.PREFER_NO_SCHEDULE)));
    assertThat(cpu(cpu(), ANY, tainted, discouraged)).isEqualTo(8000);
    assertThat(cpu(
            cpu(),
            ResourceFlavor.builder()
                .name("f")
                .addTolerations(Toleration.exists("team"))
                .build(),
            tainted))
        .isEqualTo(4000);
    assertThat(
            cpu(cpu(), ResourceFlavor.builder().name("f").addNodeTaints(taint).build(), tainted))
        .isEqualTo(4000);
  }

  @Test
  void headRoomIsHeldBack() {
    Node[] nodes = {node("a", 4), node("b", 6)};
    assertThat(cpu(cpu().holdBack("cpu", "1500m"), ANY, nodes)).isEqualTo(8500);
    assertThat(cpu(cpu().putPercentHeldBack("cpu", 15), ANY, nodes)).isEqualTo(8500);
    assertThat(cpu(cpu().holdBack("cpu", "1").putPercentHeldBack("cpu", 15), ANY, nodes))
        .isEqualTo(7500);
    assertThat(cpu(cpu().holdBack("cpu", "11"), ANY, nodes)).isZero();
    assertThat(cpu(cpu().holdBack("memory", "11Gi"), ANY, nodes)).isEqualTo(10000);
  }

  @Test
  void percentagesAreRoundedUp() {
    Node gpus = node("a", 1, node -> node.allocatableAmount("nvidia.com/gpu", 8));
    assertThat(NodeQuota.builder()
            .addResources("nvidia.com/gpu")
            .putPercentHeldBack("nvidia.com/gpu", 13)
            .build()
            .quotas(ImmutableList.of(ANY), ImmutableList.of(gpus))
            .get(0)
            .resources())
        .containsExactly(ResourceQuota.ofAmount("nvidia.com/gpu", 6));
  }

  @Test
  void whatOthersTakeIsLeftOutOnRequest() {
    Node busy = node("a", 4, node -> node.usedByOthersAmount("cpu", 1500));
    Node overfull = node("b", 4, node -> node.usedByOthersAmount("cpu", 9000));
    assertThat(cpu(cpu(), ANY, busy, overfull)).isEqualTo(8000);
    assertThat(cpu(cpu().leavesOutOthers(true), ANY, busy, overfull)).isEqualTo(2500);
  }

  @Test
  void sumsDoNotOverflow() {
    Node large = node("a", 1, node -> node.allocatableAmount("x", Long.MAX_VALUE));
    Node other = node("b", 1, node -> node.allocatableAmount("x", Long.MAX_VALUE));
    NodeQuota.Builder quota = NodeQuota.builder().addResources("x");
    assertThat(cpu(quota, ANY, large, other)).isEqualTo(Long.MAX_VALUE);
    assertThat(cpu(
            NodeQuota.builder().addResources("x").putPercentHeldBack("x", 50), ANY, large, other))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(cpu(
            NodeQuota.builder().addResources("x").putPercentHeldBack("x", 75), ANY, large, other))
        .isEqualTo(Long.MAX_VALUE / 2);
  }

  @Test
  void aQueueKeepsEverythingElse() {
    ClusterQueue queue = ClusterQueue.builder()
        .name("q")
        .cohort("c")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of(
                "spot",
                ResourceQuota.of("cpu", "1").withBorrowingLimit("5").withLendingLimit("1"),
                ResourceQuota.of("memory", "7Gi")),
            FlavorQuotas.of(
                "any", ResourceQuota.of("cpu", "3"), ResourceQuota.of("memory", "7Gi"))))
        .build();
    ClusterQueue changed = cpu()
        .build()
        .applyTo(
            queue,
            ImmutableList.of(SPOT),
            ImmutableList.of(node("a", 4, node -> node.putLabels("type", "spot"))));
    assertThat(changed)
        .isEqualTo(ClusterQueue.builder()
            .from(queue)
            .resourceGroups(ImmutableList.of(ResourceGroup.of(
                FlavorQuotas.of(
                    "spot",
                    ResourceQuota.of("cpu", "4").withBorrowingLimit("5").withLendingLimit("1"),
                    ResourceQuota.of("memory", "7Gi")),
                FlavorQuotas.of(
                    "any", ResourceQuota.of("cpu", "3"), ResourceQuota.of("memory", "7Gi")))))
            .build());
    ClusterQueue empty = cpu().build().applyTo(queue, ImmutableList.of(SPOT), ImmutableList.of());
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(SPOT, ANY, empty);
    assertThat(empty.resourceGroups().get(0).flavors().get(0).resources().get(0).lendingLimit())
        .hasValue(0);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> NodeQuota.builder().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one");
    assertThatThrownBy(() -> cpu().putPercentHeldBack("cpu", 101).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("101 percent");
    assertThatThrownBy(() -> cpu().putHeldBack("cpu", -1).build())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
