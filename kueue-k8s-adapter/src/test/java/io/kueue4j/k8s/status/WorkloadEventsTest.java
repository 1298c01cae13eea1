package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.TestEngine.id;
import static io.kueue4j.k8s.status.TestEngine.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.CycleResult;
import io.kueue4j.core.LifecycleChanges;
import io.kueue4j.core.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.StopPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people are told of workloads, by example. */
class WorkloadEventsTest {
  private TestEngine t = new TestEngine();

  private WorkloadEvents events() {
    TestEngine engine = t;
    return WorkloadEvents.of(
        id -> Objects.requireNonNull(engine.workloads.get(id)), engine.engine.lifecycle()::status);
  }

  private static List<String> texts(List<WorkloadEvent> events) {
    return events.stream()
        .map(told -> told.workload().name() + " " + told.event().type() + " "
            + told.event().reason() + ": " + told.event().message())
        .toList();
  }

  private static List<String> reasons(List<WorkloadEvent> events) {
    return events.stream()
        .map(told -> told.workload().name() + " " + told.event().type() + " "
            + told.event().reason())
        .toList();
  }

  private List<String> of(CycleResult cycle) {
    return texts(events().of(cycle));
  }

  private List<String> of(LifecycleChanges changes) {
    return texts(events().of(changes));
  }

  @Test
  void anAdmissionSaysHowLongItTook() {
    t.submit(job("w", 4));
    t.pass(83);
    CycleResult cycle = t.engine.runCycle();

    assertThat(of(cycle))
        .containsExactly(
            "w Normal QuotaReserved: Quota reserved in ClusterQueue cq, wait time since queued was"
                + " 83s; flavors: main(cpu: default)",
            "w Normal Admitted: Admitted by ClusterQueue cq, wait time since reservation was 0s");
    assertThat(events().of(cycle))
        .extracting(told -> told.event().component())
        .containsOnly("kueue-admission");
  }

  @Test
  void afterAnEvictionItCountsFromWhenItCameBack() {
    t.run(job("w", 4));
    t.pass(100);
    t.engine.lifecycle().evict(id("w"), EvictionReason.NODE_FAILURES, "gone");
    t.engine.podsStopped(id("w"));
    t.pass(7);
    assertThat(of(t.engine.runCycle())).anyMatch(text -> text.contains("since queued was 7s"));
  }

  @Test
  void withoutACreationTimeTheWaitIsNotTold() {
    assertThat(of(t.run(job("w", 4, each -> each.creationTime(Optional.empty())))))
        .first()
        .asString()
        .isEqualTo("w Normal QuotaReserved: Quota reserved in ClusterQueue cq;"
            + " flavors: main(cpu: default)");
  }

  @Test
  void checksComeBetweenReservationAndAdmission() {
    t = TestEngine.checking();
    assertThat(reasons(events().of(t.run(job("w", 4))))).containsExactly("w Normal QuotaReserved");
    t.pass(12);
    LifecycleChanges changes =
        t.engine.lifecycle().setCheck(id("w"), AdmissionCheckState.of("budget", CheckState.READY));
    assertThat(of(changes))
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
    ImmutableList<Admission> none = ImmutableList.of();
    // As a cycle that has found a place for the pods only now.
    CycleResult placed = new CycleResult(
        ImmutableList.of(admission),
        none,
        ImmutableList.of(),
        ImmutableList.of(),
        none,
        ImmutableList.of(),
        ImmutableList.of(),
        ImmutableList.of());
    assertThat(reasons(events().of(placed))).containsExactly("w Normal Admitted");
  }

  @Test
  void whatWaitsSaysWhy() {
    t.run(job("big", 8));
    assertThat(of(t.run(job("w", 4))))
        .singleElement()
        .asString()
        .startsWith("w Warning WaitingForQuota: pod set main: cpu in flavor default: requests 4");
    t.pass(1);
    CycleResult none = t.run(job(
        "x",
        0,
        each -> each.podSets(List.of(PodSet.builder().putRequests("gpu", 1).build()))));
    assertThat(reasons(events().of(none))).containsExactly("x Warning NoMatchingFlavor");
  }

  @Test
  void aPreemptionIsToldToBoth() {
    t.run(job("low", 8, each -> each.uid("uid-low")));
    List<String> told = of(t.run(job("high", 4, each -> each.priority(7))));

    assertThat(told).hasSize(4);
    assertThat(told.get(0))
        .startsWith("low Normal EvictedDueToPreempted: Preempted to accommodate workload ns/high");
    assertThat(told.get(1))
        .startsWith("low Normal Preempted: Preempted to accommodate workload ns/high")
        .contains("prioritization in the ClusterQueue");
    assertThat(told.get(2))
        .isEqualTo("high Normal PreemptedWorkload: Preempted workload ns/low (UID: uid-low) in"
            + " ClusterQueue cq");
    assertThat(told.get(3)).startsWith("high Warning WaitingForPreemptedWorkloads: ");
  }

  @Test
  void evictionsSayForWhat() {
    t.run(job("w", 4));
    t.stopQueue(StopPolicy.HOLD_AND_DRAIN);
    assertThat(of(t.engine.lifecycle().takeChanges()))
        .containsExactly("w Normal EvictedDueToClusterQueueStopped: The ClusterQueue is stopped");
  }

  @Test
  void aRejectionIsAWarning() {
    t = TestEngine.checking();
    t.run(job("w", 4));
    LifecycleChanges changes = t.engine
        .lifecycle()
        .setCheck(id("w"), AdmissionCheckState.of("budget", CheckState.REJECTED));
    assertThat(reasons(events().of(changes)))
        .containsExactly(
            "w Warning AdmissionCheckRejected",
            "w Normal EvictedDueToDeactivatedDueToAdmissionCheck");
  }

  @Test
  void theEndOfItsTimeIsAWarning() {
    t.run(job("w", 4, each -> each.maximumExecutionTime(Duration.ofSeconds(90))));
    t.pass(90);
    t.engine.tick();
    assertThat(of(t.engine.lifecycle().takeChanges()))
        .containsExactly(
            "w Warning MaximumExecutionTimeExceeded: The maximum execution time (90s) exceeded",
            "w Normal EvictedDueToDeactivatedDueToMaximumExecutionTimeExceeded: exceeding the"
                + " maximum execution time");
  }

  @Test
  void aDeactivationByItsOwnerHasNoCause() {
    t.run(job("w", 4));
    assertThat(reasons(events().of(t.engine.lifecycle().setActive(id("w"), false))))
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
    assertThat(reasons(events().of(t.engine.runCycle())))
        .containsExactly("w Normal EvictedDueToPodsReadyTimeout");
  }

  @Test
  void aSliceThatIsReplacedSaysBySomebodyElse() {
    t.run(job("slice-1", 2, each -> each.elastic(true)));
    List<String> told =
        of(t.run(job("slice-2", 4, each -> each.elastic(true).replaces(id("slice-1")))));
    assertThat(told.get(0)).startsWith("slice-1 Normal WorkloadSliceReplaced: Replaced to");
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
    assertThat(of(t.engine.runCycle())).isEmpty();
  }
}
