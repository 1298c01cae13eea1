package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Placement on nodes, through the engine. */
class TopologyEngineTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final TopologyRequest ONE_HOST = TopologyRequest.required(Topology.HOSTNAME);

  private final AdmissionEngine engine =
      AdmissionEngine.builder().clock(() -> NOW).build();

  @BeforeEach
  void twoHostsOfFive() {
    engine.apply(
        Topology.of("dc", "rack", Topology.HOSTNAME),
        ResourceFlavor.builder()
            .name("tas")
            .putNodeLabels("pool", "tas")
            .topologyName("dc")
            .build(),
        queue(10),
        LocalQueue.of("ns", "queue", "q"),
        host("a", 5),
        host("b", 5));
  }

  private static ClusterQueue queue(int cpus) {
    return ClusterQueue.builder()
        .name("q")
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("tas", ResourceQuota.of("cpu", String.valueOf(cpus)))))
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build())
        .build();
  }

  private static Node host(String name, int cpus) {
    return Node.builder()
        .name(name)
        .putLabels("pool", "tas")
        .putLabels("rack", "r")
        .putLabels(Topology.HOSTNAME, name)
        .allocatable("cpu", String.valueOf(cpus))
        .allocatable("pods", "110")
        .build();
  }

  private static Workload workload(String name, int pods, String cpu, int priority) {
    return Workload.builder()
        .namespace("ns")
        .name(name)
        .queueName("queue")
        .priority(priority)
        .addPodSets(PodSet.builder()
            .count(pods)
            .request("cpu", cpu)
            .topologyRequest(ONE_HOST)
            .build())
        .build();
  }

  private static String place(AdmissionResult result) {
    return result.match(
        admitted -> place(admitted.admission()),
        reserved -> "reserved " + reserved.reasons(),
        preempting -> "preempting "
            + preempting.victims().stream()
                .map(victim -> victim.workload().name())
                .collect(Collectors.joining(" ")),
        pending -> pending.cause() + " " + pending.reasons(),
        rejected -> "rejected " + rejected.reasons());
  }

  private static String place(Admission admission) {
    return admission.podSetAssignments().stream()
        .flatMap(podSet -> podSet.topologyAssignment().stream())
        .flatMap(assignment -> assignment.domains().stream())
        .map(domain -> String.join("/", domain.values()) + ":" + domain.count())
        .collect(Collectors.joining(" "));
  }

  @Test
  void podsGoWhereTheyFitMostTightly() {
    assertThat(place(engine.tryAdmit(workload("first", 2, "2", 0)).result())).isEqualTo("a:2");
    assertThat(place(engine.tryAdmit(workload("second", 1, "1", 0)).result())).isEqualTo("a:1");
    assertThat(place(engine.tryAdmit(workload("third", 5, "1", 0)).result())).isEqualTo("b:5");
  }

  @Test
  void quotaWithoutAPlaceIsNotEnough() {
    AdmissionResult unused = engine.tryAdmit(workload("first", 1, "3", 0)).result();
    AdmissionResult unused2 = engine.tryAdmit(workload("second", 1, "3", 0)).result();

    assertThat(place(engine.tryAdmit(workload("third", 3, "1", 0)).result()))
        .isEqualTo("WaitingForQuota [pod set main: topology \"dc\" allows to fit only 2 out of 3"
            + " pod(s)]");
  }

  @Test
  void whatNeverHasAPlaceIsDistinguished() {
    AdmissionResult result = engine.tryAdmit(workload("huge", 1, "6", 0)).result();

    assertThat(result).isInstanceOf(AdmissionResult.Pending.class);
    assertThat(((AdmissionResult.Pending) result).cause())
        .isEqualTo(PendingCause.TOPOLOGY_PLACEMENT_FAILED);
    assertThat(((AdmissionResult.Pending) result).reasons().toString())
        .contains("Total nodes: 2; excluded: resource \"cpu\": 2");
  }

  @Test
  void workloadsArePreemptedForAPlace() {
    // TE-23: quota fits, placement does not.
    AdmissionResult unused3 = engine.tryAdmit(workload("high", 1, "4", 2)).result();
    AdmissionResult unused4 = engine.tryAdmit(workload("low", 1, "4", 1)).result();

    assertThat(place(engine.tryAdmit(workload("next", 2, "1", 3)).result()))
        .isEqualTo("preempting low");
  }

  @Test
  void aReleasedPlaceIsFree() {
    AdmissionResult unused5 = engine.tryAdmit(workload("first", 5, "1", 0)).result();
    AdmissionResult unused6 = engine.tryAdmit(workload("second", 5, "1", 0)).result();
    engine.finish(WorkloadId.of("ns", "first"));

    assertThat(place(engine.tryAdmit(workload("third", 5, "1", 0)).result())).isEqualTo("a:5");
  }

  @Test
  void aRestoredAdmissionHoldsItsPlace() {
    Workload first = workload("first", 5, "1", 0);
    AdmissionResult.Admitted admitted =
        (AdmissionResult.Admitted) engine.tryAdmit(first).result();
    engine.finish(first.id());

    engine.lifecycle().restore(first, admitted.admission());

    assertThat(place(engine.tryAdmit(workload("second", 5, "1", 0)).result())).isEqualTo("b:5");
  }

  @Test
  void aNodeThatComesBackIsAsFullAsItWas() {
    AdmissionResult unused7 = engine.tryAdmit(workload("first", 3, "1", 0)).result();
    engine.remove(Node.class, "a");
    engine.apply(host("a", 5));

    assertThat(place(engine.tryAdmit(workload("second", 2, "1", 0)).result())).isEqualTo("a:2");
  }

  @Test
  void anotherNodeWakesThoseWhoWait() {
    engine.apply(queue(20));
    engine.submit(workload("huge", 1, "6", 0));
    engine.runCycle();
    assertThat(engine.runCycle().isEmpty()).isTrue();

    engine.apply(host("c", 8));

    assertThat(engine.runCycle().admitted()).hasSize(1);
    assertThat(engine.admission(WorkloadId.of("ns", "huge")).map(TopologyEngineTest::place))
        .contains("c:1");
  }

  @Test
  void aQueueWhoseTopologyIsGoneTakesNoPart() {
    engine.remove(Topology.class, "dc");

    assertThat(place(engine.tryAdmit(workload("first", 1, "1", 0)).result()))
        .contains("there is no Topology \"dc\" for TAS flavor \"tas\"");

    engine.apply(Topology.of("dc", "rack", Topology.HOSTNAME));

    assertThat(place(engine.tryAdmit(workload("first", 1, "1", 0)).result())).isEqualTo("a:1");
  }

  @Test
  void aForkHasNodesOfItsOwn() {
    AdmissionResult unused8 = engine.tryAdmit(workload("first", 3, "1", 0)).result();
    AdmissionEngine fork = engine.view().whatIf();

    assertThat(place(fork.tryAdmit(workload("second", 2, "1", 0)).result())).isEqualTo("a:2");
    assertThat(place(fork.tryAdmit(workload("third", 5, "1", 0)).result())).isEqualTo("b:5");

    assertThat(place(engine.tryAdmit(workload("other", 5, "1", 0)).result())).isEqualTo("b:5");
    assertThat(place(engine.tryAdmit(workload("last", 2, "1", 0)).result())).isEqualTo("a:2");
  }

  @Test
  void aForkSaysWhatAnotherNodeWouldGive() {
    AdmissionResult unused9 = engine.tryAdmit(workload("first", 5, "1", 0)).result();
    AdmissionResult unused10 = engine.tryAdmit(workload("second", 5, "1", 0)).result();
    AdmissionEngine fork = engine.view().whatIf();

    fork.apply(queue(20), host("c", 5));

    assertThat(place(fork.tryAdmit(workload("third", 5, "1", 0)).result())).isEqualTo("c:5");
    assertThat(engine.tryAdmit(workload("third", 5, "1", 0)).result().isAdmitted())
        .isFalse();
  }

  @Test
  void levelsStayAsTheyAreUnlessHostsAreTheLast() {
    engine.apply(Topology.of("zones", "zone", "rack"));

    assertThatThrownBy(() -> engine.apply(Topology.of("zones", "rack")))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("Topology zones")
        .hasMessageContaining("changed from [zone, rack] to [rack]");
    assertThatThrownBy(() -> engine.apply(Topology.of("dc", "rack")))
        .isInstanceOf(InvalidConfigurationException.class);
    AdmissionResult unused11 = engine.tryAdmit(workload("first", 2, "2", 0)).result();
    engine.apply(Topology.of("dc", Topology.HOSTNAME));
    assertThat(place(engine.tryAdmit(workload("second", 5, "1", 0)).result())).isEqualTo("b:5");
  }

  @Test
  void whatOthersTakeBeyondAllCapacityLeavesNothing() {
    AdmissionResult unused12 = engine.tryAdmit(workload("first", 2, "2", 0)).result();
    engine.apply(Node.builder()
        .from(host("a", 5))
        .usedByOthersAmount("cpu", Long.MAX_VALUE)
        .build());

    assertThat(place(engine.tryAdmit(workload("second", 1, "1", 0)).result())).isEqualTo("b:1");
    assertThat(place(engine.tryAdmit(workload("third", 5, "1", 0)).result()))
        .contains("WaitingForQuota");
  }
}
