package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Hosts.host;
import static io.kueue4j.core.Hosts.hostBuilder;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Nodes that fail under running workloads. */
class NodeFailureTest {
  private static final TopologyRequest ONE_RACK = TopologyRequest.required(Hosts.RACK);
  private static final TopologyRequest ONE_HOST = TopologyRequest.required(Topology.HOSTNAME);

  private final Cluster cluster =
      Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:2 r1/x3:2 r2/x4:2");
  private final AdmissionEngine engine = cluster.engine;

  private void fail(String node) {
    engine.apply(hostBuilder("r1/" + node + ":2").ready(false).build());
  }

  @Test
  void theLostPodsMoveAndTheOthersStay() {
    assertThat(cluster.admit(workload("w", pods(4, "1", ONE_RACK)))).isEqualTo("x1:2 x2:2");
    fail("x1");
    assertThat(engine.lifecycle().nodeFailed(id("w"), "x1").evicted()).isEmpty();

    Decisions result = engine.runCycle();

    assertThat(result.isEmpty()).isFalse();
    assertThat(result.replaced()).extracting(DecisionText::place).containsExactly("x2:2 x3:2");
    assertThat(result.evicted()).isEmpty();
    assertThat(cluster.workload("w").place()).isEqualTo("x2:2 x3:2");
    assertThat(engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void whatMovedHoldsItsNewNodes() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    fail("x1");
    engine.lifecycle().nodeFailed(id("w"), "x1");
    engine.runCycle();

    assertThat(cluster.admit(workload("next", pods(1, "1", TopologyRequest.anywhere()))))
        .isEqualTo("x4:1");
    engine.apply(host("r1/x1:2"));
    assertThat(cluster.admit(workload("more", pods(2, "1", ONE_RACK)))).isEqualTo("x1:2");
  }

  @Test
  void aFailureIsForgottenWithThePlacesOfADeactivatedWorkload() {
    engine.submit(workload("w", pods(4, "1", ONE_RACK)));
    engine.runCycle();
    engine.lifecycle().nodeFailed(id("w"), "x1");
    engine.lifecycle().setActive(id("w"), false);
    cluster.podsStopped("w");
    engine.lifecycle().setActive(id("w"), true);

    assertThat(engine.runCycle().admitted()).hasSize(1);
    assertThat(engine.lifecycle().status(id("w")).unhealthyNodes()).isEmpty();
    assertThat(engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void onlyThePodsThatWereAdmittedMove() {
    assertThat(cluster.admit(workload("w", pods(7, "1", ONE_RACK).minCount(4))))
        .isEqualTo("x1:2 x2:2 x3:2");
    cluster.admit(workload("other", pods(2, "1", ONE_RACK)));
    fail("x1");
    engine.apply(host("r1/x5:2"));
    engine.lifecycle().nodeFailed(id("w"), "x1");

    assertThat(engine.runCycle().replaced())
        .flatExtracting(moved -> moved.podSetAssignments())
        .extracting(podSet -> podSet.count() + " " + podSet.resourceUsage())
        .containsExactly("6 {cpu=6000}");
  }

  @Test
  void withoutAnotherPlaceTheWorkloadHasToStop() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    cluster.admit(workload("other", pods(2, "1", ONE_RACK)));
    fail("x1");
    engine.lifecycle().nodeFailed(id("w"), "x1");

    Decisions result = engine.runCycle();

    assertThat(result.replaced()).isEmpty();
    assertThat(result.evicted())
        .containsExactly(new Eviction(
            id("w"),
            EvictionReason.NODE_FAILURES,
            Optional.empty(),
            "Workload was evicted as there was no replacement for unhealthy node(s): x1"));
    assertThat(engine.lifecycle().preempted(id("w"))).isEmpty();
    assertThat(cluster.workload("w").place()).isEqualTo("x1:2 x2:2");
    assertThat(EngineCalls.podsStopped(engine, id("w"))).isTrue();
    assertThat(cluster.workload("w").place()).isEqualTo("nowhere");
    assertThat(engine.view().clusterQueue("q").orElseThrow().pending()).containsExactly(id("w"));
  }

  @Test
  void aSecondNodeStopsTheWorkloadAtOnce() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    assertThat(engine.lifecycle().nodeFailed(id("w"), "x1").evicted()).isEmpty();
    assertThat(engine.lifecycle().nodeFailed(id("w"), "x1").evicted()).isEmpty();

    assertThat(engine.lifecycle().nodeFailed(id("w"), "x2").evicted())
        .contains(new Eviction(
            id("w"),
            EvictionReason.NODE_FAILURES,
            Optional.empty(),
            "Workload eviction triggered due to multiple TAS assigned node failures,"
                + " including: x1, x2"));
    assertThat(engine.runCycle().replaced()).isEmpty();
    assertThat(engine.lifecycle().nodeFailed(id("w"), "x1").evicted()).isEmpty();
  }

  @Test
  void aNodeThatRecoversInTimeChangesNothing() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    engine.lifecycle().nodeFailed(id("w"), "x1");

    engine.lifecycle().nodeRecovered(id("w"), "x2");
    assertThat(engine.lifecycle().status(id("w")).unhealthyNodes()).containsExactly("x1");
    engine.lifecycle().nodeRecovered(id("w"), "x1");
    assertThat(engine.lifecycle().status(id("w")).unhealthyNodes()).isEmpty();
    engine.lifecycle().nodeRecovered(id("w"), "x1");
    assertThat(engine.runCycle().isEmpty()).isTrue();
    assertThat(cluster.workload("w").place()).isEqualTo("x1:2 x2:2");
  }

  @Test
  void nodesWithoutPodsOfTheWorkloadAreNoneOfItsConcern() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));

    assertThat(engine.lifecycle().nodeFailed(id("w"), "x4").evicted()).isEmpty();
    assertThat(engine.runCycle().isEmpty()).isTrue();
    assertThatThrownBy(() -> engine.lifecycle().nodeFailed(id("unknown"), "x1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown");
  }

  @Test
  void allPodSetsOfTheNodeMoveBesideEachOther() {
    assertThat(cluster.admit(workload(
            "w", pods(1, "1", ONE_RACK).name("a"), pods(1, "1", ONE_RACK).name("b"))))
        .isEqualTo("x4:1 + x4:1");
    engine.apply(hostBuilder("r2/x4:2").unschedulable(true).build());
    engine.lifecycle().nodeFailed(id("w"), "x4");

    assertThat(engine.runCycle().replaced())
        .extracting(DecisionText::place)
        .containsExactly("x1:1 + x1:1");
  }

  @Test
  void withoutFailFastTheSearchGoesOnLessAndLessOften() {
    Cluster patient = Hosts.cluster(
        Settings.builder()
            .putFeatureGates(FeatureGate.TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST, false)
            .build(),
        "r1/x1:2");
    patient.admit(workload("w", pods(2, "1", ONE_RACK)));
    patient.engine.apply(hostBuilder("r1/x1:2").ready(false).build());
    patient.engine.lifecycle().nodeFailed(id("w"), "x1");

    assertThat(EngineCalls.tick(patient.engine)).isEmpty();
    for (int seconds : new int[] {1, 2, 4, 8, 16, 30, 30}) {
      assertThat(patient.engine.runCycle().isEmpty()).isTrue();
      assertThat(EngineCalls.tick(patient.engine)).contains(patient.now().plusSeconds(seconds));
      patient.advance(Duration.ofSeconds(seconds));
    }
    patient.engine.apply(host("r1/x2:2"));
    assertThat(patient.engine.runCycle().replaced())
        .extracting(DecisionText::place)
        .containsExactly("x2:2");
    assertThat(EngineCalls.tick(patient.engine)).isEmpty();
  }

  @Nested
  class FinishedPods {
    private final Cluster full = Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:1");
    private final Workload workload =
        workload("w", pods(2, "1", ONE_HOST).name("a"), pods(1, "1", ONE_HOST).name("b"));

    @CanIgnoreReturnValue
    private Decisions failAfter(Cluster hosts, int finished) {
      assertThat(hosts.admit(workload)).isEqualTo("x1:2 + x2:1");
      hosts.reclaim("w", "a", finished);
      hosts.engine.apply(hostBuilder("r1/x1:2").ready(false).build());
      hosts.engine.lifecycle().nodeFailed(id("w"), "x1");
      return hosts.engine.runCycle();
    }

    @Test
    void needNoOtherPlace() {
      Decisions result = failAfter(full, 2);

      assertThat(result.evicted()).isEmpty();
      assertThat(full.workload("w").place()).isEqualTo("x1:2 + x2:1");
      assertThat(result.replaced())
          .containsExactly(full.engine.admission(id("w")).orElseThrow());
      assertThat(result.replaced().get(0).podSetAssignments())
          .extracting(PodSetAssignment::count, PodSetAssignment::resourceUsage)
          .containsExactly(
              tuple(0, ImmutableSortedMap.of("cpu", 0L)),
              tuple(1, ImmutableSortedMap.of("cpu", 1000L)));
      assertThat(full.engine.lifecycle().status(id("w")).unhealthyNodes()).isEmpty();

      full.engine.lifecycle().nodeFailed(id("w"), "x1");
      assertThat(full.engine.runCycle().replaced()).isEmpty();
      assertThat(full.engine.lifecycle().status(id("w")).unhealthyNodes()).isEmpty();
    }

    @Test
    void moveWithTheRestButAreNotCounted() {
      Cluster spare = Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:1 r1/x3:4");
      Decisions result = failAfter(spare, 1);

      assertThat(result.replaced()).extracting(DecisionText::place).containsExactly("x3:2 + x2:1");
      assertThat(result.replaced().get(0).podSetAssignments())
          .extracting(PodSetAssignment::count, PodSetAssignment::resourceUsage)
          .containsExactly(
              tuple(1, ImmutableSortedMap.of("cpu", 1000L)),
              tuple(1, ImmutableSortedMap.of("cpu", 1000L)));
      assertThat(spare.engine.view().clusterQueue("q").orElseThrow().usage())
          .extracting(QuotaUsage::used)
          .containsExactly(2000L);
    }

    @Test
    void needRoomAsLongAsOthersOfTheirPodSetRun() {
      assertThat(failAfter(full, 1).evicted())
          .extracting(Eviction::workload)
          .containsExactly(id("w"));
    }

    @Test
    void countWithoutReclaimablePods() {
      Cluster without = Hosts.cluster(
          Settings.builder()
              .putFeatureGates(FeatureGate.RECLAIMABLE_PODS, false)
              .build(),
          "r1/x1:2 r1/x2:1");

      assertThat(failAfter(without, 2).evicted())
          .extracting(Eviction::workload)
          .containsExactly(id("w"));
    }

    @Test
    void anotherEngineTakesTheSmallerAdmission() {
      failAfter(full, 2);
      Admission admission = full.engine.admission(id("w")).orElseThrow();
      Cluster next = Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:1");
      next.engine.lifecycle().restore(workload, admission);
      next.reclaim("w", "a", 2);

      assertThat(next.engine.admission(id("w"))).contains(admission);
      assertThat(next.engine.view().clusterQueue("q").orElseThrow().usage())
          .extracting(QuotaUsage::used)
          .containsExactly(1000L);
    }
  }

  @Test
  void theHigherPriorityIsReplacedFirst() {
    Workload low = workload("low", pods(2, "1", TopologyRequest.required(Topology.HOSTNAME)));
    assertThat(cluster.admit(low)).isEqualTo("x1:2");
    cluster.admit(Cluster.changed(
        workload("high", pods(2, "1", TopologyRequest.required(Topology.HOSTNAME))),
        workload -> workload.priority(1)));
    cluster.admit(workload("other", pods(2, "1", ONE_RACK)));
    fail("x1");
    fail("x2");
    engine.lifecycle().nodeFailed(id("low"), "x1");
    engine.lifecycle().nodeFailed(id("high"), "x2");

    assertThat(engine.runCycle().replaced())
        .extracting(admission -> admission.workload())
        .containsExactly(id("high"));
  }

  @Test
  void ofEqualPrioritiesTheOlderIsReplacedFirst() {
    for (String name : List.of("a", "b")) {
      assertThat(cluster.admit(Cluster.changed(
              workload(name, pods(2, "1", TopologyRequest.required(Topology.HOSTNAME))),
              workload ->
                  workload.creationTime(Cluster.START.minusSeconds(name.equals("b") ? 10 : 0)))))
          .isEqualTo(name.equals("a") ? "x1:2" : "x2:2");
    }
    cluster.admit(workload("other", pods(2, "1", ONE_RACK)));
    fail("x1");
    fail("x2");
    engine.lifecycle().nodeFailed(id("a"), "x1");
    engine.lifecycle().nodeFailed(id("b"), "x2");

    assertThat(engine.runCycle().replaced())
        .extracting(admission -> admission.workload())
        .containsExactly(id("b"));
  }

  @Test
  void withTheGateOffNothingIsReplaced() {
    Cluster without = Hosts.cluster(
        Settings.builder()
            .putFeatureGates(FeatureGate.TAS_FAILED_NODE_REPLACEMENT, false)
            .build(),
        "r1/x1:2 r1/x2:2");
    without.admit(workload("w", pods(2, "1", ONE_RACK)));

    assertThat(without.engine.lifecycle().nodeFailed(id("w"), "x1").evicted()).isEmpty();
    assertThat(without.engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void aForkRepairsForItself() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    fail("x1");
    engine.lifecycle().nodeFailed(id("w"), "x1");

    AdmissionEngine fork = engine.view().whatIf();

    assertThat(fork.runCycle().replaced())
        .extracting(DecisionText::place)
        .containsExactly("x2:2 x3:2");
    assertThat(cluster.workload("w").place()).isEqualTo("x1:2 x2:2");
    assertThat(engine.runCycle().replaced()).hasSize(1);
  }

  @Test
  void aMarkEndsWithTheWorkload() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    engine.lifecycle().nodeFailed(id("w"), "x1");
    engine.finish(id("w"));

    assertThat(engine.runCycle().isEmpty()).isTrue();
    assertThat(cluster.admit(workload("w", pods(4, "1", ONE_RACK)))).isEqualTo("x1:2 x2:2");
    assertThat(engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void aFailedNodeThatLooksHealthyIsNotChosenAgain() {
    Cluster other = Hosts.cluster(Settings.defaults(), "r1/x1:4 r1/x2:4");
    assertThat(other.admit(workload("w", pods(2, "1", ONE_RACK)))).isEqualTo("x1:2");
    other.engine.lifecycle().nodeFailed(id("w"), "x1");

    assertThat(other.engine.runCycle().replaced())
        .extracting(DecisionText::place)
        .containsExactly("x2:2");
  }

  @Test
  void whatIsRestoredBeforeItsFlavorHoldsItsNodesNevertheless() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    Cluster restarted = Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:2 r1/x3:2");
    AdmissionEngine late = restarted.engine;
    late.apply(Hosts.queue("q2", 1000, "late").build(), LocalQueue.of("ns", "queue2", "q2"));
    Admission admission = engine.admission(id("w")).orElseThrow();
    Admission ofLate = Admission.builder()
        .workload(id("old"))
        .clusterQueue("q2")
        .quotaReservedTime(admission.quotaReservedTime())
        .addPodSetAssignments(PodSetAssignment.builder()
            .name("main")
            .count(4)
            .putFlavors("cpu", "late")
            .resourceUsageAmount("cpu", 4000)
            .topologyAssignment(
                admission.podSetAssignments().get(0).topologyAssignment().orElseThrow())
            .build())
        .build();
    late.lifecycle().restore(workload("old", "queue2", pods(4, "1", ONE_RACK)), ofLate);
    late.apply(Hosts.flavor("late"));

    assertThat(restarted.admit(workload("new", "queue2", pods(2, "1", ONE_RACK))))
        .isEqualTo("x3:2");
  }

  @Test
  void theStatusNamesTheNodeUntilItsPodsAreElsewhere() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    assertThat(engine.lifecycle().status(id("w")).unhealthyNodes()).isEmpty();
    fail("x1");
    engine.lifecycle().nodeFailed(id("w"), "x1");
    assertThat(engine.lifecycle().status(id("w")).unhealthyNodes()).containsExactly("x1");
    engine.runCycle();
    assertThat(cluster.workload("w").place()).isEqualTo("x2:2 x3:2");
    assertThat(engine.lifecycle().status(id("w")).unhealthyNodes()).isEmpty();
  }

  @Test
  void aSinglePodStaysWhereItIs() {
    Workload pod = Workload.builder()
        .from(workload("w", pods(1, "1", ONE_RACK)))
        .ownedBySinglePod(true)
        .build();
    WorkloadStatus status = failed(cluster, pod);

    Cluster next = Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:2");
    next.engine.lifecycle().restore(pod, engine.admission(id("w")), status);

    assertThat(next.engine.lifecycle().status(id("w")).unhealthyNodes()).containsExactly("x4");
    Decisions result = next.engine.runCycle();
    assertThat(result.isEmpty()).isTrue();
    assertThat(next.workload("w").place()).isEqualTo("x4:1");
    assertThat(next.engine.lifecycle().status(id("w")).unhealthyNodes()).isEmpty();
  }

  @Test
  void aSinglePodThatHasFinishedIsNotCountedAnyMore() {
    cluster.admit(Workload.builder()
        .from(workload("w", pods(1, "1", ONE_RACK)))
        .ownedBySinglePod(true)
        .build());
    cluster.reclaim("w", "main", 1);
    engine.lifecycle().nodeFailed(id("w"), "x4");

    assertThat(engine.runCycle().replaced())
        .singleElement()
        .returns(0, admission -> admission.podSetAssignments().get(0).count());
  }

  @Test
  void aSinglePodMovesWithTheGateOff() {
    Settings off = Settings.builder()
        .putFeatureGates(FeatureGate.SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS, false)
        .build();
    Cluster hosts = Hosts.cluster(off, "r1/x1:2 r1/x2:2 r2/x4:1");
    Workload pod = Workload.builder()
        .from(workload("w", pods(1, "1", ONE_RACK)))
        .ownedBySinglePod(true)
        .build();
    failed(hosts, pod);

    assertThat(hosts.engine.runCycle().replaced())
        .extracting(DecisionText::place)
        .containsExactly("x1:1");
  }

  @CanIgnoreReturnValue
  private static WorkloadStatus failed(Cluster hosts, Workload workload) {
    assertThat(hosts.admit(workload)).isEqualTo("x4:1");
    hosts.engine.lifecycle().nodeFailed(workload.id(), "x4");
    return hosts.engine.lifecycle().status(workload.id());
  }

  @Test
  void theStatusNamesNoNodeOfWhatWasToldToStop() {
    cluster.admit(workload("w", pods(4, "1", ONE_RACK)));
    engine.lifecycle().nodeFailed(id("w"), "x1");
    engine.lifecycle().nodeFailed(id("w"), "x2");
    assertThat(engine.lifecycle().status(id("w")).unhealthyNodes()).isEmpty();
  }

  @Test
  void anotherEngineGoesOnSearchingForAPlace() {
    Workload workload = workload("w", pods(4, "1", ONE_RACK));
    cluster.admit(workload);
    engine.lifecycle().nodeFailed(id("w"), "x1");

    Cluster next = Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:2 r1/x3:2 r2/x4:2");
    next.engine.apply(hostBuilder("r1/x1:2").ready(false).build());
    next.engine
        .lifecycle()
        .restore(workload, engine.admission(id("w")), engine.lifecycle().status(id("w")));

    assertThat(next.engine.lifecycle().status(id("w")).unhealthyNodes()).containsExactly("x1");
    assertThat(next.engine.runCycle().replaced())
        .extracting(DecisionText::place)
        .containsExactly("x2:2 x3:2");
  }

  @Test
  void whatIsRestoredWithTwoFailedNodesIsEvicted() {
    Workload workload = workload("w", pods(4, "1", ONE_RACK));
    cluster.admit(workload);
    WorkloadStatus status = WorkloadStatus.builder()
        .from(engine.lifecycle().status(id("w")))
        .addUnhealthyNodes("x1", "x2", "not-of-it")
        .build();

    Cluster next = Hosts.cluster(Settings.defaults(), "r1/x1:2 r1/x2:2 r1/x3:2 r2/x4:2");
    Decisions decisions =
        next.engine.lifecycle().restore(workload, engine.admission(id("w")), status);

    assertThat(decisions.evicted()).extracting(Eviction::workload).containsExactly(id("w"));
  }
}
