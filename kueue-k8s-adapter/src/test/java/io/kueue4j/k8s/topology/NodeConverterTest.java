package io.kueue4j.k8s.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.k8s.internal.topology.NodeConverter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConverterTest {
  @Test
  void allThatConcernsPlacementIsRead() {
    Node node = ClusterObjects.node("n1")
        .editSpec()
        .withUnschedulable(true)
        .addNewTaint("NoSchedule", "gpu", null, "present")
        .endSpec()
        .editStatus()
        .addToAllocatable("memory", new Quantity("1.5Gi"))
        .endStatus()
        .build();
    assertThat(NodeConverter.convert(node))
        .isEqualTo(io.kueue4j.core.model.Node.builder()
            .name("n1")
            .putLabels("kubernetes.io/hostname", "n1")
            .unschedulable(true)
            .addTaints(new io.kueue4j.core.model.Taint(
                "gpu", "present", io.kueue4j.core.model.Taint.Effect.NO_SCHEDULE))
            .allocatableAmount("cpu", 8000)
            .allocatableAmount("memory", 3L << 29)
            .allocatableAmount("pods", 110)
            .build());
  }

  @ParameterizedTest
  @CsvSource({"Ready,True,true", "Ready,False,false", "Ready,Unknown,false", "Other,True,false"})
  void aNodeIsReadyIfItSaysSo(String type, String status, boolean ready) {
    Node node = ClusterObjects.node("n1")
        .editStatus()
        .withConditions()
        .addNewCondition()
        .withType(type)
        .withStatus(status)
        .endCondition()
        .endStatus()
        .build();
    assertThat(NodeConverter.convert(node).ready()).isEqualTo(ready);
  }

  @Test
  void aNodeOfWhichNothingIsKnownFitsNothing() {
    Node node = new NodeBuilder().withNewMetadata().withName("n").endMetadata().build();
    assertThat(NodeConverter.convert(node))
        .isEqualTo(io.kueue4j.core.model.Node.builder().name("n").ready(false).build());
  }

  @Test
  void everythingThatIsWrongIsSaidAtOnce() {
    Node node = ClusterObjects.node("n1")
        .editSpec()
        .addToTaints(new Taint("Never", "k", null, ""), new Taint("NoSchedule", "", null, ""))
        .endSpec()
        .editStatus()
        .withAllocatable(Map.of("cpu", new Quantity("x"), "pods", new Quantity("-1")))
        .endStatus()
        .build();
    assertThatThrownBy(() -> NodeConverter.convert(node))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("Node n1: spec.taints[0].effect: \"Never\"; expected one of")
        .hasMessageContaining("Node n1: spec.taints[1].key: missing; expected the key")
        .hasMessageContaining("Node n1: status.allocatable[cpu]: \"x\" is not a quantity")
        .hasMessageContaining("Node n1: status.allocatable[pods]: -1 is negative");
    assertThatThrownBy(() -> NodeConverter.convert(new Node()))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("metadata.name: missing");
  }
}
