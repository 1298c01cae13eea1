package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.FlavorsCluster.RETAIN_FIRST;
import static io.kueue4j.core.FlavorsCluster.TRY_PREFERRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.RemedyKind;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckRule;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.VariantStatus;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPhase;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Checks, pods that are not ready, and restarts of workloads that try all flavors concurrently. */
class VariantLifecycleTest {
  /** Rule CA-6: variants carry the checks. */
  @Nested
  class Checks {
    private FlavorsCluster checking(ConcurrentAdmissionPolicy policy, String... flavors) {
      FlavorsCluster made = new FlavorsCluster(
          FlavorsCluster.settings().build(),
          FlavorsCluster.queue(policy)
              .addAllAdmissionChecks(ImmutableList.of(
                  new AdmissionCheckRule("check", ImmutableList.copyOf(flavors)))));
      made.cluster.with(AdmissionCheck.of("check", "controller"));
      return made.submit("w");
    }

    @CanIgnoreReturnValue
    private Decisions tell(FlavorsCluster made, String flavor, CheckState state) {
      return made.lifecycle.setCheck(id("w"), flavor, AdmissionCheckState.of("check", state));
    }

    @Test
    void severalWaitForTheirsAtATimeAndTheFirstRuns() {
      FlavorsCluster made = checking(RETAIN_FIRST);
      assertThat(made.cycles(3))
          .containsExactly(
              "reserved [w on reservation]", "reserved [w on on-demand]", "reserved [w on spot]");
      assertThat(made.used()).isEqualTo("reservation 4 on-demand 4 spot 4");
      assertThat(made.lifecycle.status(id("w")).phase()).isEqualTo(WorkloadPhase.PENDING);
      assertThat(made.lifecycle.status(id("w")).admissionChecks()).isEmpty();

      assertThat(FlavorsCluster.describe(tell(made, "spot", CheckState.READY).admitted()))
          .containsExactly("w on spot");
      assertThat(made.used()).isEqualTo("spot 4");
      assertThat(made.lifecycle.status(id("w")).phase()).isEqualTo(WorkloadPhase.ADMITTED);
    }

    @Test
    void toldOfTheWorkloadACheckIsThatOfAll() {
      FlavorsCluster made = checking(RETAIN_FIRST);
      made.cycles(3);

      Decisions changes =
          made.lifecycle.setCheck(id("w"), AdmissionCheckState.of("check", CheckState.READY));
      assertThat(FlavorsCluster.describe(changes.admitted())).containsExactly("w on reservation");
      assertThat(made.used()).isEqualTo("reservation 4");
    }

    /** Not both concurrently, as in Kueue. */
    @Test
    void aBetterOneThatIsReadyLaterWaitsUntilTheWorkloadHasStopped() {
      FlavorsCluster made = checking(TRY_PREFERRED);
      made.cycles(3);
      tell(made, "spot", CheckState.READY);
      assertThat(made.used()).isEqualTo("reservation 4 on-demand 4 spot 4");

      Decisions changes = tell(made, "reservation", CheckState.READY);
      assertThat(changes.admitted()).isEmpty();
      assertThat(LifecycleCluster.evictions(changes.evicted()))
          .containsExactly("w FlavorMigration");
      assertThat(Cluster.codes(
              made.engine.explain(id("w")).variants().get(0).explanation().reasons()))
          .containsExactly(ReasonCode.WAITING_FOR_MIGRATION);
      made.stop("w");

      assertThat(FlavorsCluster.describe(made.takeDecisions().admitted()))
          .containsExactly("w on reservation");
      assertThat(made.used()).isEqualTo("reservation 4");
    }

    @Test
    void rejectedByACheckAVariantIsTriedAgain() {
      FlavorsCluster made = checking(RETAIN_FIRST, "reservation");
      made.cycle();
      assertThat(tell(made, "reservation", CheckState.REJECTED).isEmpty()).isTrue();

      assertThat(made.used()).isEmpty();
      assertThat(made.tried("w")).isEqualTo("reservation on-demand spot");
    }

    @Test
    void aCheckThatWantsARetryTakesOneVariantBack() {
      FlavorsCluster made = checking(RETAIN_FIRST);
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
      assertThat(made.used()).isEqualTo("on-demand 4");
      assertThat(made.cycles(2)).containsExactly("reserved [w on spot]", "");
      made.pass(60);
      assertThat(made.cycle()).isEqualTo("reserved [w on reservation]");
    }

    @Test
    void rejectedWhileItRunsTheWorkloadStops() {
      FlavorsCluster made = checking(RETAIN_FIRST);
      made.cycle();
      tell(made, "reservation", CheckState.READY);

      Decisions changes = tell(made, "reservation", CheckState.REJECTED);
      assertThat(LifecycleCluster.evictions(changes.evicted())).containsExactly("w AdmissionCheck");
      assertThat(made.cycles(2)).allMatch(cycle -> !cycle.contains("w on"));
      assertThat(made.stop("w")).isTrue();
      assertThat(made.cycle()).isEqualTo("reserved [w on reservation]");
    }

    @Test
    void aVariantThatOnlyWaitsIsPreemptedWithoutAWord() {
      FlavorsCluster made = new FlavorsCluster(
          FlavorsCluster.settings().build(),
          FlavorsCluster.queue(RETAIN_FIRST, ImmutableList.of("reservation"))
              .preemption(FlavorsCluster.RECLAIM)
              .addAllAdmissionChecks(
                  ImmutableList.of(new AdmissionCheckRule("check", ImmutableList.of()))));
      made.cluster.with(AdmissionCheck.of("check", "controller"));
      made.submit("w");
      made.cycle();
      made.cluster.submit(made.cluster.job("high", "q", 4, w -> w.priority(5)));

      assertThat(made.cycles(2)).allMatch(cycle -> !cycle.contains("preempted"));
      assertThat(made.cycle()).contains("reserved [high on reservation]");
    }

    @Test
    void aVictimThatDoesNotRunIsCalledByItsOwnName() {
      FlavorsCluster made = checking(RETAIN_FIRST);
      made.engine.delete(id("w"));
      made.cluster.withQueues(Cluster.openQueue("r")
          .cohort("c")
          .preemption(FlavorsCluster.RECLAIM)
          .addResourceGroups(FlavorsCluster.group(4, ImmutableList.of("reservation"))));
      made.cluster.submit("big", "q", 8);
      made.cycle();
      AdmissionResult result = made.engine.tryAdmit(made.cluster.job("r", "r", 4));

      assertThat(((AdmissionResult.Preempting) result).victims())
          .extracting(PreemptionVictim::workload)
          .containsExactly(id("big[reservation]"));
    }
  }

  /** Rule CA-6: readiness of pods belongs to the workload. */
  @Nested
  class PodsReady {
    private FlavorsCluster waiting(int limit) {
      return new FlavorsCluster(
          FlavorsCluster.settings()
              .podsReady(PodsReadyPolicy.builder()
                  .timeout(Duration.ofSeconds(100))
                  .backoffLimitCount(limit)
                  .build())
              .build(),
          FlavorsCluster.queue(RETAIN_FIRST));
    }

    @Test
    void afterATimeOutNoFlavorIsTriedForSomeTime() {
      FlavorsCluster made = waiting(3).submit("w");
      made.cycle();
      assertThat(made.tick()).contains(100L);
      made.pass(100);

      assertThat(made.cycle()).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
      assertThat(made.lifecycle.status(id("w")).requeueCount()).isEqualTo(1);
      made.stop("w");
      assertThat(made.cycles(3)).containsOnly("");
      assertThat(made.tick()).contains(60L);
      made.pass(60);
      assertThat(made.cycle()).startsWith("admitted [w on ");
      made.pass(100);
      made.cycle();
      assertThat(made.lifecycle.status(id("w")).requeueCount()).isEqualTo(2);
    }

    @Test
    void beyondTheLimitTheWorkloadIsOutOfAction() {
      FlavorsCluster made = waiting(0).submit("w");
      made.cycle();
      made.pass(100);

      assertThat(made.cycle()).isEqualTo("evicted [w Deactivated/RequeuingLimitExceeded]");
      assertThat(made.used()).isEmpty();
      made.stop("w");
      assertThat(made.tried("w")).isEmpty();
      assertThat(made.cycles(3)).containsOnly("");
    }

    @Test
    void readyInTimeItRunsOn() {
      FlavorsCluster made = waiting(0).submit("w");
      made.cycle();
      made.lifecycle.setPodsReady(id("w"), true);
      made.pass(1000);

      assertThat(made.tick()).isEmpty();
      assertThat(made.flavor("w")).isEqualTo("reservation");
      assertThat(made.lifecycle.status(id("w")).isTrue(ConditionType.PODS_READY))
          .isTrue();
    }

    @Test
    void timeOnAllFlavorsCounts() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED).fill("reservation");
      made.cluster.submit(
          made.cluster.job("w", "q", 4, w -> w.maximumExecutionTime(Duration.ofSeconds(100))));
      made.cycles(2);
      made.pass(60);
      made.free("reservation");
      made.cycle();
      made.stop("w");
      made.cycle();
      assertThat(made.flavor("w")).isEqualTo("reservation");

      assertThat(made.tick()).contains(40L);
      made.pass(40);
      assertThat(made.cycle()).isEqualTo("evicted [w Deactivated/MaximumExecutionTimeExceeded]");
    }
  }

  @Nested
  class Restarts {
    private final FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED).fill("reservation");
    private final Workload workload = made.cluster.job("w", "q", 4);

    private FlavorsCluster restarted() {
      return FlavorsCluster.of(TRY_PREFERRED).fill("reservation");
    }

    @Test
    void anAdmissionTellsTheFlavor() {
      FlavorsCluster after = restarted();
      after.engine.restore(workload, FlavorsCluster.admission("w", "q", "on-demand"));

      assertThat(after.flavor("w")).isEqualTo("on-demand");
      assertThat(after.used()).isEqualTo("on-demand 4");
      assertThat(after.tried("w")).isEqualTo("reservation on-demand");
      assertThat(after.takeDecisions().isEmpty()).isTrue();
      after.free("reservation");
      assertThat(after.cycle()).contains("evicted [w FlavorMigration]");
    }

    @Test
    void whatWasPreemptedIsStopping() {
      FlavorsCluster after = restarted();
      after.engine.restore(
          workload,
          FlavorsCluster.admission("w", "q", "on-demand"),
          new PreemptedCondition(PreemptionReason.IN_CLUSTER_QUEUE, Cluster.START));

      assertThat(after.engine.preempted(id("w"))).isPresent();
      assertThat(after.used()).isEqualTo("on-demand 4");
      assertThat(after.stop("w")).isTrue();
      assertThat(after.used()).isEmpty();
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
      FlavorsCluster after = restarted();

      assertThat(after.lifecycle.restore(workload, admission, status).isEmpty()).isTrue();
      assertThat(after.used()).isEqualTo("on-demand 4");
      assertThat(after.tried("w")).isEqualTo("reservation on-demand");
    }

    @Test
    void inTheMiddleOfAMoveItGoesOn() {
      made.engine.submit(workload);
      made.cycles(2);
      made.free("reservation");
      made.cycle();
      FlavorsCluster after = FlavorsCluster.of(TRY_PREFERRED);
      after.lifecycle.restore(
          workload, made.engine.admission(id("w")), made.lifecycle.status(id("w")));

      assertThat(after.used()).isEqualTo("on-demand 4");
      assertThat(after.cycle()).isEqualTo("pending [w WaitingForPreemptedWorkloads]");
      assertThat(after.stop("w")).isTrue();
      assertThat(after.cycle()).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void withTheGateOffVariantsInAStatusDoNotCount() {
      made.engine.submit(workload);
      made.cycles(2);
      FlavorsCluster off =
          new FlavorsCluster(Settings.defaults(), FlavorsCluster.queue(TRY_PREFERRED));
      off.lifecycle.restore(
          workload, made.engine.admission(id("w")), made.lifecycle.status(id("w")));

      assertThat(off.used()).isEqualTo("on-demand 4");
      assertThat(off.lifecycle.status(id("w")).variants()).isEmpty();
      assertThat(off.engine.finish(id("w"))).isTrue();
      assertThat(off.used()).isEmpty();
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

      assertThat(FlavorsCluster.flavor(study.admission(id("w")).orElseThrow()))
          .isEqualTo("reservation");
      assertThat(made.flavor("w")).isEqualTo("on-demand");
      assertThat(made.engine.explain(id("w")).isStopping()).isFalse();
    }

    @Test
    void whatWouldHelpIsFound() {
      FlavorsCluster full =
          FlavorsCluster.of(TRY_PREFERRED).fill("reservation", "on-demand", "spot");
      full.submit("w").cycles(3);

      assertThat(full.engine.explain(id("w")).remedies())
          .extracting(Remedy::kind)
          .contains(RemedyKind.RAISE_NOMINAL_QUOTA, RemedyKind.STOP_HOLDERS);
    }
  }
}
