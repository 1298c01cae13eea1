package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.LifecycleCluster.evictions;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPhase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Workloads whose pods are not ready, and those that exceed their execution time; rules L-14, L-15,
 * L-16, L-17, L-18, L-19, L-20, L-21, L-22, L-23, U-5.
 */
class PodsReadyTest {
  private static LifecycleCluster with(UnaryOperator<PodsReadyPolicy.Builder> change) {
    PodsReadyPolicy.Builder policy = PodsReadyPolicy.builder().timeout(Duration.ofMinutes(5));
    return LifecycleCluster.plain(
        Settings.builder().podsReady(change.apply(policy).build()).build());
  }

  private final LifecycleCluster c = with(policy -> policy);

  private void runs(LifecycleCluster on, String name, int cpu) {
    on.cluster.submit(name, "q", cpu);
    assertThat(on.cycle()).isEqualTo("admitted [" + name + "]");
  }

  @Test
  void withoutPolicyOrWithTheGateNobodyCares() {
    LifecycleCluster careless = LifecycleCluster.plain(Settings.defaults());
    LifecycleCluster gated = LifecycleCluster.plain(Settings.builder()
        .podsReady(PodsReadyPolicy.defaults())
        .putFeatureGates(FeatureGate.DISABLE_WAIT_FOR_PODS_READY, true)
        .build());
    for (LifecycleCluster each : new LifecycleCluster[] {careless, gated}) {
      runs(each, "w", 4);
      assertThat(each.tick()).isEmpty();
      each.pass(100_000);
      assertThat(each.cycle()).isEmpty();
    }
  }

  @Test
  void kueuesPolicyWaitsHalfAnHour() {
    LifecycleCluster kueue = LifecycleCluster.plain(
        Settings.builder().podsReady(PodsReadyPolicy.defaults()).build());
    runs(kueue, "w", 4);

    assertThat(kueue.tick()).hasValue(1800L);
  }

  @Nested
  class Condition {
    private void is(String expected) {
      assertThat(c.condition("w", ConditionType.PODS_READY)).isEqualTo(expected);
    }

    @Test
    void followsThePods() {
      c.cluster.submit("w", "q", 4);
      c.lifecycle.setPodsReady(id("w"), true);
      is("False WaitForStart @0");
      c.cycle();
      c.pass(1);
      c.lifecycle.setPodsReady(id("w"), false);
      is("False WaitForStart @0");
      c.pass(1);
      c.lifecycle.setPodsReady(id("w"), true);
      is("True Started @2");
      c.pass(1);
      c.lifecycle.setPodsReady(id("w"), true);
      is("True Started @2");
      c.lifecycle.setPodsReady(id("w"), false);
      is("False WaitForRecovery @3");
      c.pass(1);
      c.lifecycle.setPodsReady(id("w"), false);
      is("False WaitForRecovery @3");
      c.lifecycle.setPodsReady(id("w"), true);
      is("True Recovered @4");
      c.pass(1);
      c.lifecycle.setPodsReady(id("w"), true);
      is("True Recovered @4");
    }

    @Test
    void beginsAnewWithTheNextAdmission() {
      runs(c, "w", 4);
      c.lifecycle.setPodsReady(id("w"), true);
      c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      is("True Started @0");
      c.pass(10);
      c.stop("w");
      is("False WaitForStart @10");
      c.cycle();

      assertThat(c.tick()).hasValue(300L);
    }
  }

  @Test
  void podsThatNeverStartMakeItStopAndWaitLongerEachTime() {
    runs(c, "w", 4);
    assertThat(c.tick()).hasValue(300L);
    c.pass(299);
    assertThat(c.tick()).hasValue(1L);
    assertThat(c.takeDecisions().isEmpty()).isTrue();
    c.pass(1);
    assertThat(c.tick()).isEmpty();
    assertThat(evictions(c.takeDecisions().evicted()))
        .containsExactly("w PodsReadyTimeout/WaitForStart");
    assertThat(c.cluster.used("q")).isEqualTo(4);
    assertThat(c.status("w").requeueCount()).isEqualTo(1);

    c.pass(20);
    c.stop("w");
    assertThat(c.cluster.used("q")).isZero();
    assertThat(c.condition("w", ConditionType.REQUEUED)).isEqualTo("False PodsReadyTimeout @320");
    assertThat(c.cluster.reasonCodes("w")).containsExactly(ReasonCode.BACKOFF);
    assertThat(c.tick()).hasValue(40L);
    assertThat(c.cycle()).isEmpty();
    c.pass(40);
    assertThat(c.cycle()).isEqualTo("admitted [w]");
    assertThat(c.condition("w", ConditionType.REQUEUED)).isEqualTo("True BackoffFinished @360");

    c.pass(300);
    assertThat(c.cycle()).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
    assertThat(c.status("w").requeueAt()).hasValue(Cluster.START.plusSeconds(660 + 120));
    assertThat(c.status("w").requeueCount()).isEqualTo(2);
  }

  @Test
  void podsThatAreLostHaveTheRecoveryTimeout() {
    LifecycleCluster own = with(policy -> policy.recoveryTimeout(Duration.ofMinutes(1)));
    runs(own, "w", 4);
    own.pass(100);
    own.lifecycle.setPodsReady(id("w"), true);
    assertThat(own.tick()).isEmpty();
    own.pass(1000);
    own.lifecycle.setPodsReady(id("w"), false);

    assertThat(own.tick()).hasValue(60L);
    own.pass(60);
    assertThat(own.cycle()).isEqualTo("evicted [w PodsReadyTimeout/WaitForRecovery]");
  }

  @Test
  void podsThatAreLostMayTakeTheirTimeIfTheRecoveryTimeoutIsZero() {
    LifecycleCluster own = with(policy -> policy.recoveryTimeout(Duration.ZERO));
    runs(own, "w", 4);
    own.lifecycle.setPodsReady(id("w"), true);
    own.lifecycle.setPodsReady(id("w"), false);

    assertThat(own.tick()).isEmpty();
    own.pass(100_000);
    assertThat(own.cycle()).isEmpty();
  }

  @Test
  void afterTheLastRetryItIsDeactivated() {
    LifecycleCluster own = with(policy -> policy.backoffLimitCount(1));
    runs(own, "w", 4);
    own.pass(300);
    assertThat(own.cycle()).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
    own.stop("w");
    own.pass(60);
    assertThat(own.cycle()).isEqualTo("admitted [w]");
    own.lifecycle.setPodsReady(id("w"), true);
    assertThat(own.status("w").requeueCount())
        .as("a good start does not reset it")
        .isEqualTo(1);
    own.lifecycle.setPodsReady(id("w"), false);
    own.pass(300);

    assertThat(own.cycle()).isEqualTo("evicted [w Deactivated/RequeuingLimitExceeded]");
    assertThat(own.status("w").requeueCount()).isZero();
    assertThat(own.status("w").requeueAt()).isEmpty();
    assertThat(own.cluster.used("q")).isZero();
    assertThat(own.engine.explain(id("w")).cause()).hasValue(PendingCause.DEACTIVATED);
  }

  @Test
  void withALimitOfZeroTheFirstTimeoutDeactivates() {
    LifecycleCluster own = with(policy -> policy.backoffLimitCount(0));
    runs(own, "w", 4);
    own.pass(300);

    assertThat(own.cycle()).isEqualTo("evicted [w Deactivated/RequeuingLimitExceeded]");
  }

  @Test
  void itGoesBehindOrKeepsItsPlaceAsConfigured() {
    LifecycleCluster keeps = with(policy -> policy.requeuingTimestamp(RequeuingTimestamp.CREATION));
    for (LifecycleCluster each : new LifecycleCluster[] {c, keeps}) {
      runs(each, "w", 10);
      each.cluster.submit("later", "q", 10);
      each.pass(300);
      each.tick();
      each.stop("w");
      each.pass(60);
      each.tick();
    }

    assertThat(c.cycle()).isEqualTo("admitted [later], evicted [w PodsReadyTimeout/WaitForStart]");
    assertThat(keeps.cycle()).isEqualTo("admitted [w], evicted [w PodsReadyTimeout/WaitForStart]");
  }

  @Test
  void aStudyLetsTimePassByItself() {
    runs(c, "w", 4);
    AdmissionEngine study = c.engine.view().whatIf(InstantSource.fixed(c.now().plusSeconds(300)));

    assertThat(evictions(study.runCycle().evicted()))
        .containsExactly("w PodsReadyTimeout/WaitForStart");
    assertThat(c.cycle()).isEmpty();
    assertThat(c.phase("w")).isEqualTo(WorkloadPhase.ADMITTED);
    assertThat(c.tick()).hasValue(300L);
  }

  @Nested
  class Blocking {
    private final LifecycleCluster b = with(policy -> policy.blockAdmission(true));

    @Test
    void oneStartsAfterTheOther() {
      b.cluster.withQueues(Cluster.queue("other", 10));
      b.cluster.submit("a", "q", 4);
      b.cluster.submit("b", "other", 4);

      Decisions first = b.engine.runCycle();
      assertThat(LifecycleCluster.names(first.admitted())).containsExactly("a");
      assertThat(first.pending().get(0).cause()).isEqualTo(PendingCause.WAITING_FOR_PODS_READY);
      assertThat(b.cluster.reasonCodes("b")).containsExactly(ReasonCode.PODS_NOT_READY);
      assertThat(b.engine.runCycle().isEmpty()).isTrue();

      b.pass(30);
      b.lifecycle.setPodsReady(id("a"), true);
      assertThat(b.cycle()).isEqualTo("admitted [b]");
      assertThat(b.engine.admission(id("b")).orElseThrow().quotaReservedTime()).isEqualTo(b.now());
    }

    @Test
    void theOneThatWaitsComesFirstWhateverHasCome() {
      b.cluster.submit("a", "q", 4);
      b.cycle();
      b.cluster.submit("b", "q", 4);
      b.cycle();
      b.cluster.submit(b.cluster.job("urgent", "q", 6, w -> w.priority(9)));
      assertThat(b.cycle()).isEmpty();
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(b.cycle()).isEqualTo("admitted [b]");
    }

    @Test
    void oneThatHasChangedOrLeftIsTriedLikeAnyOther() {
      b.cluster.submit("a", "q", 4);
      b.cycle();
      b.cluster.submit("b", "q", 4);
      b.cycle();
      b.engine.delete(id("b"));
      b.cluster.submit("c", "q", 4);
      b.engine.finish(id("a"));

      assertThat(b.cycle()).isEqualTo("admitted [c]");
    }

    @Test
    void whatWasDecidedForAnotherVersionIsVoid() {
      b.cluster.submit("a", "q", 4);
      b.cycle();
      b.cluster.submit("b", "q", 4);
      b.cycle();
      b.engine.update(b.cluster.job("b", "q", 6));
      b.lifecycle.setPodsReady(id("a"), true);

      assertThat(b.cycle()).isEqualTo("admitted [b]");
      assertThat(b.cluster.used("q")).isEqualTo(10);
    }

    @Test
    void anEvictedOneBlocksUntilItHasStopped() {
      b.cluster.submit("a", "q", 4);
      b.cycle();
      b.cluster.submit("b", "q", 4);
      b.cycle();
      b.pass(300);
      assertThat(b.cycle()).isEqualTo("evicted [a PodsReadyTimeout/WaitForStart]");
      assertThat(b.cycle()).isEmpty();
      b.stop("a");

      assertThat(b.cycle()).isEqualTo("admitted [b]");
    }

    @Test
    void whoeverIsTriedOutOfTurnWaitsToo() {
      b.cluster.submit("a", "q", 4);
      b.cycle();

      AdmissionResult result = b.engine.tryAdmit(b.cluster.job("b", "q", 4));

      assertThat(((AdmissionResult.Pending) result).cause())
          .isEqualTo(PendingCause.WAITING_FOR_PODS_READY);
      b.lifecycle.setPodsReady(id("a"), true);
      b.cluster.run("b", "q", 4);
    }

    @Test
    void preemptionGoesOn() {
      b.cluster.with(Cluster.queue("q", 10)
          .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER))
          .build());
      b.cluster.submit("low", "q", 10);
      b.cycle();
      b.cluster.submit(b.cluster.job("high", "q", 10, w -> w.priority(9)));

      assertThat(b.engine.runCycle().preempted()).hasSize(1);
    }

    @Test
    void aStudyKnowsWhoWaits() {
      b.cluster.submit("a", "q", 4);
      b.cycle();
      b.cluster.submit("b", "q", 4);
      b.cycle();
      AdmissionEngine study = b.engine.view().whatIf();
      study.lifecycle().setPodsReady(id("a"), true);

      assertThat(LifecycleCluster.names(study.runCycle().admitted())).containsExactly("b");
      assertThat(b.cycle()).isEmpty();
    }
  }

  @Nested
  class ExecutionTime {
    private final LifecycleCluster timed = LifecycleCluster.plain(Settings.defaults());

    @CanIgnoreReturnValue
    private Workload runsFor(long seconds) {
      Workload w = timed.cluster.job(
          "w", "q", 4, job -> job.maximumExecutionTime(Duration.ofSeconds(seconds)));
      timed.cluster.submit(w);
      assertThat(timed.cycle()).isEqualTo("admitted [w]");
      return w;
    }

    @Test
    void isWhatItMayBeAdmittedAltogether() {
      runsFor(100);
      timed.pass(60);
      timed.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      timed.pass(10);
      timed.stop("w");
      assertThat(timed.status("w").accumulatedPastExecutionTime()).hasSeconds(70);
      timed.pass(1000);
      timed.cycle();

      assertThat(timed.tick()).hasValue(30L);
      timed.pass(30);
      assertThat(timed.cycle()).isEqualTo("evicted [w Deactivated/MaximumExecutionTimeExceeded]");
      assertThat(timed.status("w").accumulatedPastExecutionTime()).hasSeconds(0);
      assertThat(timed.cluster.used("q")).isZero();
    }

    @Test
    void goesOnWhileItStops() {
      runsFor(100);
      timed.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      timed.pass(100);

      assertThat(timed.cycle()).isEqualTo("evicted [w Deactivated/MaximumExecutionTimeExceeded]");
      assertThat(timed.condition("w", ConditionType.EVICTED)).isEqualTo("True NodeFailures @0");
    }

    @Test
    void doesNotBeginBeforeItIsAdmitted() {
      LifecycleCluster checked = LifecycleCluster.checking("check");
      checked.cluster.submit(checked.cluster.job(
          "w", "q", 4, job -> job.maximumExecutionTime(Duration.ofSeconds(100))));
      checked.cycle();
      checked.pass(500);
      assertThat(checked.tick()).isEmpty();
      checked.check("w", "check", CheckState.READY);

      assertThat(checked.tick()).hasValue(100L);
    }

    @Test
    void doesNotChangeWhileAdmitted() {
      Workload w = runsFor(100);

      assertThat(timed.engine.update(
              Cluster.changed(w, changed -> changed.maximumExecutionTime(Duration.ofSeconds(200)))))
          .isInstanceOf(AdmissionResult.Rejected.class);
    }

    @Test
    void isASecondAtLeast() {
      Workload tooShort =
          timed.cluster.job("w", "q", 4, job -> job.maximumExecutionTime(Duration.ofMillis(999)));

      assertThat(timed.engine.submit(tooShort)).isInstanceOf(AdmissionResult.Rejected.class);
    }
  }
}
