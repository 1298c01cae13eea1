package io.kueue4j.k8s.topology;

import static io.kueue4j.k8s.topology.ClusterObjects.node;
import static io.kueue4j.k8s.topology.ClusterObjects.pod;
import static io.kueue4j.k8s.topology.ClusterObjects.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeTrackerTest {
  private final NodeTracker tracker = NodeTracker.create();

  private Map<String, Long> used(String node) {
    return tracker.node(node).orElseThrow().usedByOthers();
  }

  @Test
  void aBoundPodTakesItsRequestsAndOneOfPods() {
    tracker.update(node("n1").build());
    tracker.update(pod("a", "n1", "1500m").build());
    tracker.update(pod("b", "n1", "1").build());
    tracker.update(pod("c", "n2", "1").build());
    assertThat(used("n1")).isEqualTo(Map.of("cpu", 2500L, "pods", 2L));
  }

  @Test
  void requestsAreThoseOfTheWholePod() {
    Pod whole = pod("a", "n1", "1")
        .editSpec()
        .addToOverhead("cpu", new Quantity("250m"))
        .addNewInitContainer()
        .withName("init")
        .withNewResources()
        .withLimits(Map.of("nvidia.com/gpu", new Quantity("2")))
        .endResources()
        .endInitContainer()
        .endSpec()
        .build();
    tracker.update(node("n1").build());
    tracker.update(whole);
    assertThat(used("n1")).isEqualTo(Map.of("cpu", 1250L, "nvidia.com/gpu", 2L, "pods", 1L));
  }

  @Test
  void aPodMayBeKnownBeforeItsNode() {
    tracker.update(pod("a", "n1", "1").build());
    assertThat(tracker.node("n1")).isEmpty();
    assertThat(tracker.changedNodes()).isEmpty();
    tracker.update(node("n1").build());
    assertThat(used("n1")).containsEntry("cpu", 1000L);
    assertThat(tracker.changedNodes()).containsExactly("n1");
  }

  @Test
  void podsThatAreNotBoundTakeNothingYet() {
    tracker.update(node("n1").build());
    PodBuilder pending = pod("a", "n1", "1").editSpec().withNodeName(null).endSpec();
    tracker.update(pending.build());
    assertThat(used("n1")).isEmpty();
    tracker.update(pending
        .editSpec()
        .withNodeName("n1")
        .endSpec()
        .editStatus()
        .withPhase("Pending")
        .endStatus()
        .build());
    assertThat(used("n1")).containsEntry("pods", 1L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Succeeded", "Failed"})
  void podsThatHaveFinishedTakeNothingAnyMore(String phase) {
    tracker.update(node("n1").build());
    tracker.update(pod("a", "n1", "1").build());
    tracker.update(pod("a", "n1", "1").editStatus().withPhase(phase).endStatus().build());
    assertThat(used("n1")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "required-topology",
        "preferred-topology",
        "unconstrained-topology",
        "slice-required-topology",
        "slice-required-topology-constraints"
      })
  void podsThatAdmissionPlacesAreAdmissionsBusiness(String annotation) {
    tracker.update(node("n1").build());
    tracker.update(pod("a", "n1", "1")
        .editMetadata()
        .addToAnnotations("kueue.x-k8s.io/podset-" + annotation, "x")
        .endMetadata()
        .build());
    assertThat(used("n1")).isEmpty();
  }

  @Test
  void deletedPodsTakeNothing() {
    tracker.update(node("n1").build());
    tracker.update(pod("a", "n1", "1").build());
    tracker.delete(pod("a", "n1", "1").build());
    tracker.delete(pod("a", "n1", "1").build());
    assertThat(used("n1")).isEmpty();
  }

  @Test
  void aNodeKeepsItsPodsWhenItComesBack() {
    tracker.update(node("n1").build());
    tracker.update(pod("a", "n1", "1").build());
    tracker.delete(node("n1").build());
    assertThat(tracker.nodes()).isEmpty();
    tracker.update(node("n1").build());
    assertThat(used("n1")).containsEntry("cpu", 1000L);
  }

  @Test
  void lateNewsIsPassedOver() {
    tracker.update(version(node("n1").editSpec().withUnschedulable(true).endSpec(), "u", 9));
    tracker.update(version(node("n1"), "u", 8));
    assertThat(tracker.node("n1").orElseThrow().unschedulable()).isTrue();
    tracker.update(version(pod("a", "n1", "2"), "p", 12));
    tracker.update(version(pod("a", "n1", "1"), "p", 11));
    assertThat(used("n1")).containsEntry("cpu", 2000L);
    // As text, 9 is above 12.
    tracker.update(version(pod("a", "n1", "3"), "p", 100));
    assertThat(used("n1")).containsEntry("cpu", 3000L);
  }

  @Test
  void aFinishedPodDoesNotRunAgain() {
    tracker.update(node("n1").build());
    PodBuilder pod = pod("a", "n1", "1").editMetadata().withUid("u").endMetadata();
    tracker.update(
        new PodBuilder(pod.build()).editStatus().withPhase("Failed").endStatus().build());
    tracker.update(pod.build());
    assertThat(used("n1")).isEmpty();
    tracker.update(pod.editMetadata().withUid("another").endMetadata().build());
    assertThat(used("n1")).containsEntry("pods", 1L);
  }

  @Test
  void aBoundPodStaysBound() {
    tracker.update(node("n1").build());
    PodBuilder pod = pod("a", "n1", "1").editMetadata().withUid("u").endMetadata();
    tracker.update(pod.build());
    tracker.update(pod.editSpec().withNodeName("").endSpec().build());
    assertThat(used("n1")).containsEntry("pods", 1L);
  }

  @Test
  void theSuccessorOfADeletedPodStays() {
    tracker.update(node("n1").build());
    tracker.update(version(pod("a", "n1", "1"), "first", 5));
    tracker.update(version(pod("a", "n1", "2"), "second", 7));
    tracker.delete(version(pod("a", "n1", "1"), "first", 6));
    assertThat(used("n1")).containsEntry("cpu", 2000L);
    tracker.update(version(pod("a", "n1", "1"), "first", 6));
    tracker.delete(version(pod("a", "n1", "2"), "second", 8));
    tracker.update(version(pod("a", "n1", "2"), "second", 8));
    assertThat(used("n1")).isEmpty();
  }

  @Test
  void whatIsNotListedIsGone() {
    tracker.update(node("n1").build());
    tracker.update(node("n2").build());
    tracker.update(pod("a", "n1", "1").build());
    tracker.update(pod("b", "n1", "2").build());
    tracker.relistPods(List.of(pod("b", "n1", "2").build(), pod("c", "n3", "4").build()));
    tracker.relistNodes(List.of(node("n1").build(), node("n3").build()));
    assertThat(tracker.nodes())
        .extracting(io.kueue4j.core.model.Node::name)
        .containsExactly("n1", "n3");
    assertThat(used("n1")).containsEntry("cpu", 2000L);
    assertThat(used("n3")).containsEntry("cpu", 4000L);
  }

  @Test
  void aLateEventOfAPodThatIsNotListedIsIgnored() {
    tracker.update(node("n1").build());
    tracker.update(version(pod("a", "n1", "1"), "first", 6));
    tracker.relistPods(List.of());

    tracker.update(version(pod("a", "n1", "1"), "first", 7));

    assertThat(used("n1")).isEmpty();
  }

  @Test
  void whatCannotBeReadChangesNothing() {
    tracker.update(node("n1").build());
    tracker.update(pod("a", "n1", "1").build());
    assertThatThrownBy(() -> tracker.update(pod("a", "n1", "x").build()))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("Pod ns/a: spec.containers[0].resources.requests[cpu]: \"x\" is not");
    assertThatThrownBy(() -> tracker.update(node("n1")
            .editStatus()
            .addToAllocatable("cpu", new Quantity("y"))
            .endStatus()
            .build()))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("Node n1: status.allocatable[cpu]");
    assertThatThrownBy(() -> tracker.update(new Pod()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a Pod without metadata.name, expected one as the API server gives");
    assertThat(used("n1")).containsEntry("cpu", 1000L);
    assertThat(tracker.node("n1").orElseThrow().allocatable()).containsEntry("cpu", 8000L);
  }

  /** A queue over one topology of hosts, with more quota than the nodes have. */
  private static AdmissionEngine engine() {
    AdmissionEngine engine = AdmissionEngine.create();
    engine.apply(
        Topology.of("hosts", Topology.HOSTNAME),
        ResourceFlavor.builder()
            .name("tas")
            .topologyName("hosts")
            .putNodeLabels("pool", "a")
            .build(),
        ClusterQueue.builder()
            .name("cq")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("tas", ResourceQuota.of("cpu", "100"))))
            .build(),
        LocalQueue.of("ns", "q", "cq"));
    return engine;
  }

  private static io.fabric8.kubernetes.api.model.NodeBuilder inPool(String name) {
    return node(name).editMetadata().addToLabels("pool", "a").endMetadata();
  }

  private static boolean fits(AdmissionEngine engine, String cpu) {
    Workload workload = Workload.of(
        "ns",
        "probe",
        "q",
        PodSet.builder()
            .request("cpu", cpu)
            .topologyRequest(TopologyRequest.required(Topology.HOSTNAME))
            .build());
    AdmissionResult result = engine.view().whatIf().tryAdmit(workload).result();
    return result.isAdmitted();
  }

  @Test
  void anEngineReceivesWhatHasChanged() {
    AdmissionEngine engine = engine();
    tracker.relistNodes(List.of(inPool("n1").build(), inPool("n2").build()));
    assertThat(tracker.applyTo(engine)).containsExactly("n1", "n2");
    assertThat(fits(engine, "8")).isTrue();

    tracker.update(pod("a", "n1", "3").build());
    assertThat(tracker.changedNodes()).containsExactly("n1");
    assertThat(tracker.applyTo(engine)).containsExactly("n1");
    assertThat(tracker.applyTo(engine)).isEmpty();
    assertThat(fits(engine, "8")).isTrue();
    tracker.delete(inPool("n2").build());
    assertThat(tracker.applyTo(engine)).containsExactly("n2");
    assertThat(fits(engine, "8")).isFalse();
    assertThat(fits(engine, "5")).isTrue();
    tracker.update(inPool("n2").build());
    assertThat(tracker.applyTo(engine)).containsExactly("n2");

    // A heartbeat has no relevant change.
    tracker.update(inPool("n1")
        .editStatus()
        .editFirstCondition()
        .withLastHeartbeatTime("2026-01-01T00:00:00Z")
        .endCondition()
        .endStatus()
        .build());
    tracker.update(pod("b", "n1", "1").build());
    tracker.delete(pod("b", "n1", "1").build());
    assertThat(tracker.changedNodes()).isEmpty();
  }

  @Test
  void nodesThatCannotBeUsedAreNot() {
    AdmissionEngine engine = engine();
    ImmutableMap<String, io.fabric8.kubernetes.api.model.Node> unusable = ImmutableMap.of(
        "cordoned",
        inPool("n1").editSpec().withUnschedulable(true).endSpec().build(),
        "tainted",
        inPool("n1")
            .editSpec()
            .addNewTaint("NoExecute", "k", null, "v")
            .endSpec()
            .build(),
        "not ready",
        inPool("n1")
            .editStatus()
            .editFirstCondition()
            .withStatus("Unknown")
            .endCondition()
            .endStatus()
            .build(),
        "without device plugin",
        inPool("n1")
            .editStatus()
            .addToAllocatable("cpu", new Quantity("0"))
            .endStatus()
            .build());
    unusable.forEach((why, node) -> {
      tracker.update(inPool("n1").build());
      tracker.applyTo(engine);
      assertThat(fits(engine, "8")).isTrue();
      tracker.update(node);
      assertThat(tracker.applyTo(engine)).as(why).containsExactly("n1");
      assertThat(fits(engine, "8")).as(why).isFalse();
    });
  }

  @Test
  void whatWaitsForANodeIsTriedWhenItComes() {
    AdmissionEngine engine = engine();
    WorkloadId id = new WorkloadId("ns", "w");
    engine.submit(Workload.of(
        "ns", "w", "q", PodSet.builder().count(2).request("cpu", "6").build()));
    tracker.update(inPool("n1").build());
    tracker.update(inPool("n2").build());
    tracker.update(pod("a", "n2", "3").build());
    tracker.applyTo(engine);
    engine.runCycle();
    assertThat(engine.admission(id)).isEmpty();
    tracker.update(
        pod("a", "n2", "3").editStatus().withPhase("Succeeded").endStatus().build());
    tracker.applyTo(engine);
    engine.runCycle();
    assertThat(engine.admission(id)).isPresent();
  }
}
