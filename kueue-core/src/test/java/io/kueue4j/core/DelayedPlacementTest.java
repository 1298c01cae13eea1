package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Pods that are placed after admission checks have restricted their nodes; T-14, T-76, T-77, T-78.
 */
class DelayedPlacementTest {
  private final Cluster hosts = Hosts.cluster(Settings.defaults(), "r1/x1:4 r1/x2:4");
  private final AdmissionEngine engine = hosts.engine;

  @BeforeEach
  void nodesAreProvisioned() {
    checked(AdmissionCheck.PROVISIONING_REQUEST);
  }

  private void checked(String controller) {
    engine.apply(
        AdmissionCheck.of("nodes", controller),
        Hosts.queue("q", 1000, "tas")
            .admissionChecks(ImmutableList.of(new AdmissionCheckRule("nodes", ImmutableList.of())))
            .build());
  }

  private void submit(String name, int count) {
    engine.submit(workload(name, pods(count, "1", TopologyRequest.required(Hosts.RACK))));
  }

  private void ready(String name, PodSetUpdate... updates) {
    engine
        .lifecycle()
        .setCheck(
            id(name),
            AdmissionCheckState.builder()
                .name("nodes")
                .state(CheckState.READY)
                .addPodSetUpdates(updates)
                .build());
  }

  private PodSetAssignment podSet(String name) {
    return engine.admission(id(name)).orElseThrow().podSetAssignments().get(0);
  }

  @Test
  void podsHaveNoPlaceBeforeTheCheckIsPassed() {
    submit("w", 3);

    assertThat(engine.runCycle().reserved()).hasSize(1);
    assertThat(engine.runCycle().isEmpty()).isTrue();

    assertThat(podSet("w").topologyAssignment()).isEmpty();
    assertThat(podSet("w").delayedTopologyRequest()).hasValue(DelayedTopologyRequest.PENDING);
    assertThat(podSet("w").resourceUsage()).containsEntry("cpu", 3000L);
  }

  @Test
  void theNextCyclePlacesThemAndAdmits() {
    submit("w", 3);
    engine.runCycle();
    ready("w");

    assertThat(engine.lifecycle().status(id("w")).phase())
        .isEqualTo(WorkloadStatus.Phase.QUOTA_RESERVED);
    assertThat(engine
            .lifecycle()
            .status(id("w"))
            .condition(ConditionType.ADMITTED)
            .orElseThrow()
            .reason())
        .isEqualTo("PendingDelayedTopologyRequests");
    assertThat(engine.explain(id("w")).reasons().get(0).code())
        .isEqualTo(ReasonCode.PLACEMENT_PENDING);

    Decisions cycle = engine.runCycle();

    assertThat(cycle.admitted()).hasSize(1);
    assertThat(DecisionText.place(cycle.admitted().get(0))).isEqualTo("x1:3");
    assertThat(podSet("w").delayedTopologyRequest()).hasValue(DelayedTopologyRequest.READY);
    assertThat(engine.lifecycle().status(id("w")).phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
    assertThat(engine.view().clusterQueue("q").orElseThrow().usage().get(0).used())
        .as("charged once")
        .isEqualTo(3000);
    assertThat(engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void whatTheyTakeIsTakenFromOthers() {
    submit("w", 3);
    engine.runCycle();
    ready("w");
    engine.runCycle();
    submit("next", 5);
    engine.runCycle();
    ready("next");
    engine.runCycle();

    assertThat(hosts.workload("next").place()).isEqualTo("x1:1 x2:4");
  }

  @Test
  void theyGoWhereTheCheckSays() {
    engine.apply(Hosts.hostBuilder("r2/new:4").putLabels("provisioned", "w").build());
    submit("w", 1);
    engine.runCycle();
    ready(
        "w",
        PodSetUpdate.builder().name("main").putNodeSelector("provisioned", "w").build());
    engine.runCycle();

    assertThat(hosts.workload("w").place()).isEqualTo("new:1");
  }

  @Test
  void afterAFailureOfTheirNodeTheyGoWhereTheCheckSays() {
    engine.apply(
        Hosts.hostBuilder("r2/new:4").putLabels("provisioned", "w").build(),
        Hosts.hostBuilder("r2/spare:8").putLabels("provisioned", "w").build());
    submit("w", 1);
    engine.runCycle();
    ready(
        "w",
        PodSetUpdate.builder().name("main").putNodeSelector("provisioned", "w").build());
    engine.runCycle();
    assertThat(hosts.workload("w").place()).isEqualTo("new:1");

    engine.apply(Hosts.hostBuilder("r2/new:4").ready(false).build());
    engine.lifecycle().nodeFailed(id("w"), "new");
    engine.runCycle();

    assertThat(hosts.workload("w").place()).isEqualTo("spare:1");
  }

  @Test
  void theySearchLessAndLessOftenUntilThereIsAPlace() {
    submit("w", 1);
    engine.runCycle();
    ready(
        "w",
        PodSetUpdate.builder().name("main").putNodeSelector("provisioned", "w").build());

    long[] delays = {1, 2, 4, 8, 16, 30, 30};
    for (long delay : delays) {
      assertThat(engine.runCycle().admitted()).isEmpty();
      assertThat(EngineCalls.tick(engine)).hasValue(hosts.now().plusSeconds(delay));
      hosts.advance(Duration.ofSeconds(delay));
    }
    engine.apply(Hosts.hostBuilder("r2/new:4").putLabels("provisioned", "w").build());

    assertThat(engine.runCycle().admitted()).hasSize(1);
    assertThat(hosts.workload("w").place()).isEqualTo("new:1");
  }

  @Test
  void aCheckThatIsReportedAgainDoesNotHastenTheSearch() {
    submit("w", 1);
    engine.runCycle();
    PodSetUpdate update =
        PodSetUpdate.builder().name("main").putNodeSelector("provisioned", "w").build();
    ready("w", update);
    engine.runCycle();
    hosts.advance(Duration.ofSeconds(1));
    engine.runCycle();

    ready("w", update);

    assertThat(EngineCalls.tick(engine)).hasValue(hosts.now().plusSeconds(2));
  }

  @Test
  void aCheckThatContradictsThePodsGivesThemNoPlace() {
    engine.submit(workload(
        "w", pods(1, "1", TopologyRequest.required(Hosts.RACK)).putNodeSelector("zone", "a")));
    engine.runCycle();
    ready("w", PodSetUpdate.builder().name("main").putNodeSelector("zone", "b").build());

    assertThat(engine.runCycle().admitted()).isEmpty();
    assertThat(EngineCalls.tick(engine)).hasValue(hosts.now().plusSeconds(1));
  }

  @Test
  void tolerationsOfTheCheckCount() {
    engine.apply(Hosts.hostBuilder("r3/tainted:8")
        .addTaints(new Taint("fresh", "", Taint.Effect.NO_SCHEDULE))
        .build());
    submit("w", 8);
    engine.runCycle();
    ready(
        "w",
        PodSetUpdate.builder()
            .name("main")
            .addTolerations(Toleration.exists("fresh"))
            .putNodeSelector(Hosts.RACK, "r3")
            .build());
    engine.runCycle();

    assertThat(hosts.workload("w").place()).isEqualTo("tainted:8");
  }

  @Test
  void otherChecksDoNotDelay() {
    checked("budget-controller");
    submit("w", 3);
    engine.runCycle();

    assertThat(hosts.workload("w").place()).isEqualTo("x1:3");
    assertThat(podSet("w").delayedTopologyRequest()).isEmpty();
  }

  @Test
  void multiKueueDelaysAlways() {
    checked(AdmissionCheck.MULTI_KUEUE);
    submit("w", 3);
    engine.runCycle();

    assertThat(podSet("w").delayedTopologyRequest()).hasValue(DelayedTopologyRequest.PENDING);
  }

  @Test
  void theyWaitWhileTheirQueueHasFlavorsWithoutTopology() {
    engine.submit(workload("w", PodSet.builder().request("cpu", "1")));
    engine.runCycle();
    engine.apply(
        ResourceFlavor.of("plain"),
        Hosts.queue("q", 1000, "tas")
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("plain", ResourceQuota.ofAmount("gpu", 4))))
            .admissionChecks(ImmutableList.of(new AdmissionCheckRule("nodes", ImmutableList.of())))
            .build());
    ready("w");

    assertThat(engine.runCycle().admitted()).isEmpty();
    assertThat(EngineCalls.tick(engine)).hasValue(hosts.now().plusSeconds(1));
    checked(AdmissionCheck.PROVISIONING_REQUEST);
    hosts.advance(Duration.ofSeconds(1));
    assertThat(engine.runCycle().admitted()).hasSize(1);
  }

  @Test
  void aFlavorWhoseTopologyIsMissingCountsAsOneToPlaceOn() {
    engine.apply(
        AdmissionCheck.of("dispatch", AdmissionCheck.MULTI_KUEUE),
        Hosts.hostBuilder("r1/x1:4").allocatable("gpu", "4").build(),
        ResourceFlavor.builder()
            .name("other")
            .putNodeLabels("pool", "other")
            .topologyName("missing")
            .build(),
        Hosts.queue("q", 1000, "tas")
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("other", ResourceQuota.ofAmount("gpu", 4))))
            .admissionChecks(
                ImmutableList.of(new AdmissionCheckRule("dispatch", ImmutableList.of())))
            .build());
    Workload onBoth = workload("w", PodSet.builder().request("cpu", "1").request("gpu", "1"));

    // A pod set is placed on one TAS flavor, and not before its worker cluster is known.
    assertThat(engine.tryAdmit(onBoth).result()).isInstanceOf(AdmissionResult.Pending.class);
  }

  @Test
  void anEvictedWorkloadWaitsForNoPlace() {
    submit("w", 3);
    engine.runCycle();
    ready("w");
    engine.lifecycle().evict(id("w"), EvictionReason.NODE_FAILURES, "");

    assertThat(engine.runCycle().isEmpty()).isTrue();
    assertThat(podSet("w").topologyAssignment()).isEmpty();
  }

  @Test
  void aWorkloadOnHoldWaitsForNoPlace() {
    submit("w", 3);
    engine.runCycle();
    ready("w");
    engine.lifecycle().setOnHold(id("w"), true);

    assertThat(engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void aStudyGoesOnWithTheSearch() {
    submit("w", 3);
    engine.runCycle();
    ready("w");
    AdmissionEngine study = engine.view().whatIf();

    assertThat(study.runCycle().admitted()).hasSize(1);
    assertThat(podSet("w").topologyAssignment()).isEmpty();
    assertThat(engine.runCycle().admitted()).hasSize(1);
  }
}
