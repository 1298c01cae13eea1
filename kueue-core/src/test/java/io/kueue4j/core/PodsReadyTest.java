package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.evictions;
import static io.kueue4j.core.DecisionText.summary;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Workloads whose pods are not ready, and those that exceed their execution time; rules L-14, L-15,
 * L-16, L-17, L-18, L-19, L-20, L-21, L-22, L-23, U-5.
 */
class PodsReadyTest {
  private static Cluster with(UnaryOperator<PodsReadyPolicy.Builder> change) {
    PodsReadyPolicy.Builder policy = PodsReadyPolicy.builder().timeout(Duration.ofMinutes(5));
    return new Cluster(
            Settings.builder().podsReady(change.apply(policy).build()).build())
        .with(Queues.queue("q", 10));
  }

  private final Cluster c = with(policy -> policy);

  private void runs(Cluster on, String name, int cpu) {
    on.submit(name, "q", cpu);
    assertThat(summary(on.cycle())).isEqualTo("admitted [" + name + "]");
  }

  @Test
  void withoutPolicyOrWithTheGateNothingHappens() {
    Cluster careless = new Cluster().with(Queues.queue("q", 10));
    Cluster gated = new Cluster(Settings.builder()
            .podsReady(PodsReadyPolicy.defaults())
            .putFeatureGates(FeatureGate.DISABLE_WAIT_FOR_PODS_READY, true)
            .build())
        .with(Queues.queue("q", 10));
    for (Cluster each : new Cluster[] {careless, gated}) {
      runs(each, "w", 4);
      assertThat(each.tick()).isEmpty();
      each.advanceSeconds(100_000);
      assertThat(summary(each.cycle())).isEmpty();
    }
  }

  @Test
  void kueuesPolicyWaitsHalfAnHour() {
    Cluster kueue = new Cluster(
            Settings.builder().podsReady(PodsReadyPolicy.defaults()).build())
        .with(Queues.queue("q", 10));
    runs(kueue, "w", 4);

    assertThat(kueue.tick()).hasValue(1800L);
  }

  /** Rules L-4, U-5: an eviction counts for the order only until quota is reserved again. */
  @Test
  void whatRunsAgainAfterATimeoutIsAsOldAsItsCreation() {
    c.with(Queues.queue("q", 4)
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY)
            .build()));
    runs(c, "w", 4);
    c.advanceSeconds(100);
    Workload newer = c.job("newer", "q", 4, w -> w.creationTime(c.now()));
    c.advanceSeconds(200);
    assertThat(summary(c.cycle())).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
    c.stop("w");
    c.run(c.job("w"));

    assertThat(c.refuse(newer).reasons()).isNotEmpty();
    assertThat(c.workload("w").holdsQuota()).isTrue();
  }

  @Nested
  class Condition {
    private void is(String expected) {
      assertThat(c.workload("w").condition(ConditionType.PODS_READY)).isEqualTo(expected);
    }

    @Test
    void followsThePods() {
      c.submit("w", "q", 4);
      c.lifecycle.setPodsReady(id("w"), true);
      is("False WaitForStart @0");
      c.cycle();
      c.advanceSeconds(1);
      c.lifecycle.setPodsReady(id("w"), false);
      is("False WaitForStart @0");
      c.advanceSeconds(1);
      c.lifecycle.setPodsReady(id("w"), true);
      is("True Started @2");
      c.advanceSeconds(1);
      c.lifecycle.setPodsReady(id("w"), true);
      is("True Started @2");
      c.lifecycle.setPodsReady(id("w"), false);
      is("False WaitForRecovery @3");
      c.advanceSeconds(1);
      c.lifecycle.setPodsReady(id("w"), false);
      is("False WaitForRecovery @3");
      c.lifecycle.setPodsReady(id("w"), true);
      is("True Recovered @4");
      c.advanceSeconds(1);
      c.lifecycle.setPodsReady(id("w"), true);
      is("True Recovered @4");
    }

    @Test
    void beginsAnewWithTheNextAdmission() {
      runs(c, "w", 4);
      c.lifecycle.setPodsReady(id("w"), true);
      c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      is("True Started @0");
      c.advanceSeconds(10);
      c.podsStopped("w");
      is("False WaitForStart @10");
      c.cycle();

      assertThat(c.tick()).hasValue(300L);
    }
  }

  @Test
  void aRequeueEndsTheBackoffOnlyAfterThePodsHaveStopped() {
    runs(c, "w", 4);
    c.advanceSeconds(300);
    c.cycle();
    c.lifecycle.requeue(id("w"), "Asked", "");
    c.stop("w");
    assertThat(summary(c.cycle())).isEmpty();

    c.lifecycle.requeue(id("w"), "Asked", "");
    assertThat(c.workload("w").condition(ConditionType.REQUEUED)).isEqualTo("True Asked @300");
    assertThat(c.workload("w").status().requeueCount()).isEqualTo(1);
    assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
  }

  @Test
  void theEndOfABackoffIsItsTimeEvenIfItIsSeenLater() {
    runs(c, "w", 4);
    c.advanceSeconds(300);
    c.tick();
    c.stop("w");
    c.advanceSeconds(500);

    assertThat(c.workload("w").condition(ConditionType.REQUEUED))
        .isEqualTo("True BackoffFinished @360");
  }

  @Test
  void aDeactivationForgetsTheBackoff() {
    runs(c, "w", 4);
    c.advanceSeconds(300);
    c.tick();
    c.stop("w");
    c.lifecycle.setActive(id("w"), false);

    assertThat(c.workload("w").status().requeueAt()).isEmpty();
    assertThat(c.workload("w").status().requeueCount()).isZero();
  }

  @Test
  void podsThatNeverStartMakeItStopAndWaitLongerEachTime() {
    runs(c, "w", 4);
    assertThat(c.tick()).hasValue(300L);
    c.advanceSeconds(299);
    assertThat(c.tick()).hasValue(1L);
    assertThat(c.takeDecisions().isEmpty()).isTrue();
    c.advanceSeconds(1);
    assertThat(c.tick()).isEmpty();
    assertThat(evictions(c.takeDecisions().evicted()))
        .containsExactly("w PodsReadyTimeout/WaitForStart");
    assertThat(c.used("q")).isEqualTo(4);
    assertThat(c.workload("w").status().requeueCount()).isEqualTo(1);

    c.advanceSeconds(20);
    c.podsStopped("w");
    assertThat(c.used("q")).isZero();
    assertThat(c.workload("w").condition(ConditionType.REQUEUED))
        .isEqualTo("False PodsReadyTimeout @320");
    assertThat(c.workload("w").reasonCodes()).containsExactly(ReasonCode.BACKOFF);
    assertThat(c.tick()).hasValue(40L);
    assertThat(summary(c.cycle())).isEmpty();
    c.advanceSeconds(40);
    assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
    assertThat(c.workload("w").condition(ConditionType.REQUEUED))
        .isEqualTo("True BackoffFinished @360");

    c.advanceSeconds(300);
    assertThat(summary(c.cycle())).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
    assertThat(c.workload("w").status().requeueAt()).hasValue(Cluster.START.plusSeconds(660 + 120));
    assertThat(c.workload("w").status().requeueCount()).isEqualTo(2);
  }

  @Test
  void podsThatAreLostHaveTheRecoveryTimeout() {
    Cluster own = with(policy -> policy.recoveryTimeout(Duration.ofMinutes(1)));
    runs(own, "w", 4);
    own.advanceSeconds(100);
    own.lifecycle.setPodsReady(id("w"), true);
    assertThat(own.tick()).isEmpty();
    own.advanceSeconds(1000);
    own.lifecycle.setPodsReady(id("w"), false);

    assertThat(own.tick()).hasValue(60L);
    own.advanceSeconds(60);
    assertThat(summary(own.cycle())).isEqualTo("evicted [w PodsReadyTimeout/WaitForRecovery]");
  }

  @Test
  void aTimeoutOfZeroIsOverAtOnce() {
    Cluster own = with(policy -> policy.timeout(Duration.ZERO));
    runs(own, "w", 4);

    assertThat(summary(own.cycle())).startsWith("evicted [w ");
  }

  @Test
  void lostPodsHaveNoLimitIfTheRecoveryTimeoutIsZero() {
    Cluster own = with(policy -> policy.recoveryTimeout(Duration.ZERO));
    runs(own, "w", 4);
    own.lifecycle.setPodsReady(id("w"), true);
    own.lifecycle.setPodsReady(id("w"), false);

    assertThat(own.tick()).isEmpty();
    own.advanceSeconds(100_000);
    assertThat(summary(own.cycle())).isEmpty();
  }

  @Test
  void afterTheLastRetryItIsDeactivated() {
    Cluster own = with(policy -> policy.backoffLimitCount(1));
    runs(own, "w", 4);
    own.advanceSeconds(300);
    assertThat(summary(own.cycle())).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
    own.podsStopped("w");
    own.advanceSeconds(60);
    assertThat(summary(own.cycle())).isEqualTo("admitted [w]");
    own.lifecycle.setPodsReady(id("w"), true);
    assertThat(own.workload("w").status().requeueCount())
        .as("a good start does not reset it")
        .isEqualTo(1);
    own.lifecycle.setPodsReady(id("w"), false);
    own.advanceSeconds(300);

    assertThat(summary(own.cycle())).isEqualTo("evicted [w Deactivated/RequeuingLimitExceeded]");
    assertThat(own.workload("w").status().requeueCount()).isZero();
    assertThat(own.workload("w").status().requeueAt()).isEmpty();
    assertThat(own.used("q")).isZero();
    assertThat(own.engine.explain(id("w")).cause()).hasValue(PendingCause.DEACTIVATED);
  }

  @Test
  void withALimitOfZeroTheFirstTimeoutDeactivates() {
    Cluster own = with(policy -> policy.backoffLimitCount(0));
    runs(own, "w", 4);
    own.advanceSeconds(300);

    assertThat(summary(own.cycle())).isEqualTo("evicted [w Deactivated/RequeuingLimitExceeded]");
  }

  @Test
  void itGoesBehindOrKeepsItsPlaceAsConfigured() {
    Cluster keeps = with(policy -> policy.requeuingTimestamp(RequeuingTimestamp.CREATION));
    for (Cluster each : new Cluster[] {c, keeps}) {
      runs(each, "w", 10);
      each.submit("later", "q", 10);
      each.advanceSeconds(300);
      each.tick();
      each.podsStopped("w");
      each.advanceSeconds(60);
      each.tick();
    }

    assertThat(summary(c.cycle()))
        .isEqualTo("admitted [later], evicted [w PodsReadyTimeout/WaitForStart]");
    assertThat(summary(keeps.cycle()))
        .isEqualTo("admitted [w], evicted [w PodsReadyTimeout/WaitForStart]");
  }

  @Test
  void aStudyLetsTimePassByItself() {
    runs(c, "w", 4);
    AdmissionEngine study = c.engine.view().whatIf(InstantSource.fixed(c.now().plusSeconds(300)));

    assertThat(evictions(study.runCycle().evicted()))
        .containsExactly("w PodsReadyTimeout/WaitForStart");
    assertThat(summary(c.cycle())).isEmpty();
    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
    assertThat(c.tick()).hasValue(300L);
  }

  @Nested
  class Blocking {
    private final Cluster b = with(policy -> policy.blockAdmission(true));

    @Test
    void oneStartsAfterTheOther() {
      b.with(Queues.queue("other", 10));
      b.submit("a", "q", 4);
      b.submit("b", "other", 4);

      Decisions first = b.engine.runCycle();
      assertThat(DecisionText.names(first.admitted())).containsExactly("a");
      assertThat(first.pending().get(0).cause()).isEqualTo(PendingCause.WAITING_FOR_PODS_READY);
      assertThat(b.workload("b").reasonCodes()).containsExactly(ReasonCode.PODS_NOT_READY);
      assertThat(b.engine.runCycle().isEmpty()).isTrue();

      b.advanceSeconds(30);
      b.lifecycle.setPodsReady(id("a"), true);
      assertThat(summary(b.cycle())).isEqualTo("admitted [b]");
      assertThat(b.engine.admission(id("b")).orElseThrow().quotaReservedTime()).isEqualTo(b.now());
    }

    @Test
    void theOneThatWaitsComesFirstWhateverHasCome() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.submit(b.job("urgent", "q", 6, w -> w.priority(9)));
      assertThat(summary(b.cycle())).isEmpty();
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(summary(b.cycle())).isEqualTo("admitted [b]");
    }

    @Test
    void oneThatHasChangedOrLeftIsTriedLikeAnyOther() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.engine.delete(id("b"));
      b.submit("c", "q", 4);
      b.engine.finish(id("a"));

      assertThat(summary(b.cycle())).isEqualTo("admitted [c]");
    }

    @Test
    void whatWasDecidedForAnotherVersionIsVoid() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.engine.update(b.job("b", "q", 6));
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(summary(b.cycle())).isEqualTo("admitted [b]");
      assertThat(b.used("q")).isEqualTo(10);
    }

    @Test
    void whatWasDecidedForAQueueThatStoppedIsVoid() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.stopQueue("q", StopPolicy.HOLD);
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(summary(b.cycle())).isEmpty();
    }

    @Test
    void whatWasDecidedBeforeAHoldIsVoid() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.lifecycle.setOnHold(id("b"), true);
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(summary(b.cycle())).isEmpty();
    }

    @Test
    void whatWasDecidedForAnotherQueueIsVoid() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.with(Queues.queue("other", 10));
      b.with(LocalQueue.of(Cluster.NAMESPACE, "q", "other"));
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(b.cycle().admitted())
          .singleElement()
          .returns("other", admission -> admission.clusterQueue());
    }

    @Test
    void onlyTheOneThatWaitsMayBeTriedOutOfTurn() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(b.refuse(b.job("c", "q", 1)).cause())
          .isEqualTo(PendingCause.WAITING_FOR_PODS_READY);
      b.run(b.job("b"));
    }

    @Test
    void whenItHasStartedOthersMayBeTriedOutOfTurn() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.lifecycle.setPodsReady(id("a"), true);
      assertThat(summary(b.cycle())).isEqualTo("admitted [b]");
      b.lifecycle.setPodsReady(id("b"), true);

      b.run("c", "q", 1);
    }

    /** As Kueue, whose scheduler goes on after its wait with what it has found before. */
    @Test
    void theOneThatWaitsIsAdmittedAsDecidedThoughItsQuotaHasGone() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 6);
      b.cycle();
      b.with(Queues.queue("q", 4));
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(summary(b.cycle())).isEqualTo("admitted [b]");
      assertThat(b.used("q")).isEqualTo(10);
    }

    /** As Kueue, whose scheduler has forgotten the wait after a restart. */
    @Test
    void afterARestartTheOneThatWaitedIsTriedAnew() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 6);
      b.cycle();
      Cluster restarted = with(policy -> policy.blockAdmission(true));
      restarted.with(Queues.queue("q", 4));
      for (String name : List.of("a", "b")) {
        WorkloadId id = id(name);
        restarted.lifecycle.restore(
            b.engine.workload(id).orElseThrow(),
            b.engine.admission(id),
            b.engine.lifecycle().status(id));
      }
      restarted.lifecycle.setPodsReady(id("a"), true);

      assertThat(summary(restarted.cycle())).isEqualTo("pending [b ExceedsMaxQuota]");
    }

    @Test
    void anEvictedOneBlocksUntilItHasStopped() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      b.advanceSeconds(300);
      assertThat(summary(b.cycle())).isEqualTo("evicted [a PodsReadyTimeout/WaitForStart]");
      assertThat(summary(b.cycle())).isEmpty();
      b.podsStopped("a");

      assertThat(summary(b.cycle())).isEqualTo("admitted [b]");
    }

    @Test
    void aWorkloadTriedOutOfTurnWaitsToo() {
      b.submit("a", "q", 4);
      b.cycle();

      AdmissionResult result = b.engine.tryAdmit(b.job("b", "q", 4)).result();

      assertThat(((AdmissionResult.Pending) result).cause())
          .isEqualTo(PendingCause.WAITING_FOR_PODS_READY);
      b.lifecycle.setPodsReady(id("a"), true);
      b.run("b", "q", 4);
    }

    @Test
    void preemptionGoesOn() {
      b.with(Queues.queue("q", 10)
          .preemption(Preemption.builder()
              .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
              .build())
          .build());
      b.submit("low", "q", 10);
      b.cycle();
      b.submit(b.job("high", "q", 10, w -> w.priority(9)));

      assertThat(b.engine.runCycle().preempted()).hasSize(1);
    }

    @Test
    void aStudyKnowsWhoWaits() {
      b.submit("a", "q", 4);
      b.cycle();
      b.submit("b", "q", 4);
      b.cycle();
      AdmissionEngine study = b.engine.view().whatIf();
      study.lifecycle().setPodsReady(id("a"), true);

      study.submit(b.job("urgent", "q", 6, w -> w.priority(9)));

      assertThat(DecisionText.names(study.runCycle().admitted())).containsExactly("b");
      assertThat(summary(b.cycle())).isEmpty();
    }
  }

  @Nested
  class ExecutionTime {
    private final Cluster timed = new Cluster().with(Queues.queue("q", 10));

    @CanIgnoreReturnValue
    private Workload runsFor(long seconds) {
      Workload w =
          timed.job("w", "q", 4, job -> job.maximumExecutionTime(Duration.ofSeconds(seconds)));
      timed.submit(w);
      assertThat(summary(timed.cycle())).isEqualTo("admitted [w]");
      return w;
    }

    @Test
    void isWhatItMayBeAdmittedAltogether() {
      runsFor(100);
      timed.advanceSeconds(60);
      timed.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      timed.advanceSeconds(10);
      timed.podsStopped("w");
      assertThat(timed.workload("w").status().accumulatedPastExecutionTime()).hasSeconds(70);
      timed.advanceSeconds(1000);
      timed.cycle();
      timed.advanceSeconds(5);
      timed.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      timed.podsStopped("w");
      timed.cycle();

      assertThat(timed.tick()).hasValue(25L);
      timed.advanceSeconds(25);
      assertThat(summary(timed.cycle()))
          .isEqualTo("evicted [w Deactivated/MaximumExecutionTimeExceeded]");
      assertThat(timed.workload("w").status().accumulatedPastExecutionTime()).hasSeconds(0);
      assertThat(timed.used("q")).isZero();
    }

    @Test
    void isKeptWhenItIsDeactivatedForAnotherCause() {
      Cluster checked = Queues.checkedCluster("check");
      checked.submit(
          checked.job("w", "q", 4, job -> job.maximumExecutionTime(Duration.ofSeconds(100))));
      checked.cycle();
      checked.workload("w").check("check", CheckState.READY);
      checked.advanceSeconds(60);
      checked.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      checked.podsStopped("w");
      checked.cycle();

      checked.workload("w").check("check", CheckState.REJECTED);

      assertThat(checked.workload("w").status().accumulatedPastExecutionTime()).hasSeconds(60);
    }

    @Test
    void isTheCauseIfThePodsAreLateAtTheSameTime() {
      Cluster both = with(policy -> policy);
      both.submit(both.job("w", "q", 4, job -> job.maximumExecutionTime(Duration.ofMinutes(5))));
      both.cycle();
      both.advanceSeconds(300);

      assertThat(summary(both.cycle()))
          .isEqualTo("evicted [w Deactivated/MaximumExecutionTimeExceeded]");
    }

    @Test
    void whatItHeldIsFreeForTheCycleThatEndsIt() {
      runsFor(100);
      timed.submit("next", "q", 10);
      assertThat(summary(timed.cycle())).isEqualTo("pending [next WaitingForQuota]");
      timed.advanceSeconds(100);

      assertThat(summary(timed.cycle()))
          .isEqualTo("admitted [next], evicted [w Deactivated/MaximumExecutionTimeExceeded]");
    }

    @Test
    void goesOnWhileItStops() {
      runsFor(100);
      timed.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      timed.advanceSeconds(100);

      assertThat(summary(timed.cycle()))
          .isEqualTo("evicted [w Deactivated/MaximumExecutionTimeExceeded]");
      assertThat(timed.workload("w").condition(ConditionType.EVICTED))
          .isEqualTo("True NodeFailures @0");
    }

    @Test
    void doesNotBeginBeforeItIsAdmitted() {
      Cluster checked = Queues.checkedCluster("check");
      checked.submit(
          checked.job("w", "q", 4, job -> job.maximumExecutionTime(Duration.ofSeconds(100))));
      checked.cycle();
      checked.advanceSeconds(500);
      assertThat(checked.tick()).isEmpty();
      checked.workload("w").check("check", CheckState.READY);

      assertThat(checked.tick()).hasValue(100L);
    }

    @Test
    void doesNotChangeWhileAdmitted() {
      Workload w = runsFor(100);

      assertThat(timed
              .engine
              .update(Cluster.changed(
                  w, changed -> changed.maximumExecutionTime(Duration.ofSeconds(200))))
              .result())
          .isInstanceOf(AdmissionResult.Rejected.class);
    }

    @Test
    void changesWhileChecksAreAwaited() {
      Cluster checked = Queues.checkedCluster("check");
      Workload w =
          checked.job("w", "q", 4, job -> job.maximumExecutionTime(Duration.ofSeconds(100)));
      checked.submit(w).cycle();

      assertThat(checked
              .engine
              .update(Cluster.changed(
                  w, changed -> changed.maximumExecutionTime(Duration.ofSeconds(200))))
              .result())
          .isInstanceOf(AdmissionResult.Reserved.class);
    }

    @Test
    void isASecondAtLeast() {
      Workload tooShort =
          timed.job("w", "q", 4, job -> job.maximumExecutionTime(Duration.ofMillis(999)));

      assertThat(timed.engine.submit(tooShort).result())
          .isInstanceOf(AdmissionResult.Rejected.class);
    }
  }
}
