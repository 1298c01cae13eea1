package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.START;
import static io.kueue4j.core.Cluster.changed;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.AdmissionResult.Admitted;
import io.kueue4j.core.decision.AdmissionResult.Rejected;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Submitting, changing and ending workloads; rules M-29, M-30, R-7, U-19, Q-20. */
class WorkloadCallsTest {
  private final Cluster cluster = new Cluster().with(queue("a", 10));
  private final AdmissionEngine engine = cluster.engine;

  private void runPods(String name, int count) {
    cluster.run(pods(name, count));
  }

  private Workload pods(String name, int count) {
    return cluster.jobOf(
        name,
        "a",
        w -> w.addPodSets(
            PodSet.builder().count(count).requestAmount("cpu", 1000).build()));
  }

  // ----- submit

  @Test
  void aSubmittedWorkloadWaitsForACycle() {
    cluster.submit("w", "a", 1);
    assertThat(cluster.workload("w").holdsQuota()).isFalse();
    assertThat(cluster.used("a")).isZero();
    assertThat(admitted(cluster.cycle())).containsExactly("w");
    assertThat(cluster.used("a")).isEqualTo(1);
    assertThat(cluster.pending("a")).isEmpty();
  }

  @Test
  void aWorkloadIsFoundInItsPresentVersion() {
    assertThat(engine.workload(id("w"))).isEmpty();
    Workload submitted = cluster.submit("w", "a", 1).job("w");
    assertThat(engine.workload(id("w"))).contains(submitted);
    Workload updated = changed(submitted, w -> w.priority(5));
    engine.update(updated);
    assertThat(engine.workload(id("w"))).contains(updated);

    AdmissionEngine study = engine.view().whatIf();
    engine.lifecycle().setActive(id("w"), false);
    assertThat(engine.workload(id("w"))).contains(changed(updated, w -> w.active(false)));
    engine.finish(id("w"));
    assertThat(engine.workload(id("w"))).isEmpty();
    assertThat(study.workload(id("w"))).contains(updated);
  }

  @Test
  void submittingAgainChangesNothing() {
    Workload workload = cluster.submit("w", "a", 1).job("w");
    AdmissionResult before = engine.submit(workload).result();
    assertThat(engine.submit(workload).result()).isEqualTo(before);
    assertThat(cluster.pending("a")).containsExactly("w");
    cluster.cycle();
    assertThat(engine.submit(workload).result().isAdmitted()).isTrue();
    assertThat(cluster.pending("a")).isEmpty();
  }

  @Test
  void submittingOtherContentUnderAKnownIdIsAnError() {
    Workload workload = cluster.submit("w", "a", 1).job("w");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.submit(changed(workload, w -> w.priority(1))))
        .withMessageContaining("ns/w");
  }

  @Test
  void aWorkloadThatBreaksRulesIsRejectedAndForgotten() {
    AdmissionResult result = engine.submit(cluster.jobOf("w", "a", w -> w)).result();
    assertThat(result).isInstanceOf(Rejected.class);
    assertThat(engine.delete(id("w")).removed()).isEmpty();
  }

  @Test
  void withoutCreationTimeTheTimeOfSubmissionCounts() {
    cluster.advance(Duration.ofMinutes(10));
    cluster.submit(Workload.builder()
        .namespace(Cluster.NAMESPACE)
        .name("now")
        .queueName("a")
        .addPodSets(PodSet.builder().build())
        .build());
    cluster.submit("earlier", "a", 1);
    assertThat(cluster.pending("a")).containsExactly("earlier", "now");
  }

  // ----- update of what waits

  @Test
  void updatingWhatIsUnknownIsAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.update(cluster.job("w", "a", 1)))
        .withMessageContaining("ns/w");
  }

  @Test
  void anUpdateThatBreaksRulesIsRejectedAndChangesNothing() {
    Workload workload = cluster.submit("w", "a", 1).job("w");
    AdmissionResult result = engine
        .update(changed(workload, w -> w.maximumExecutionTime(Duration.ZERO)))
        .result();
    assertThat(result).isInstanceOf(Rejected.class);
    assertThat(engine.submit(workload).result()).isInstanceOf(AdmissionResult.Pending.class);
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void aPendingWorkloadMayBecomeSmallerAndFit() {
    cluster.submit("w", "a", 11);
    cluster.cycle();
    engine.update(cluster.job("w", "a", 9));
    assertThat(admitted(cluster.cycle())).containsExactly("w");
    assertThat(cluster.used("a")).isEqualTo(9);
  }

  @Test
  void aPendingWorkloadMayMoveToAnotherQueue() {
    cluster.with(queue("b", 10));
    Workload workload = cluster.submit("w", "a", 1).job("w");
    engine.update(changed(workload, w -> w.queueName("b")));
    assertThat(cluster.pending("a")).isEmpty();
    assertThat(cluster.pending("b")).containsExactly("w");
  }

  @Test
  void aPendingWorkloadLeavesAndEntersTheQueueWithItsGates() {
    Workload free = cluster.submit("w", "a", 1).job("w");
    engine.update(changed(free, w -> w.addAllAdmissionGates(ImmutableList.of("review"))));
    assertThat(admitted(cluster.cycle())).isEmpty();
    engine.update(free);
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void aPendingWorkloadLeavesAndEntersTheQueueWithItsActivity() {
    Workload active = cluster.submit("w", "a", 1).job("w");
    engine.update(changed(active, w -> w.active(false)));
    assertThat(cluster.pending("a")).isEmpty();
    assertThat(admitted(cluster.cycle())).isEmpty();
    engine.update(active);
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  // ----- update of what runs

  @Test
  void reclaimablePodsGiveTheirQuotaBack() {
    runPods("w", 10);
    cluster.submit("next", "a", 3);
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(cluster.reclaim("w", "main", 3).result().isAdmitted()).isTrue();
    assertThat(engine.lifecycle().status(id("w")).reclaimablePods()).isEqualTo(Map.of("main", 3));
    assertThat(cluster.used("a")).isEqualTo(7);
    assertThat(admitted(cluster.cycle())).containsExactly("next");
    engine.finish(id("w"));
    assertThat(cluster.used("a")).isEqualTo(3);
  }

  static Stream<Arguments> forbiddenChanges() {
    return Stream.of(
        forbidden(w -> w.addPodSets(PodSet.builder().name("more").build()), "podSets"),
        forbidden(w -> w.queueName("other"), "queueName"),
        forbidden(w -> w.priorityClass("class"), "priorityClass"));
  }

  private static Arguments forbidden(UnaryOperator<Workload.Builder> change, String field) {
    return Arguments.of(change, field);
  }

  @ParameterizedTest
  @MethodSource("forbiddenChanges")
  void whatHoldsQuotaKeepsItsPodSetsQueueAndPresenceOfClass(
      UnaryOperator<Workload.Builder> change, String field) {
    Workload running = cluster.run("w", "a", 4).job("w");
    AdmissionResult result = engine.update(changed(running, change)).result();
    assertThat(result)
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected -> assertThat(rejected.reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason.message()).contains(field)));
    assertThat(engine.tryAdmit(running).result().isAdmitted()).isTrue();
    assertThat(cluster.used("a")).isEqualTo(4);
  }

  @Test
  void reclaimablePodsMayNotShrinkWhileQuotaIsHeld() {
    runPods("w", 5);
    cluster.reclaim("w", "main", 2);
    for (Map<String, Integer> fewer :
        ImmutableList.of(Map.of("main", 1), Map.<String, Integer>of())) {
      assertThat(engine.lifecycle().setReclaimablePods(id("w"), fewer).result())
          .isInstanceOfSatisfying(
              Rejected.class,
              rejected -> assertThat(rejected.reasons())
                  .singleElement()
                  .satisfies(reason -> assertThat(reason.message())
                      .isEqualTo("reclaimablePods of main cannot shrink while quota is reserved")));
    }
    assertThat(cluster.used("a")).isEqualTo(3);
    Workload workload = engine.workload(id("w")).orElseThrow();
    assertThat(engine
            .update(Cluster.changed(workload, change -> change.priority(5)))
            .result())
        .isInstanceOf(Admitted.class);
    assertThat(engine.lifecycle().setReclaimablePods(id("w"), Map.of("main", 3)).result())
        .isInstanceOf(Admitted.class);
    assertThat(cluster.used("a")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "main, 6, reclaimablePods[main]: 6; expected 0 to the pod set's count of 5",
    "main, -1, reclaimablePods[main]: -1; expected 0 to the pod set's count of 5",
    "x, 1, reclaimablePods[x]: there is no pod set of that name"
  })
  void invalidNumbersOfReclaimablePodsChangeNothing(String podSet, int count, String problem) {
    runPods("w", 5);
    cluster.submit(pods("waits", 5));
    for (String name : List.of("w", "waits")) {
      WorkloadStatus before = engine.lifecycle().status(id(name));
      assertThat(cluster.reclaim(name, podSet, count).result().toString()).contains(problem);
      assertThat(engine.lifecycle().status(id(name))).isEqualTo(before);
    }
    assertThat(cluster.used("a")).isEqualTo(5);
  }

  @Test
  void reclaimablePodsOfAnUnknownWorkloadAreAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.reclaim("w", "main", 0))
        .withMessageContaining("ns/w");
  }

  @Test
  void aWaitingWorkloadFitsWhenEnoughOfItsPodsHaveEnded() {
    cluster.submit(pods("w", 12));
    assertThat(admitted(cluster.cycle())).isEmpty();
    cluster.reclaim("w", "main", 3);
    cluster.reclaim("w", "main", 2);
    assertThat(admitted(cluster.cycle())).containsExactly("w");
    assertThat(cluster.used("a")).isEqualTo(10);
  }

  @Test
  void aWaitingWorkloadKeepsTheCountsThatItsEndedPodsNeed() {
    cluster.submit(pods("w", 5));
    cluster.reclaim("w", "main", 3);
    AdmissionResult result = engine.update(pods("w", 2)).result();
    assertThat(result.toString())
        .contains("reclaimablePods[main]: 3; expected 0 to the pod set's count of 2");
    cluster.reclaim("w", "main", 1);
    assertThat(engine.update(pods("w", 2)).result()).isInstanceOf(AdmissionResult.Pending.class);
  }

  @Test
  void allForbiddenChangesAreNamedAtOnce() {
    Workload running = cluster.run("w", "a", 4).job("w");
    AdmissionResult result = engine
        .update(changed(running, w -> w.queueName("other").priorityClass("class")))
        .result();
    assertThat(result)
        .isInstanceOfSatisfying(
            Rejected.class, rejected -> assertThat(rejected.reasons()).hasSize(2));
  }

  @Test
  void anUpdateOfARunningWorkloadKeepsItsAdmission() {
    Workload running = cluster.run("w", "a", 4).job("w");
    Optional<Admission> admission = engine.admission(id("w"));
    cluster.advance(Duration.ofHours(1));
    assertThat(engine.update(changed(running, w -> w.priority(3))).result())
        .isEqualTo(new Admitted(admission.orElseThrow()));
    assertThat(cluster.used("a")).isEqualTo(4);
  }

  @Test
  void anUpdateOfARunningWorkloadKeepsItsPlaceAmongTheAdmitted() {
    Workload first = cluster.run("first", "a", 1).job("first");
    cluster.run("second", "a", 1);
    engine.update(changed(first, w -> w.priority(3)));
    assertThat(cluster.view("a").admitted())
        .extracting(admission -> admission.workload().name())
        .containsExactly("first", "second");
  }

  // ----- the end

  @Test
  void finishDeleteAndReleaseForgetAWorkloadAndFreeItsQuota() {
    cluster.run("x", "a", 1);
    cluster.run("y", "a", 2);
    cluster.run("z", "a", 4);
    assertThat(engine.finish(id("x")).removed()).isNotEmpty();
    assertThat(cluster.used("a")).isEqualTo(6);
    assertThat(engine.delete(id("y")).removed()).isNotEmpty();
    assertThat(cluster.used("a")).isEqualTo(4);
    assertThat(engine.release(id("z")).removed()).isNotEmpty();
    assertThat(cluster.used("a")).isZero();
    for (String name : ImmutableList.of("x", "y", "z")) {
      assertThat(engine.finish(id(name)).removed()).isEmpty();
      assertThat(engine.delete(id(name)).removed()).isEmpty();
      assertThat(engine.release(id(name)).removed()).isEmpty();
      assertThat(engine.admission(id(name))).isEmpty();
    }
  }

  @Test
  void aPendingWorkloadCanBeFinishedOrDeletedButNotReleased() {
    cluster.submit("x", "a", 1);
    cluster.submit("y", "a", 1);
    assertThat(engine.release(id("x")).removed()).isEmpty();
    assertThat(cluster.pending("a")).containsExactly("x", "y");
    assertThat(engine.finish(id("x")).removed()).isNotEmpty();
    assertThat(engine.delete(id("y")).removed()).isNotEmpty();
    assertThat(cluster.pending("a")).isEmpty();
  }

  @Test
  void aForgottenIdMayComeBackWithOtherContent() {
    cluster.run("w", "a", 1);
    engine.finish(id("w"));
    cluster.run("w", "a", 5);
    assertThat(cluster.used("a")).isEqualTo(5);
  }

  @Test
  void onlyWhatHoldsQuotaCanBeRecorded() {
    assertThat(engine.lifecycle().admissionRecorded(id("ghost"))).isEqualTo(Decisions.none());
    cluster.submit("w", "a", 1);
    assertThat(engine.lifecycle().admissionRecorded(id("w"))).isEqualTo(Decisions.none());
    cluster.cycle();
    assertThat(engine.lifecycle().admissionRecorded(id("w"))).isEqualTo(Decisions.none());
    assertThat(cluster.used("a")).isEqualTo(1);
  }

  @Test
  void admissionsCarryTheTimeOfTheDecision() {
    cluster.advance(Duration.ofSeconds(90));
    cluster.run("w", "a", 1);
    assertThat(engine.admission(id("w")))
        .hasValueSatisfying(admission ->
            assertThat(admission.quotaReservedTime()).isEqualTo(START.plusSeconds(90)));
  }

  @Test
  void theEngineSaysHowMuchItKnows() {
    cluster.submit("x", "a", 1);
    cluster.run("y", "a", 1);
    assertThat(engine).hasToString("AdmissionEngine [clusterQueues 1, workloads 2]");
  }

  // ----- views

  @Test
  void aViewDoesNotChangeWithLaterCalls() {
    cluster.run("running", "a", 4);
    cluster.submit("parked", "a", 11);
    cluster.settle();
    cluster.submit("waiting", "a", 1);
    EngineView view = engine.view();

    engine.finish(id("running"));
    engine.delete(id("parked"));
    engine.delete(id("waiting"));
    cluster.with(openQueue("a").build(), openQueue("b").build());

    assertThat(view.clusterQueues()).hasSize(1);
    ClusterQueueView queue = view.clusterQueue("a").orElseThrow();
    assertThat(queue.usage()).containsExactly(new QuotaUsage(FLAVOR, "cpu", 10_000, 4000, 6000));
    assertThat(queue.admitted()).hasSize(1);
    assertThat(queue.pending()).containsExactly(id("waiting"));
    assertThat(queue.inadmissible()).containsExactly(id("parked"));
    assertThat(queue.waitingCount()).isEqualTo(2);
    assertThat(queue.spec()).isEqualTo(queue("a", 10).build());
    assertThat(queue).hasToString("ClusterQueue a [admitted 1, pending 1, inadmissible 1]");
    assertThat(view.clusterQueue("b")).isEmpty();
  }

  @Test
  void aViewShowsQuotasByGroupAndForeignUsageLast() {
    cluster.with(ResourceFlavor.of("spot"), ResourceFlavor.of("gone"));
    cluster.with(openQueue("a")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of("gone", ResourceQuota.of("cpu", "5")),
            FlavorQuotas.of("spot", ResourceQuota.of("cpu", "5"))))
        .build());
    cluster.run("w", "a", 2);
    cluster.with(openQueue("a")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of("spot", ResourceQuota.of("cpu", "5")),
            FlavorQuotas.of(FLAVOR, ResourceQuota.of("cpu", "3"))))
        .build());
    assertThat(cluster.view("a").usage())
        .containsExactly(
            new QuotaUsage("spot", "cpu", 5000, 0, 5000),
            new QuotaUsage(FLAVOR, "cpu", 3000, 0, 3000),
            new QuotaUsage("gone", "cpu", 0, 2000, 0));
  }
}
