package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.ConcurrentFlavors.RETAIN_FIRST;
import static io.kueue4j.core.ConcurrentFlavors.TRY_PREFERRED;
import static io.kueue4j.core.DecisionText.summary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.VariantStatus;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Checks, pods that are not ready, and restarts of workloads that try all flavors concurrently. */
class VariantLifecycleTest {
  /** Rule CA-6: variants carry the checks. */
  @Nested
  class Checks {
    private Cluster checking(ConcurrentAdmissionPolicy policy, String... flavors) {
      Cluster made = ConcurrentFlavors.cluster(
          ConcurrentFlavors.settings().build(),
          ConcurrentFlavors.queue(policy)
              .addAllAdmissionChecks(ImmutableList.of(
                  new AdmissionCheckRule("check", ImmutableList.copyOf(flavors)))));
      made.with(AdmissionCheck.of("check", "controller"));
      return made.submit("w", "q", 4);
    }

    @CanIgnoreReturnValue
    private Decisions tell(Cluster made, String flavor, CheckState state) {
      return made.lifecycle.setCheck(id("w"), flavor, AdmissionCheckState.of("check", state));
    }

    @Test
    void severalWaitForTheirsAtATimeAndTheFirstRuns() {
      Cluster made = checking(RETAIN_FIRST);
      assertThat(made.cycles(3))
          .containsExactly(
              "reserved [w on reservation]", "reserved [w on on-demand]", "reserved [w on spot]");
      assertThat(made.usedByFlavor("q")).isEqualTo("reservation 4 on-demand 4 spot 4");
      assertThat(made.lifecycle.status(id("w")).phase()).isEqualTo(WorkloadStatus.Phase.PENDING);
      assertThat(made.lifecycle.status(id("w")).admissionChecks()).isEmpty();

      assertThat(DecisionText.withFlavors(tell(made, "spot", CheckState.READY).admitted()))
          .containsExactly("w on spot");
      assertThat(made.usedByFlavor("q")).isEqualTo("spot 4");
      assertThat(made.lifecycle.status(id("w")).phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
    }

    @Test
    void toldOfTheWorkloadACheckIsThatOfAll() {
      Cluster made = checking(RETAIN_FIRST);
      made.cycles(3);

      Decisions changes =
          made.lifecycle.setCheck(id("w"), AdmissionCheckState.of("check", CheckState.READY));
      assertThat(DecisionText.withFlavors(changes.admitted())).containsExactly("w on reservation");
      assertThat(made.usedByFlavor("q")).isEqualTo("reservation 4");
    }

    /** Not both concurrently, as in Kueue. */
    @Test
    void aBetterOneThatIsReadyLaterWaitsUntilTheOtherStopped() {
      Cluster made = checking(TRY_PREFERRED);
      made.cycles(3);
      tell(made, "spot", CheckState.READY);
      assertThat(made.usedByFlavor("q")).isEqualTo("reservation 4 on-demand 4 spot 4");

      Decisions changes = tell(made, "reservation", CheckState.READY);
      assertThat(changes.admitted()).isEmpty();
      assertThat(DecisionText.evictions(changes.evicted())).containsExactly("w FlavorMigration");
      assertThat(DecisionText.codes(
              made.engine.explain(id("w")).variants().get(0).explanation().reasons()))
          .containsExactly(ReasonCode.WAITING_FOR_MIGRATION);
      made.podsStopped("w");

      assertThat(DecisionText.withFlavors(made.takeDecisions().admitted()))
          .containsExactly("w on reservation");
      assertThat(made.usedByFlavor("q")).isEqualTo("reservation 4");
    }

    @Test
    void rejectedByACheckAVariantIsTriedAgain() {
      Cluster made = checking(RETAIN_FIRST, "reservation");
      made.cycle();
      assertThat(tell(made, "reservation", CheckState.REJECTED).isEmpty()).isTrue();

      assertThat(made.usedByFlavor("q")).isEmpty();
      assertThat(made.workload("w").tried()).isEqualTo("reservation on-demand spot");
    }

    @Test
    void aCheckThatWantsARetryTakesOneVariantBack() {
      Cluster made = checking(RETAIN_FIRST);
      made.cycles(2);
      Decisions changes = made.lifecycle.setCheck(
          id("w"),
          "reservation",
          AdmissionCheckState.builder()
              .name("check")
              .state(CheckState.RETRY)
              .requeueAfter(Duration.ofSeconds(60))
              .build());

      assertThat(changes.isEmpty()).isTrue();
      assertThat(made.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(made.cycles(2)).containsExactly("reserved [w on spot]", "");
      made.advanceSeconds(60);
      assertThat(summary(made.cycle())).isEqualTo("reserved [w on reservation]");
    }

    @Test
    void rejectedWhileItRunsTheWorkloadStops() {
      Cluster made = checking(RETAIN_FIRST);
      made.cycle();
      tell(made, "reservation", CheckState.READY);

      Decisions changes = tell(made, "reservation", CheckState.REJECTED);
      assertThat(DecisionText.evictions(changes.evicted())).containsExactly("w AdmissionCheck");
      assertThat(made.cycles(2)).allMatch(cycle -> !cycle.contains("w on"));
      assertThat(made.podsStopped("w")).isTrue();
      assertThat(summary(made.cycle())).isEqualTo("reserved [w on reservation]");
    }

    @Test
    void noLongerReadyWhileItRunsTheWorkloadIsSuspended() {
      Cluster made = checking(RETAIN_FIRST);
      made.cycle();
      tell(made, "reservation", CheckState.READY);

      Decisions changes = tell(made, "reservation", CheckState.PENDING);

      assertThat(changes.suspended()).containsExactly(id("w"));
      assertThat(made.lifecycle.status(id("w")).phase()).isEqualTo(WorkloadStatus.Phase.PENDING);
    }

    @Test
    void inAQueueWithoutChecksVariantsHaveNone() {
      Cluster made = checking(RETAIN_FIRST);
      made.with(Queues.openQueue("r")
          .concurrentAdmissionPolicy(RETAIN_FIRST)
          .addResourceGroups(ConcurrentFlavors.group(4, ConcurrentFlavors.FLAVORS)));
      made.engine.update(Cluster.changed(made.job("w"), w -> w.queueName("r")));

      assertThat(made.lifecycle.status(id("w")).variants())
          .hasSize(3)
          .allMatch(variant -> variant.status().admissionChecks().isEmpty());
    }

    @Test
    void aVariantThatOnlyWaitsIsPreemptedWithoutAWord() {
      Cluster made = ConcurrentFlavors.cluster(
          ConcurrentFlavors.settings().build(),
          ConcurrentFlavors.queue(RETAIN_FIRST, ImmutableList.of("reservation"))
              .preemption(ConcurrentFlavors.RECLAIM)
              .addAllAdmissionChecks(
                  ImmutableList.of(new AdmissionCheckRule("check", ImmutableList.of()))));
      made.with(AdmissionCheck.of("check", "controller"));
      made.submit("w", "q", 4);
      made.cycle();
      made.submit(made.job("high", "q", 4, w -> w.priority(5)));

      assertThat(made.cycles(2)).allMatch(cycle -> !cycle.contains("preempted"));
      assertThat(summary(made.cycle())).contains("reserved [high on reservation]");
    }

    @Test
    void aVictimThatDoesNotRunIsCalledByItsOwnName() {
      Cluster made = checking(RETAIN_FIRST);
      made.engine.delete(id("w"));
      made.with(Queues.openQueue("r")
          .cohort("c")
          .preemption(ConcurrentFlavors.RECLAIM)
          .addResourceGroups(ConcurrentFlavors.group(4, ImmutableList.of("reservation"))));
      made.submit("big", "q", 8);
      made.cycle();
      AdmissionResult result = made.engine.tryAdmit(made.job("r", "r", 4)).result();

      assertThat(((AdmissionResult.Preempting) result).victims())
          .extracting(PreemptionVictim::workload)
          .containsExactly(id("big[reservation]"));
    }
  }

  /** Rule CA-6: readiness of pods belongs to the workload. */
  @Nested
  class PodsReady {
    private Cluster waiting(int limit) {
      return ConcurrentFlavors.cluster(
          ConcurrentFlavors.settings()
              .podsReady(PodsReadyPolicy.builder()
                  .timeout(Duration.ofSeconds(100))
                  .backoffLimitCount(limit)
                  .build())
              .build(),
          ConcurrentFlavors.queue(RETAIN_FIRST));
    }

    @Test
    void afterATimeOutNoFlavorIsTriedForSomeTime() {
      Cluster made = waiting(3).submit("w", "q", 4);
      made.cycle();
      assertThat(made.tick()).contains(100L);
      made.advanceSeconds(100);

      assertThat(summary(made.cycle())).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
      assertThat(made.lifecycle.status(id("w")).requeueCount()).isEqualTo(1);
      made.podsStopped("w");
      assertThat(made.cycles(3)).containsOnly("");
      assertThat(made.tick()).contains(60L);
      made.advanceSeconds(60);
      assertThat(summary(made.cycle())).startsWith("admitted [w on ");
      made.advanceSeconds(100);
      made.cycle();
      assertThat(made.lifecycle.status(id("w")).requeueCount()).isEqualTo(2);
    }

    @Test
    void beyondTheLimitTheWorkloadIsOutOfAction() {
      Cluster made = waiting(0).submit("w", "q", 4);
      made.cycle();
      made.advanceSeconds(100);

      assertThat(summary(made.cycle())).isEqualTo("evicted [w Deactivated/RequeuingLimitExceeded]");
      assertThat(made.usedByFlavor("q")).isEmpty();
      made.podsStopped("w");
      assertThat(made.workload("w").tried()).isEmpty();
      assertThat(made.cycles(3)).containsOnly("");
    }

    /** The gate of a better flavor would open after 300 s. */
    @Test
    void theTimeoutComesBeforeTheNextOpeningOfAGate() {
      Cluster made = ConcurrentFlavors.cluster(
              ConcurrentFlavors.settings()
                  .podsReady(
                      PodsReadyPolicy.builder().timeout(Duration.ofSeconds(100)).build())
                  .build(),
              ConcurrentFlavors.queue(TRY_PREFERRED).preemption(ConcurrentFlavors.RECLAIM))
          .fill("low", 4, "reservation", "on-demand")
          .submit("w", "q", 4);
      made.cycles(2);
      made.finish("reservation");
      made.run(made.job(
          "high", "q", 4, w -> w.priority(9).allowedFlavors(ImmutableList.of("reservation"))));
      made.cycles(4);
      made.lifecycle.setPodsReady(id("high"), true);
      made.lifecycle.setPodsReady(id("on-demand"), true);
      assertThat(made.workload("w").flavor()).isEqualTo("spot");

      assertThat(made.tick()).contains(100L);
    }

    @Test
    void readyInTimeItRunsOn() {
      Cluster made = waiting(0).submit("w", "q", 4);
      made.cycle();
      made.lifecycle.setPodsReady(id("w"), true);
      made.advanceSeconds(1000);

      assertThat(made.tick()).isEmpty();
      assertThat(made.workload("w").flavor()).isEqualTo("reservation");
      assertThat(made.lifecycle.status(id("w")).isTrue(ConditionType.PODS_READY))
          .isTrue();
    }

    @Test
    void timeOnAllFlavorsCounts() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED).fill("low", 4, "reservation");
      made.submit(made.job("w", "q", 4, w -> w.maximumExecutionTime(Duration.ofSeconds(100))));
      made.cycles(2);
      made.advanceSeconds(60);
      made.finish("reservation");
      made.cycle();
      made.podsStopped("w");
      made.cycle();
      assertThat(made.workload("w").flavor()).isEqualTo("reservation");

      assertThat(made.tick()).contains(40L);
      made.advanceSeconds(40);
      assertThat(summary(made.cycle()))
          .isEqualTo("evicted [w Deactivated/MaximumExecutionTimeExceeded]");
    }
  }

  @Nested
  class Restarts {
    private final Cluster made =
        ConcurrentFlavors.cluster(TRY_PREFERRED).fill("low", 4, "reservation");
    private final Workload workload = made.job("w", "q", 4);

    private Cluster restarted() {
      return ConcurrentFlavors.cluster(TRY_PREFERRED).fill("low", 4, "reservation");
    }

    @Test
    void anAdmissionTellsTheFlavor() {
      Cluster after = restarted();
      after.engine.lifecycle().restore(workload, Admissions.admission("w", "q", "on-demand", 4));

      assertThat(after.workload("w").flavor()).isEqualTo("on-demand");
      assertThat(after.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(after.workload("w").tried()).isEqualTo("reservation on-demand");
      assertThat(after.takeDecisions().isEmpty()).isTrue();
      after.finish("reservation");
      assertThat(summary(after.cycle())).contains("evicted [w FlavorMigration]");
    }

    @Test
    void anAdmissionOfTwoFlavorsIsOfNoVariant() {
      Workload twoPodSets =
          made.jobOf("w", "q", job -> job.addPodSets(twoCores("a"), twoCores("b")));
      Cluster after = restarted();
      after
          .engine
          .lifecycle()
          .restore(
              twoPodSets,
              Admission.builder()
                  .from(Admissions.admission("w", "q", "on-demand", 2))
                  .podSetAssignments(
                      ImmutableList.of(assignment("a", "on-demand"), assignment("b", "spot")))
                  .build());

      assertThat(after.usedByFlavor("q")).isEqualTo("on-demand 2 spot 2");
      assertThat(after.lifecycle.status(id("w")).variants()).isEmpty();
    }

    private static PodSet twoCores(String name) {
      return PodSet.builder().name(name).request("cpu", "2").build();
    }

    private static PodSetAssignment assignment(String podSet, String flavor) {
      return PodSetAssignment.builder()
          .name(podSet)
          .count(1)
          .putFlavors("cpu", flavor)
          .resourceUsageAmount("cpu", 2000)
          .build();
    }

    @Test
    void whatWasPreemptedIsStopping() {
      Cluster after = restarted();
      after
          .engine
          .lifecycle()
          .restore(
              workload,
              Admissions.admission("w", "q", "on-demand", 4),
              new PreemptedCondition(PreemptionReason.IN_CLUSTER_QUEUE, Cluster.START));

      assertThat(after.engine.lifecycle().preempted(id("w"))).isPresent();
      assertThat(after.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(after.podsStopped("w")).isTrue();
      assertThat(after.usedByFlavor("q")).isEmpty();
    }

    @Test
    void whyItWasPreemptedIsStillKnown() {
      Cluster made = ConcurrentFlavors.reclaiming(RETAIN_FIRST).submit("w", "q", 4);
      made.cycle();
      made.fill("low", 4, "on-demand", "spot");
      made.submit(made.job(
          "high", "q", 4, job -> job.priority(5).allowedFlavors(ImmutableList.of("reservation"))));
      made.cycles(4);
      Cluster after = ConcurrentFlavors.reclaiming(RETAIN_FIRST);
      after.lifecycle.restore(
          made.job("w"), made.engine.admission(id("w")), made.lifecycle.status(id("w")));

      assertThat(after.engine.explain(id("w")).preempted())
          .isPresent()
          .isEqualTo(made.engine.explain(id("w")).preempted());
    }

    @Test
    void withChecksToAnswerOnlyAVariantHoldsQuota() {
      ClusterQueue.Builder checked = ConcurrentFlavors.queue(TRY_PREFERRED)
          .addAdmissionChecks(new AdmissionCheckRule("check", ImmutableList.of()));
      Cluster after = ConcurrentFlavors.cluster(ConcurrentFlavors.settings().build(), checked)
          .with(AdmissionCheck.of("check", "controller"));
      WorkloadStatus reserved = WorkloadStatus.builder()
          .addConditions(new WorkloadCondition(
              ConditionType.QUOTA_RESERVED, true, "QuotaReserved", "", Cluster.START))
          .addAdmissionChecks(AdmissionCheckState.of("check", CheckState.PENDING))
          .build();

      after.lifecycle.restore(
          workload, Optional.of(Admissions.admission("w", "q", "on-demand", 4)), reserved);

      assertThat(after.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(after.lifecycle.status(id("w")).isTrue(ConditionType.QUOTA_RESERVED))
          .isFalse();
    }

    @Test
    void theStatusOfTheWorkloadAloneIsEnough() {
      made.engine.submit(workload);
      made.cycles(2);
      Optional<Admission> admission = made.engine.admission(id("w"));
      WorkloadStatus full = made.lifecycle.status(id("w"));
      WorkloadStatus status = WorkloadStatus.builder()
          .addAllConditions(full.conditions())
          .requeueCount(full.requeueCount())
          .build();
      Cluster after = restarted();

      assertThat(after.lifecycle.restore(workload, admission, status).isEmpty()).isTrue();
      assertThat(after.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(after.workload("w").tried()).isEqualTo("reservation on-demand");
    }

    @Test
    void ifItsQueueWasRestartedMeanwhileItIsTried() {
      Cluster made = ConcurrentFlavors.cluster(RETAIN_FIRST).submit("w", "q", 4);
      made.cycle();
      made.stopQueue("q", StopPolicy.HOLD_AND_DRAIN);
      made.podsStopped("w");

      Cluster restarted = ConcurrentFlavors.cluster(RETAIN_FIRST);
      restarted.lifecycle.restore(made.job("w"), Optional.empty(), made.lifecycle.status(id("w")));

      assertThat(summary(restarted.cycle())).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void inTheMiddleOfAMoveItGoesOn() {
      made.engine.submit(workload);
      made.cycles(2);
      made.finish("reservation");
      made.cycle();
      Cluster after = ConcurrentFlavors.cluster(TRY_PREFERRED);
      after.lifecycle.restore(
          workload, made.engine.admission(id("w")), made.lifecycle.status(id("w")));

      assertThat(after.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(summary(after.cycle())).isEqualTo("pending [w WaitingForPreemptedWorkloads]");
      assertThat(after.podsStopped("w")).isTrue();
      assertThat(summary(after.cycle())).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void withTheGateOffVariantsInAStatusDoNotCount() {
      made.engine.submit(workload);
      made.cycles(2);
      Cluster off =
          ConcurrentFlavors.cluster(Settings.defaults(), ConcurrentFlavors.queue(TRY_PREFERRED));
      off.lifecycle.restore(
          workload, made.engine.admission(id("w")), made.lifecycle.status(id("w")));

      assertThat(off.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(off.lifecycle.status(id("w")).variants()).isEmpty();
      assertThat(off.engine.finish(id("w")).removed()).isNotEmpty();
      assertThat(off.usedByFlavor("q")).isEmpty();
    }

    @Test
    void statusesTellOfAllFlavors() {
      made.engine.submit(workload);
      made.cycles(2);

      assertThat(made.lifecycle.status(id("w")).variants())
          .extracting(
              VariantStatus::flavor, VariantStatus::active, v -> v.admission().isPresent())
          .containsExactly(
              tuple("reservation", true, false),
              tuple("on-demand", true, true),
              tuple("spot", false, false));
    }

    @Test
    void aStudyChangesNothing() {
      made.engine.submit(workload);
      made.cycles(2);
      AdmissionEngine study = made.engine.view().whatIf();
      study.finish(id("reservation"));
      study.runCycle();
      study.podsStopped(id("w"));
      study.runCycle();

      assertThat(DecisionText.flavor(study.admission(id("w")).orElseThrow()))
          .isEqualTo("reservation");
      assertThat(made.workload("w").flavor()).isEqualTo("on-demand");
      assertThat(made.engine.explain(id("w")).isStopping()).isFalse();
    }

    @Test
    void whatWouldHelpIsFound() {
      Cluster full = ConcurrentFlavors.cluster(TRY_PREFERRED)
          .fill("low", 4, "reservation", "on-demand", "spot");
      full.submit("w", "q", 4).cycles(3);

      assertThat(full.engine.explain(id("w")).remedies())
          .extracting(Remedy::kind)
          .contains(Remedy.Kind.RAISE_NOMINAL_QUOTA, Remedy.Kind.STOP_HOLDERS);
    }
  }
}
