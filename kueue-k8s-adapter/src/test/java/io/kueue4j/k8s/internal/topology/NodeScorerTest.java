package io.kueue4j.k8s.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scores of nodes by the formulas of the scheduler, and fragmentation. */
class NodeScorerTest {
  private static final String GPU = "nvidia.com/gpu";
  private static final NodeScorer PACKING = NodeScorer.requestedToCapacityRatio(
      Map.of(GPU, 100, "cpu", 1, "memory", 1),
      List.of(new NodeScorer.ShapePoint(0, 0), new NodeScorer.ShapePoint(100, 10)));

  private static Pod pod(String name, Map<String, String> limits) {
    PodBuilder pod = new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("c")
        .endContainer()
        .endSpec();
    limits.forEach((resource, amount) -> pod.editSpec()
        .editFirstContainer()
        .editOrNewResources()
        .addToLimits(resource, new Quantity(amount))
        .endResources()
        .endContainer()
        .endSpec());
    return pod.build();
  }

  private static Node node(String name) {
    return Node.builder()
        .name(name)
        .allocatable(GPU, "4")
        .allocatable("cpu", "32")
        .allocatable("memory", "128Gi")
        .allocatable("pods", "110")
        .build();
  }

  private static NodeLoad gpuNode(String name, int gpuPods) {
    List<Pod> pods = new ArrayList<>();
    for (int i = 0; i < gpuPods; i++) {
      pods.add(pod("p" + i, Map.of(GPU, "1")));
    }
    return NodeLoad.of(node(name), pods);
  }

  private static Map<String, Long> gpuPod() {
    return NodeLoad.scoredRequests(pod("new", Map.of(GPU, "1")));
  }

  private static NodeLoad load(long capacity, long requested) {
    return new NodeLoad(
        "n", ImmutableSortedMap.of("cpu", capacity), ImmutableSortedMap.of("cpu", requested));
  }

  @ParameterizedTest
  @CsvSource({"0, 25, 25", "1, 50, 49", "2, 75, 74", "3, 99, 98"})
  void theScoresOfTutorial004(int gpusAlreadyUsed, long current, long old) {
    NodeLoad node = gpuNode("n", gpusAlreadyUsed);
    assertThat(PACKING.score(node, gpuPod())).isEqualTo(current);
    assertThat(PACKING.withFormula(NodeScorer.Formula.V1_22).score(node, gpuPod()))
        .isEqualTo(old);
  }

  @Test
  void gpusDecideOnABusyNode() {
    Pod busy = pod("busy", Map.of("cpu", "16", "memory", "64Gi"));
    NodeLoad node = NodeLoad.of(node("n"), List.of(busy));
    assertThat(PACKING.score(node, gpuPod())).isEqualTo(25);
    assertThat(PACKING.withFormula(NodeScorer.Formula.V1_22).score(node, gpuPod()))
        .isEqualTo(26);
  }

  @Test
  void theSecondPodGoesToTheFirst() {
    List<NodeLoad> nodes = List.of(gpuNode("node7", 1), gpuNode("node5", 0), gpuNode("node6", 0));
    assertThat(PACKING.best(nodes, gpuPod())).map(NodeLoad::name).contains("node7");
    assertThat(PACKING.rank(nodes, gpuPod()))
        .as("ties by name")
        .extracting(NodeLoad::name)
        .containsExactly("node7", "node5", "node6");
    assertThat(NodeScorer.leastAllocated(Map.of(GPU, 1)).best(nodes, gpuPod()))
        .map(NodeLoad::name)
        .contains("node5");
  }

  @Test
  void aNodeWithoutRoomIsNotChosen() {
    List<NodeLoad> nodes = List.of(gpuNode("full", 4), gpuNode("free", 0));
    assertThat(PACKING.best(nodes, gpuPod())).map(NodeLoad::name).contains("free");
    assertThat(PACKING.best(List.of(gpuNode("full", 4)), gpuPod())).isEmpty();
  }

  @Test
  void aNodeWithoutGpusWasFullOnce() {
    NodeLoad plain = NodeLoad.of(
        Node.builder()
            .name("plain")
            .allocatable("cpu", "32")
            .allocatable("memory", "128Gi")
            .build(),
        List.of());
    Map<String, Long> plainPod = NodeLoad.scoredRequests(pod("p", Map.of("cpu", "16")));
    assertThat(PACKING.score(plain, plainPod)).as("cpu alone, 50 %").isEqualTo(50);
    assertThat(PACKING.withFormula(NodeScorer.Formula.V1_22).score(plain, plainPod))
        .as("(100 * 100 + 50 + 1) / 102")
        .isEqualTo(99);
    assertThat(PACKING.score(gpuNode("n", 2), plainPod))
        .as("a GPU that the pod does not want is left out")
        .isEqualTo(50);
  }

  @Test
  void leastAndMostAllocatedAreMeansInWholeNumbers() {
    NodeLoad node = new NodeLoad(
        "n",
        ImmutableSortedMap.of("cpu", 1000L, "memory", 1000L),
        ImmutableSortedMap.of("cpu", 250L, "memory", 0L));
    Map<String, Long> pod = Map.of("cpu", 84L, "memory", 100L);
    // 66.6 % and 90 % free: (66 + 90) / 2; used 33.4 % and 10 %: (33 + 10) / 2
    assertThat(NodeScorer.leastAllocated(Map.of("cpu", 1, "memory", 1)).score(node, pod))
        .isEqualTo(78);
    assertThat(NodeScorer.mostAllocated(Map.of("cpu", 1, "memory", 1)).score(node, pod))
        .isEqualTo(21);
    assertThat(NodeScorer.mostAllocated(Map.of("cpu", 3, "memory", 1)).score(node, pod))
        .isEqualTo(27);
    assertThat(NodeScorer.leastAllocated(Map.of("cpu", 1)).score(node, Map.of("cpu", 999L)))
        .as("more than there is")
        .isZero();
    assertThat(NodeScorer.mostAllocated(Map.of("cpu", 1)).score(node, Map.of("cpu", 999L)))
        .isZero();
    assertThat(NodeScorer.mostAllocated(Map.of("example.com/none", 1)).score(node, pod))
        .isZero();
  }

  @Test
  void theShapeMayFallAndHaveSteps() {
    NodeScorer scorer = NodeScorer.requestedToCapacityRatio(
        Map.of("cpu", 1),
        List.of(
            new NodeScorer.ShapePoint(10, 0),
            new NodeScorer.ShapePoint(40, 10),
            new NodeScorer.ShapePoint(90, 3)));
    assertThat(scorer.score(load(100, 0), Map.of("cpu", 5L)))
        .as("before the first")
        .isZero();
    assertThat(scorer.score(load(100, 0), Map.of("cpu", 25L))).isEqualTo(50);
    assertThat(scorer.score(load(100, 0), Map.of("cpu", 40L))).isEqualTo(100);
    assertThat(scorer.score(load(100, 0), Map.of("cpu", 41L)))
        .as("100 - trunc(1.4)")
        .isEqualTo(99);
    assertThat(scorer.score(load(100, 0), Map.of("cpu", 95L)))
        .as("behind the last")
        .isEqualTo(30);
    assertThat(scorer.score(load(100, 90), Map.of("cpu", 95L))).as("too much").isEqualTo(30);
  }

  @Test
  void largeAmountsDoNotOverflow() {
    NodeLoad node = load(Long.MAX_VALUE, Long.MAX_VALUE / 2);
    assertThat(NodeScorer.mostAllocated(Map.of("cpu", 1)).score(node, Map.of("cpu", 1L)))
        .isEqualTo(50);
  }

  @Test
  void containersThatAskForNothingCountALittle() {
    assertThat(NodeLoad.scoredRequests(pod("p", Map.of())))
        .containsExactly(
            Map.entry("cpu", 100L), Map.entry("memory", 209_715_200L), Map.entry("pods", 1L));
    assertThat(NodeLoad.scoredRequests(pod("p", Map.of("cpu", "2"))))
        .containsEntry("cpu", 2000L)
        .containsEntry("memory", 209_715_200L);
  }

  @Test
  void refusesWeightsAndShapesThatTheSchedulerRefuses() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NodeScorer.leastAllocated(Map.of()))
        .withMessageContaining("no resource has a weight");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NodeScorer.mostAllocated(Map.of("cpu", 101)))
        .withMessage("the weight of cpu is 101, expected 1 to 100");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NodeScorer.requestedToCapacityRatio(Map.of("cpu", 1), List.of()))
        .withMessageContaining("no point");
    NodeScorer.ShapePoint point = new NodeScorer.ShapePoint(50, 5);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> NodeScorer.requestedToCapacityRatio(Map.of("cpu", 1), List.of(point, point)))
        .withMessageContaining("rising utilization");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NodeScorer.ShapePoint(101, 5))
        .withMessageContaining("101");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NodeScorer.ShapePoint(0, 11))
        .withMessageContaining("11");
  }

  @Test
  void theFragmentationOfTutorial004() {
    List<NodeLoad> spread = List.of(gpuNode("n1", 3), gpuNode("n2", 3));
    Fragmentation report = Fragmentation.of(GPU, spread);
    assertThat(report.totalFree()).isEqualTo(2);
    assertThat(report.largestFree()).isEqualTo(1);
    assertThat(report.stranded(2)).isEqualTo(2);
    assertThat(report.podsThatFit(2)).isZero();
    assertThat(report.podsThatFit(1)).isEqualTo(2);
    Fragmentation packed = Fragmentation.of(GPU, List.of(gpuNode("n1", 4), gpuNode("n2", 2)));
    assertThat(packed.totalFree()).isEqualTo(2);
    assertThat(packed.largestFree()).isEqualTo(2);
    assertThat(packed.stranded(2)).isZero();
    assertThat(packed.podsThatFit(2)).isEqualTo(1);
    assertThat(packed.freeByNode()).containsExactly(Map.entry("n1", 0L), Map.entry("n2", 2L));
    assertThat(packed.podsThatFit(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(Fragmentation.of(GPU, List.of()).largestFree()).isZero();
    assertThat(Fragmentation.of(GPU, List.of(gpuNode("over", 5))).totalFree()).isZero();
  }
}
