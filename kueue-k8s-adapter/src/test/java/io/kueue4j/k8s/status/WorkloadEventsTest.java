package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.TestEngine.id;
import static io.kueue4j.k8s.status.TestEngine.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.StopPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The events of workloads, by example. */
class WorkloadEventsTest {
  private TestEngine t = new TestEngine();

  private WorkloadEvents events() {
    TestEngine engine = t;
    return WorkloadEvents.of(
        id -> Objects.requireNonNull(engine.workloads.get(id)), engine.engine.lifecycle()::status);
  }

  private static List<String> texts(List<WorkloadEvents.WorkloadEvent> events) {
    return events.stream()
        .map(each -> each.workload().name() + " " + each.event().type() + " "
            + each.event().reason() + ": " + each.event().message())
        .toList();
  }

  private static List<String> reasons(List<WorkloadEvents.WorkloadEvent> events) {
    return events.stream()
        .map(each -> each.workload().name() + " " + each.event().type() + " "
            + each.event().reason())
        .toList();
  }

  private List<String> ofCycle(Decisions cycle) {
    return texts(events().ofCycle(cycle));
  }

  private List<String> ofOtherCalls(Decisions changes) {
    return texts(events().ofOtherCalls(changes));
  }

  @Test
  void anAdmissionSaysHowLongItTook() {
    t.submit(job("w", 4));
    t.pass(83);
    Decisions cycle = t.engine.runCycle();

    assertThat(ofCycle(cycle))
        .containsExactly(
            "w Normal QuotaReserved: Quota reserved in ClusterQueue cq, wait time since queued was"
                + " 83s; flavors: main(cpu: default)",
            "w Normal Admitted: Admitted by ClusterQueue cq, wait time since reservation was 0s");
    assertThat(events().ofCycle(cycle))
        .extracting(each -> each.event().component())
        .containsOnly("kueue-admission");
  }

  @Test
  void afterAnEvictionItCountsFromWhenItCameBack() {
    t.run(job("w", 4));
    t.pass(100);
    t.engine.lifecycle().evict(id("w"), EvictionReason.NODE_FAILURES, "gone");
    t.engine.podsStopped(id("w"));
    t.pass(7);
    assertThat(ofCycle(t.engine.runCycle())).anyMatch(text -> text.contains("since queued was 7s"));
  }

  @Test
  void withoutACreationTimeTheWaitIsNotTold() {
    assertThat(ofCycle(t.run(job("w", 4, each -> each.creationTime(Optional.empty())))))
        .first()
        .asString()
        .isEqualTo("w Normal QuotaReserved: Quota reserved in ClusterQueue cq;"
            + " flavors: main(cpu: default)");
  }

  @Test
  void checksComeBetweenReservationAndAdmission() {
    t = TestEngine.checking();
    assertThat(reasons(events().ofCycle(t.run(job("w", 4)))))
        .containsExactly("w Normal QuotaReserved");
    t.pass(12);
    Decisions changes =
        t.engine.lifecycle().setCheck(id("w"), AdmissionCheckState.of("budget", CheckState.READY));
    assertThat(ofOtherCalls(changes))
        .containsExactly(
            "w Normal Admitted: Admitted by ClusterQueue cq, wait time since reservation was 12s");
  }

  @Test
  void whatWasReservedBeforeIsNotToldAgain() {
    t = TestEngine.checking();
    t.run(job("w", 4));
    Admission admission = t.engine.admission(id("w")).orElseThrow();
    t.pass(12);
    t.check("w", CheckState.READY, "");
    // Like a cycle that has just found a place for the pods.
    Decisions placed = Decisions.of(List.of(new AdmissionResult.Admitted(admission)));
    assertThat(reasons(events().ofCycle(placed))).containsExactly("w Normal Admitted");
  }

  @Test
  void whatWaitsSaysWhy() {
    t.run(job("big", 8));
    assertThat(ofCycle(t.run(job("w", 4))))
        .singleElement()
        .asString()
        .startsWith("w Warning WaitingForQuota: pod set main: cpu in flavor default: requests 4");
    t.pass(1);
    Decisions none = t.run(job(
        "x",
        0,
        each -> each.podSets(List.of(PodSet.builder().requestAmount("gpu", 1).build()))));
    assertThat(reasons(events().ofCycle(none))).containsExactly("x Warning NoMatchingFlavor");
  }

  @Test
  void aPreemptionIsReportedOnBoth() {
    t.run(job("low", 8, each -> each.uid("uid-low")));
    List<String> events = ofCycle(t.run(job("high", 4, each -> each.priority(7))));

    assertThat(events).hasSize(4);
    assertThat(events.get(0))
        .startsWith("low Normal EvictedDueToPreempted: Preempted to accommodate workload ns/high");
    assertThat(events.get(1))
        .startsWith("low Normal Preempted: Preempted to accommodate workload ns/high")
        .contains("prioritization in the ClusterQueue");
    assertThat(events.get(2))
        .isEqualTo("high Normal PreemptedWorkload: Preempted workload ns/low (UID: uid-low) in"
            + " ClusterQueue cq");
    assertThat(events.get(3)).startsWith("high Warning WaitingForPreemptedWorkloads: ");
  }

  @Test
  void evictionsSayForWhat() {
    t.run(job("w", 4));
    assertThat(ofOtherCalls(t.stopQueue(StopPolicy.HOLD_AND_DRAIN)))
        .containsExactly("w Normal EvictedDueToClusterQueueStopped: The ClusterQueue is stopped");
  }

  @Test
  void aRejectionIsAWarning() {
    t = TestEngine.checking();
    t.run(job("w", 4));
    Decisions changes = t.engine
        .lifecycle()
        .setCheck(id("w"), AdmissionCheckState.of("budget", CheckState.REJECTED));
    assertThat(reasons(events().ofOtherCalls(changes)))
        .containsExactly(
            "w Warning AdmissionCheckRejected",
            "w Normal EvictedDueToDeactivatedDueToAdmissionCheck");
  }

  @Test
  void theEndOfItsTimeIsAWarning() {
    t.run(job("w", 4, each -> each.maximumExecutionTime(Duration.ofSeconds(90))));
    t.pass(90);
    assertThat(ofOtherCalls(t.engine.tick()))
        .containsExactly(
            "w Warning MaximumExecutionTimeExceeded: The maximum execution time (90s) exceeded",
            "w Normal EvictedDueToDeactivatedDueToMaximumExecutionTimeExceeded: exceeding the"
                + " maximum execution time");
  }

  @Test
  void aDeactivationByItsOwnerHasNoCause() {
    t.run(job("w", 4));
    assertThat(reasons(events().ofOtherCalls(t.engine.lifecycle().setActive(id("w"), false))))
        .containsExactly("w Normal EvictedDueToDeactivated");
  }

  @Test
  void aTimeoutKeepsItsCauseToItself() {
    t = new TestEngine(
        Settings.builder()
            .podsReady(PodsReadyPolicy.builder().timeout(Duration.ofSeconds(10)).build())
            .build(),
        queue -> queue);
    t.run(job("w", 4));
    t.pass(10);
    assertThat(reasons(events().ofCycle(t.engine.runCycle())))
        .containsExactly("w Normal EvictedDueToPodsReadyTimeout");
  }

  @Test
  void aSliceThatIsReplacedSaysBySomebodyElse() {
    t.run(job("slice-1", 2, each -> each.elastic(true)));
    List<String> events =
        ofCycle(t.run(job("slice-2", 4, each -> each.elastic(true).replaces(id("slice-1")))));
    assertThat(events.get(0)).startsWith("slice-1 Normal WorkloadSliceReplaced: Replaced to");
  }

  @Test
  void gatesComeAndGo() {
    assertThat(texts(List.of(
            WorkloadEvents.admissionGates(
                job("w", 1, each -> each.addAllAdmissionGates(List.of("b.com/y", "a.com/x")))),
            WorkloadEvents.admissionGates(job("w", 1)))))
        .containsExactly(
            "w Normal AdmissionGated: Workload admission is gated by: a.com/x,b.com/y",
            "w Normal AdmissionGateCleared: Admission gate cleared, workload is now admissible");
  }

  @Test
  void anIdleCycleTellsNothing() {
    assertThat(ofCycle(t.engine.runCycle())).isEmpty();
  }
}
