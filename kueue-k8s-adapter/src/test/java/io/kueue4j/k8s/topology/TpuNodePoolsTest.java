package io.kueue4j.k8s.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceFit;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.k8s.internal.tpu.SliceNodeLabels;
import io.kueue4j.k8s.internal.tpu.TpuLabels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class TpuNodePoolsTest {
  private static final ResourceFlavor V6E = flavor("tpu-v6e-slice");

  private static ResourceFlavor flavor(String accelerator) {
    return ResourceFlavor.builder()
        .name("tpu")
        .putNodeLabels(TpuLabels.ACCELERATOR, accelerator)
        .build();
  }

  private static Node node(String name, String nodePool, String shape, int chips) {
    return node(name, nodePool, shape, chips, node -> node);
  }

  private static Node node(
      String name, String nodePool, String shape, int chips, UnaryOperator<Node.Builder> change) {
    return change
        .apply(Node.builder()
            .name(name)
            .putLabels(TpuLabels.ACCELERATOR, "tpu-v6e-slice")
            .putLabels(TpuLabels.TOPOLOGY, shape)
            .putLabels(TpuLabels.NODE_POOL, nodePool)
            .allocatableAmount("google.com/tpu", chips))
        .build();
  }

  private static TpuPoolSet poolSet(ConfigObject... objects) {
    return TpuNodePools.configure(ImmutableList.copyOf(objects)).stream()
        .filter(TpuPoolSet.class::isInstance)
        .map(TpuPoolSet.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static void assertRefused(String message, ConfigObject... objects) {
    assertThatThrownBy(() -> TpuNodePools.configure(ImmutableList.copyOf(objects)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aNodePoolOfSeveralHostsIsOneSlice() {
    TpuPoolSet pools = poolSet(
        V6E,
        node("b1", "b", "4x4", 4),
        node("a1", "a", "2x4", 4),
        node("a0", "a", "2x4", 4),
        node("b0", "b", "4x4", 4));
    assertThat(pools.wholePools()).containsExactlyInAnyOrder("a", "b");
    TpuPool a = pools.fleet().pools().get(0);
    assertThat(a.nodes()).containsExactly("a0", "a1");
    assertThat(a.chips()).hasToString("2x4");
    TpuPool b = pools.fleet().pools().get(1);
    assertThat(b.nodes())
        .containsExactly("b0", "b1", "(missing node 2 of b)", "(missing node 3 of b)");
    assertThat(pools.fleet().health("b", 0)).isEqualTo(HostHealth.HEALTHY);
    assertThat(pools.fleet().health("b", 2)).isEqualTo(HostHealth.DOWN);
  }

  @Test
  void ofSlicesOfOneHostEachNodeIsAPool() {
    TpuPoolSet pools = poolSet(V6E, node("n0", "pool", "2x4", 8), node("n1", "pool", "2x4", 8));
    assertThat(pools.fleet().pools()).extracting(TpuPool::id).containsExactly("n0", "n1");
    assertThat(pools.fleet().pools()).extracting(TpuPool::fabric).containsOnly("pool");
  }

  @Test
  void hostsAreAsHealthyAsTheirNodes() {
    TpuPoolSet pools = poolSet(
        V6E,
        node("a0", "a", "4x4", 4, node -> node.ready(false)),
        node("a1", "a", "4x4", 4, node -> node.unschedulable(true)),
        node("a2", "a", "4x4", 4));
    assertThat(pools.fleet().health("a", 0)).isEqualTo(HostHealth.DOWN);
    assertThat(pools.fleet().health("a", 1)).isEqualTo(HostHealth.CORDONED);
    assertThat(pools.fleet().health("a", 2)).isEqualTo(HostHealth.HEALTHY);
  }

  @Test
  void onlyFlavorsOfTpuNodesAreChanged() {
    ResourceFlavor cpu = ResourceFlavor.of("cpu");
    ResourceFlavor placed =
        ResourceFlavor.builder().from(V6E).name("placed").topologyName("t").build();
    ResourceFlavor other = ResourceFlavor.builder()
        .from(V6E)
        .name("other")
        .putNodeLabels("zone", "b")
        .build();
    Node node = node("n0", "pool", "2x4", 8);
    List<ConfigObject> configured = TpuNodePools.configure(List.of(cpu, placed, other, V6E, node));
    assertThat(configured)
        .contains(cpu, placed, other, node)
        .contains(ResourceFlavor.builder().from(V6E).tpuPoolSet("tpu").build())
        .hasSize(6);
  }

  @Test
  void contradictingLabelsAreRefusedWithWhatWouldBeRight() {
    assertRefused(
        "\"tpu-v99\" is not known; expected one of [tpu-v4-podslice",
        flavor("tpu-v99"),
        node(
            "n",
            "p",
            "2x4",
            4,
            node -> Node.builder().name("n").putLabels(TpuLabels.ACCELERATOR, "tpu-v99")));
    assertRefused("4x2 is no slice of v6e: write 2x4", V6E, node("n", "p", "4x2", 4));
    assertRefused(
        "a node with \"3\" of google.com/tpu; expected [1, 4, 8]", V6E, node("n", "p", "2x4", 3));
    assertRefused("2x2 cannot be made of hosts of 2x4", V6E, node("n", "p", "2x2", 8));
    assertRefused(
        "\"8\", but 4 of google.com/tpu are allocatable",
        V6E,
        node("n", "p", "2x4", 4, node -> node.putLabels(TpuLabels.ACCELERATOR_COUNT, "8")));
    assertRefused(
        "node pool p has 3 nodes, but a slice 2x4 has 2 hosts of 4 chips",
        V6E,
        node("n0", "p", "2x4", 4),
        node("n1", "p", "2x4", 4),
        node("n2", "p", "2x4", 4));
    assertRefused(
        "4x4 with 4 chips in node pool p, where node n0 is of 2x4 with 4 chips",
        V6E,
        node("n0", "p", "2x4", 4),
        node("n1", "p", "4x4", 4));
  }

  @Test
  void aViolationNamesTheNodeAndTheLabel() {
    assertThatThrownBy(() -> TpuNodePools.configure(List.of(V6E, node("n", "p", "4x2", 4))))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            thrown -> assertThat(thrown.violations()).singleElement().satisfies(violation -> {
              assertThat(violation.object()).isEqualTo("Node n");
              assertThat(violation.field()).isEqualTo("labels[" + TpuLabels.TOPOLOGY + "]");
            }));
  }

  // ----- cubes

  /** {@return a host of a cube, each partition named by its coordinates} */
  private static Node host(int cube, int x, int y, int z, Map<String, String> more) {
    String name = "c" + cube + "-" + x + y + z;
    Map<String, String> labels = new HashMap<>();
    labels.put(TpuLabels.ACCELERATOR, "tpu7x");
    labels.put(TpuLabels.TOPOLOGY, "4x4x4");
    labels.put(TpuLabels.BLOCK, "block-a");
    labels.put(TpuLabels.partitionId("4x4x4"), "c" + cube);
    labels.put(TpuLabels.partitionId("2x4x4"), "c" + cube + "x" + x);
    labels.put(TpuLabels.partitionId("2x2x4"), "c" + cube + "x" + x + "y" + y);
    labels.put(TpuLabels.partitionId("2x2x2"), "c" + cube + "x" + x + "y" + y + "h" + z / 2);
    labels.put(TpuLabels.partitionId("2x2x1"), name);
    labels.putAll(more);
    return Node.builder()
        .name(name)
        .putAllLabels(labels)
        .allocatableAmount("google.com/tpu", 4)
        .build();
  }

  private static List<ConfigObject> cubes(int count, Map<String, String> moreOfCube1) {
    List<ConfigObject> objects = new ArrayList<>();
    objects.add(flavor("tpu7x"));
    for (int cube = count - 1; cube >= 0; cube--) {
      for (int host = 15; host >= 0; host--) {
        objects.add(host(
            cube, host & 1, host >> 1 & 1, host >> 2, cube == 1 ? moreOfCube1 : ImmutableMap.of()));
      }
    }
    return objects;
  }

  @Test
  void nodesWithPartitionIdsAreCubesOfOneBlock() {
    TpuPoolSet pools = poolSet(cubes(3, ImmutableMap.of()).toArray(ConfigObject[]::new));
    assertThat(pools.wholePools()).isEmpty();
    TpuPool pool = pools.fleet().pools().get(0);
    assertThat(pool.id()).isEqualTo("block-a");
    assertThat(pool.cubes()).isEqualTo(3);
    assertThat(pool.nodes().get(16 + 1 + 2 + 4 * 3)).isEqualTo("c1-113");
    SliceFit super0 = SliceFitter.create().fit(pools.fleet(), SliceRequest.of("4x4x8"));
    assertThat(super0.slices().get(0).partitionIds()).containsExactly("c0", "c1");
    SliceFit sub =
        SliceFitter.create().fit(pools.fleet(), SliceRequest.of("2x2x2").withCount(3));
    assertThat(sub.slices())
        .allSatisfy(slice -> assertThat(slice.partitionIds()).hasSize(1))
        .allSatisfy(slice -> assertThat(slice.nodes())
            .allMatch(
                node -> node.startsWith("c0-" + slice.partitionIds().get(0).charAt(3)
                    + slice.partitionIds().get(0).charAt(5))));
    assertThat(SliceNodeLabels.labels(List.of(
            new SliceAssignment("tpu", super0.slices().get(0)),
            new SliceAssignment("tpu", sub.slices().get(0)))))
        .isEqualTo(Map.of(
            TpuLabels.partitionId("4x4x4"), Set.of("c0", "c1"),
            TpuLabels.partitionId("2x2x2"), Set.copyOf(sub.slices().get(0).partitionIds())));
  }

  private static TpuFleet fleet(int count, Map<String, String> moreOfCube1) {
    return poolSet(cubes(count, moreOfCube1).toArray(ConfigObject[]::new)).fleet();
  }

  private static boolean fits(TpuFleet fleet, SliceRequest request) {
    return SliceFitter.create().fit(fleet, request).isPlaced();
  }

  @Test
  void aCubeThatIsIncompleteHasSmallerPartitions() {
    TpuFleet fleet = fleet(2, ImmutableMap.of(TpuLabels.partitionState("4x4x4"), "INCOMPLETE"));
    assertThat(fits(fleet, SliceRequest.of("4x4x4"))).isTrue();
    assertThat(fits(fleet, SliceRequest.of("4x4x8"))).isFalse();
    assertThat(fits(fleet, SliceRequest.of("2x4x4").withCount(4))).isTrue();
    // Cubes that cannot be joined are used first.
    assertThat(SliceFitter.create()
            .fit(fleet, SliceRequest.of("2x2x1"))
            .slices()
            .get(0)
            .nodes())
        .allMatch(node -> node.startsWith("c1-"));
  }

  @Test
  void aPartitionIsNoBetterThanThoseInside() {
    List<ConfigObject> nodes = cubes(1, ImmutableMap.of());
    nodes.removeIf(object -> object instanceof Node node && node.name().equals("c0-000"));
    nodes.add(host(0, 0, 0, 0, ImmutableMap.of(TpuLabels.partitionState("2x2x2"), "UNHEALTHY")));
    TpuFleet fleet = poolSet(nodes.toArray(ConfigObject[]::new)).fleet();
    assertThat(fits(fleet, SliceRequest.of("4x4x4"))).isFalse();
    assertThat(fits(fleet, SliceRequest.of("2x4x4").withCount(2))).isFalse();
    assertThat(fits(fleet, SliceRequest.of("2x2x4").withCount(3))).isTrue();
    assertThat(fits(fleet, SliceRequest.of("2x2x2").withCount(7))).isTrue();
    assertThat(fits(fleet, SliceRequest.of("2x2x2").withCount(8))).isFalse();
    assertThat(fits(fleet, SliceRequest.of("2x2x1").withCount(16))).isTrue();
  }

  @Test
  void aDegradedPartitionIsForThoseThatAllowIt() {
    TpuFleet fleet = fleet(2, ImmutableMap.of(TpuLabels.partitionState("4x4x4"), "DEGRADED"));
    assertThat(fits(fleet, SliceRequest.of("4x4x8"))).isFalse();
    assertThat(fits(fleet, SliceRequest.of("4x4x8").withDegradedHosts())).isTrue();
  }

  @Test
  void aCubeWithItsOwnIdAloneIsUsedWhole() {
    Map<String, String> none = new HashMap<>();
    for (String shape : List.of("2x4x4", "2x2x4", "2x2x2", "2x2x1")) {
      none.put(TpuLabels.partitionId(shape), "");
    }
    TpuFleet fleet = fleet(2, none);
    assertThat(fits(fleet, SliceRequest.of("4x4x8"))).isTrue();
    assertThat(fits(fleet, SliceRequest.of("2x2x1").withCount(16))).isTrue();
    assertThat(fits(fleet, SliceRequest.of("2x2x1").withCount(17))).isFalse();
    assertThat(fits(fleet, SliceRequest.of("2x4x4").withCount(3))).isFalse();
  }

  @Test
  void aFreeNodeOfACubeNeedsNoTopology() {
    assertThat(fits(fleet(2, ImmutableMap.of(TpuLabels.TOPOLOGY, "")), SliceRequest.of("4x4x8")))
        .isTrue();
  }

  @Test
  void aCordonedNodeOfACubeIsNotUsed() {
    List<ConfigObject> nodes = cubes(1, ImmutableMap.of());
    Node first = (Node) nodes.remove(1);
    nodes.add(Node.builder().from(first).unschedulable(true).build());
    TpuFleet fleet = poolSet(nodes.toArray(ConfigObject[]::new)).fleet();
    assertThat(fits(fleet, SliceRequest.of("4x4x4").withDegradedHosts())).isFalse();
    assertThat(fits(fleet, SliceRequest.of("2x2x1").withCount(15).withDegradedHosts()))
        .isTrue();
  }

  @Test
  void aHostOfOneChipIsASlice() {
    TpuPoolSet pools = poolSet(flavor("tpu7x"), hostOfOneChip("1x1x1"));
    assertThat(fits(pools.fleet(), SliceRequest.of("1x1x1"))).isTrue();
    assertRefused(
        "4x4x4 with a host of 1 chip; expected 1x1x1", flavor("tpu7x"), hostOfOneChip("4x4x4"));
  }

  private static Node hostOfOneChip(String shape) {
    return Node.builder()
        .name("n")
        .putLabels(TpuLabels.ACCELERATOR, "tpu7x")
        .putLabels(TpuLabels.TOPOLOGY, shape)
        .allocatableAmount("google.com/tpu", 1)
        .build();
  }

  @Test
  void aCubeHasSixteenNodes() {
    List<ConfigObject> nodes = cubes(1, ImmutableMap.of());
    nodes.add(host(0, 1, 1, 4, ImmutableMap.of()));
    assertRefused("one of 17 nodes with this id", nodes.toArray(ConfigObject[]::new));
  }

  @Test
  void partitionsThatAreNoHalvesAreRefused() {
    List<ConfigObject> objects = cubes(1, ImmutableMap.of());
    objects.remove(1);
    objects.add(host(0, 1, 1, 4, ImmutableMap.of(TpuLabels.partitionId("2x4x4"), "third")));
    assertRefused("one of 3 beside it", objects.toArray(ConfigObject[]::new));
    List<ConfigObject> twice = cubes(1, ImmutableMap.of());
    twice.remove(1);
    twice.add(Node.builder().from((Node) twice.get(3)).name("again").build());
    assertRefused("expected one host in each", twice.toArray(ConfigObject[]::new));
    List<ConfigObject> without = cubes(2, ImmutableMap.of(TpuLabels.partitionId("2x2x4"), ""));
    assertRefused(
        "missing; expected the ids of partitions of all shapes",
        without.toArray(ConfigObject[]::new));
  }
}
