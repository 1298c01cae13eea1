package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.LifecycleCluster.evictions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.RemedyKind;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPhase;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * For each reason of an eviction: the charge until the pods have stopped, the requeue condition,
 * and what ends it; rules L-4, L-9, L-10, L-11, L-12, L-13, U-22, U-23.
 */
class EvictionReasonsTest {
  private final LifecycleCluster c = LifecycleCluster.plain(Settings.defaults());

  private void runsFor(String name, int cpu) {
    c.cluster.submit(name, "q", cpu);
    assertThat(c.cycle()).isEqualTo("admitted [" + name + "]");
  }

  /** Evicts the running {@code w} at 10 and stops it at 20. */
  private void evictedAndStopped(EvictionReason reason) {
    runsFor("w", 4);
    c.pass(10);
    assertThat(evictions(c.lifecycle.evict(id("w"), reason, "why").evicted()))
        .containsExactly("w " + reason);
    assertThat(c.condition("w", ConditionType.EVICTED)).isEqualTo("True " + reason + " @10");
    assertThat(c.phase("w")).isEqualTo(WorkloadPhase.ADMITTED);
    assertThat(c.cluster.used("q")).isEqualTo(4);
    assertThat(c.cluster.view("q").stopping()).containsExactly(id("w"));
    c.pass(10);
    assertThat(c.stop("w")).isTrue();
    assertThat(c.cluster.used("q")).isZero();
    assertThat(c.phase("w")).isEqualTo(WorkloadPhase.PENDING);
    assertThat(c.condition("w", ConditionType.ADMITTED)).isEqualTo("False NoReservation @20");
    assertThat(c.status("w").accumulatedPastExecutionTime()).hasSeconds(20);
  }

  private void isRequeued(String reason, long at) {
    assertThat(c.condition("w", ConditionType.REQUEUED)).isEqualTo("True " + reason + " @" + at);
    assertThat(c.cycle()).isEqualTo("admitted [w]");
    assertThat(c.condition("w", ConditionType.EVICTED)).isEqualTo("False QuotaReserved @" + at);
  }

  private void waits(String reason) {
    assertThat(c.condition("w", ConditionType.REQUEUED)).isEqualTo("False " + reason + " @20");
    c.pass(10_000);
    assertThat(c.tick()).isEmpty();
    assertThat(c.cycle()).isEmpty();
    assertThat(c.phase("w")).isEqualTo(WorkloadPhase.PENDING);
  }

  @Test
  void eachStartsAtItsOwnTimeAndKeepsWhatHappenedToItBefore() {
    evictedAndStopped(EvictionReason.NODE_FAILURES);
    c.cluster.submit("new", "q", 1);

    assertThat(List.of(c.cycle(), c.cycle()))
        .containsExactlyInAnyOrder("admitted [w]", "admitted [new]");

    assertThat(c.status("w").evictions()).hasSize(1);
    assertThat(c.condition("w", ConditionType.ADMITTED)).isEqualTo("True Admitted @20");
    assertThat(c.status("new").evictions()).isEmpty();
    assertThat(c.condition("new", ConditionType.EVICTED)).isEmpty();
    assertThat(c.condition("new", ConditionType.ADMITTED)).isEqualTo("True Admitted @20");

    c.pass(5);
    runsFor("later", 1);

    assertThat(c.condition("later", ConditionType.ADMITTED)).isEqualTo("True Admitted @25");
    assertThat(c.condition("new", ConditionType.ADMITTED)).isEqualTo("True Admitted @20");
  }

  @Test
  void preemptedIsRequeuedAtOnce() {
    c.cluster.with(Cluster.queue("q", 10)
        .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER))
        .build());
    runsFor("w", 10);
    Workload high = c.cluster.job("high", "q", 10, w -> w.priority(1));
    c.cluster.submit(high);
    c.pass(10);
    c.cycle();

    assertThat(c.condition("w", ConditionType.EVICTED)).isEqualTo("True Preempted @10");
    assertThat(c.condition("w", ConditionType.PREEMPTED)).isEqualTo("True InClusterQueue @10");
    assertThat(c.cluster.used("q")).isEqualTo(10);
    c.pass(10);
    c.stop("w");
    assertThat(c.condition("w", ConditionType.REQUEUED)).isEqualTo("True Preempted @20");
    assertThat(c.cycle()).isEqualTo("admitted [high]");
    c.engine.finish(id("high"));
    assertThat(c.cycle()).isEqualTo("admitted [w]");
    assertThat(c.condition("w", ConditionType.PREEMPTED)).isEqualTo("False QuotaReserved @20");
  }

  @Test
  void nodeFailuresIsRequeuedAtOnce() {
    evictedAndStopped(EvictionReason.NODE_FAILURES);
    isRequeued("NodeFailures", 20);
  }

  @Test
  void podsReadyTimeoutWithoutTimeToWaitForIsRequeuedWhenItHasStopped() {
    evictedAndStopped(EvictionReason.PODS_READY_TIMEOUT);
    isRequeued("BackoffFinished", 20);
  }

  @Test
  void admissionCheckWithoutTimeToWaitForIsRequeuedWhenItHasStopped() {
    evictedAndStopped(EvictionReason.ADMISSION_CHECK);
    isRequeued("BackoffFinished", 20);
  }

  @Test
  void flavorMigrationWaitsForWhoeverMovesIt() {
    evictedAndStopped(EvictionReason.FLAVOR_MIGRATION);
    waits("FlavorMigration");

    c.lifecycle.requeue(id("w"), "Migrated", "the better flavor is free");
    isRequeued("Migrated", 10_020);
  }

  @Test
  void anExplanationKnowsThatItWaitsForNothingElse() {
    evictedAndStopped(EvictionReason.FLAVOR_MIGRATION);

    Explanation why = c.engine.explain(id("w"));

    assertThat(why.reasons().get(0).message()).contains("FlavorMigration");
    assertThat(why.remedy().orElseThrow().kind()).isEqualTo(RemedyKind.END_BACKOFF);
    c.engine.apply(why.remedy().orElseThrow());
    assertThat(c.cycle()).isEqualTo("admitted [w]");
  }

  @Test
  void evictedOnManagerClusterWaitsForGood() {
    evictedAndStopped(EvictionReason.EVICTED_ON_MANAGER_CLUSTER);
    waits("EvictedOnManagerCluster");
  }

  @Test
  void othersAreNotEvictedByHand() {
    runsFor("w", 4);

    for (EvictionReason reason : List.of(EvictionReason.PREEMPTED, EvictionReason.DEACTIVATED)) {
      assertThatThrownBy(() -> c.lifecycle.evict(id("w"), reason, ""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("preempt it by tryAdmit or a cycle, deactivate it by setActive");
    }
  }

  @Test
  void whoWasToldIsNotToldAgain() {
    runsFor("w", 4);
    c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "first");
    c.pass(5);

    assertThat(c.lifecycle
            .evict(id("w"), EvictionReason.FLAVOR_MIGRATION, "second")
            .isEmpty())
        .isTrue();
    c.stopQueue(StopPolicy.HOLD_AND_DRAIN);
    assertThat(c.takeDecisions().isEmpty()).isTrue();
    assertThat(c.condition("w", ConditionType.EVICTED)).isEqualTo("True NodeFailures @0");
    assertThat(c.status("w").evictions()).hasSize(1);
  }

  @Test
  void evictionsAreCounted() {
    for (int i = 0; i < 3; i++) {
      AdmissionResult unused = c.engine.tryAdmit(i == 0 ? c.cluster.job("w", "q", 4) : workload());
      c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      c.stop("w");
    }
    AdmissionResult unused2 = c.engine.tryAdmit(workload());
    c.lifecycle.evict(id("w"), EvictionReason.FLAVOR_MIGRATION, "");

    assertThat(c.status("w").evictions())
        .extracting(each -> each.reason() + " " + each.count())
        .containsExactly("NodeFailures 3", "FlavorMigration 1");
  }

  private Workload workload() {
    return c.engine.inspect(
        state -> Objects.requireNonNull(state.record(id("w"))).workload());
  }

  @Nested
  class StoppedQueues {
    @Test
    void aDrainedClusterQueueTakesUpAgainWhenItIsStarted() {
      runsFor("w", 4);
      c.pass(10);
      c.stopQueue(StopPolicy.HOLD_AND_DRAIN);

      assertThat(evictions(c.takeDecisions().evicted())).containsExactly("w ClusterQueueStopped");
      assertThat(c.cluster.used("q")).isEqualTo(4);
      c.pass(10);
      c.stop("w");
      waits("ClusterQueueStopped");
      c.stopQueue(StopPolicy.NONE);
      isRequeued("ClusterQueueRestarted", 10_020);
    }

    @Test
    void aDrainedLocalQueueTakesUpAgainWhenItIsStarted() {
      runsFor("w", 4);
      c.pass(10);
      c.stopLocalQueue(StopPolicy.HOLD_AND_DRAIN);

      assertThat(c.cycle()).isEqualTo("evicted [w LocalQueueStopped]");
      c.pass(10);
      c.stop("w");
      waits("LocalQueueStopped");
      c.stopLocalQueue(StopPolicy.NONE);
      isRequeued("LocalQueueRestarted", 10_020);
    }

    @Test
    void drainingALocalQueueLeavesOthersAlone() {
      c.cluster.with(LocalQueue.of(Cluster.NAMESPACE, "other", "q"));
      runsFor("w", 4);
      c.cluster.submit("neighbour", "other", 4);
      c.cycle();
      c.stopLocalQueue(StopPolicy.HOLD_AND_DRAIN);

      assertThat(evictions(c.takeDecisions().evicted())).containsExactly("w LocalQueueStopped");
    }

    @Test
    void aHeldQueueLetsWhatIsAdmittedRunOn() {
      runsFor("w", 4);
      c.stopQueue(StopPolicy.HOLD);
      c.stopLocalQueue(StopPolicy.HOLD);

      assertThat(c.takeDecisions().isEmpty()).isTrue();
      assertThat(c.phase("w")).isEqualTo(WorkloadPhase.ADMITTED);
    }

    @Test
    void aHeldClusterQueueTakesReservationsBack() {
      LifecycleCluster checked = LifecycleCluster.checking("check");
      checked.cluster.submit("w", "q", 4);
      checked.cycle();
      checked.pass(10);
      checked.stopQueue(StopPolicy.HOLD);

      assertThat(checked.takeDecisions().suspended()).containsExactly(id("w"));
      assertThat(checked.cluster.used("q")).isZero();
      assertThat(checked.condition("w", ConditionType.QUOTA_RESERVED))
          .isEqualTo("False Suspended @10");
      assertThat(checked.condition("w", ConditionType.EVICTED)).isEmpty();
      checked.stopQueue(StopPolicy.NONE);
      assertThat(checked.cycle()).isEqualTo("reserved [w]");
    }

    @Test
    void aHeldOrMissingLocalQueueTakesReservationsBack() {
      LifecycleCluster checked = LifecycleCluster.checking("check");
      checked.cluster.submit("w", "q", 4);
      checked.cycle();
      checked.stopLocalQueue(StopPolicy.HOLD);
      assertThat(checked.condition("w", ConditionType.QUOTA_RESERVED))
          .isEqualTo("False Suspended @0");

      checked.stopLocalQueue(StopPolicy.NONE);
      assertThat(checked.cycle()).isEqualTo("reserved [w], suspended [ns/w]");
      assertThat(
              checked.engine.remove(LocalQueue.class, Cluster.NAMESPACE + "/q").suspended())
          .containsExactly(id("w"));

      assertThat(checked.condition("w", ConditionType.QUOTA_RESERVED))
          .isEqualTo("False Misconfigured @0");
      assertThat(checked.cluster.used("q")).isZero();
    }
  }

  @Nested
  class Deactivation {
    @Test
    void freesQuotaAtOnceAndQueuesOnlyWhatHasStopped() {
      runsFor("w", 10);
      c.cluster.submit("next", "q", 10);
      c.cycle();
      c.pass(10);

      assertThat(evictions(c.lifecycle.setActive(id("w"), false).evicted()))
          .containsExactly("w Deactivated");

      assertThat(c.cluster.used("q")).isZero();
      assertThat(c.cycle()).isEqualTo("admitted [next]");
      c.engine.finish(id("next"));
      c.lifecycle.setActive(id("w"), true);
      assertThat(c.cycle()).isEmpty();
      assertThat(c.cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.STOPPING);
      c.pass(10);
      assertThat(c.stop("w")).isTrue();
      assertThat(c.stop("w")).isFalse();
      isRequeued("Reactivated", 20);
    }

    @Test
    void waitsUntilItIsActiveAgain() {
      runsFor("w", 4);
      c.pass(10);
      c.lifecycle.setActive(id("w"), false);
      c.pass(10);
      c.stop("w");
      waits("Deactivated");
      assertThat(c.engine.explain(id("w")).cause()).hasValue(PendingCause.DEACTIVATED);

      c.lifecycle.setActive(id("w"), true);
      isRequeued("Reactivated", 10_020);
    }

    @Test
    void byAnUpdateIsTheSame() {
      Workload w = c.cluster.submit("w", "q", 4).job("w");
      c.cycle();

      c.engine.update(Cluster.changed(w, changed -> changed.active(false)));

      assertThat(c.cluster.used("q")).isZero();
      assertThat(c.cycle()).isEqualTo("evicted [w Deactivated]");
    }

    @Test
    void ofWhatWaitsTellsNobodyToStop() {
      c.cluster.submit("w", "q", 4);

      assertThat(c.lifecycle.setActive(id("w"), false).isEmpty()).isTrue();
      assertThat(c.stop("w")).isFalse();
      c.lifecycle.setActive(id("w"), true);
      assertThat(c.cycle()).isEqualTo("admitted [w]");
    }

    @Test
    void ofWhatStopsFreesItsQuotaToo() {
      runsFor("w", 4);
      c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      c.lifecycle.setActive(id("w"), false);

      assertThat(c.cluster.used("q")).isZero();
      assertThat(c.condition("w", ConditionType.EVICTED)).isEqualTo("True NodeFailures @0");
      assertThat(c.stop("w")).isTrue();
      assertThat(c.engine.explain(id("w")).cause()).hasValue(PendingCause.DEACTIVATED);
    }
  }

  @Nested
  class Hold {
    @Test
    void keepsItOutOfTheQueue() {
      c.cluster.submit("w", "q", 4);
      c.lifecycle.setOnHold(id("w"), true);

      assertThat(c.cycle()).isEmpty();
      assertThat(c.engine.explain(id("w")).cause()).hasValue(PendingCause.ON_HOLD);
      assertThat(c.condition("w", ConditionType.QUOTA_RESERVED)).isEqualTo("False OnHold @0");
      c.lifecycle.setOnHold(id("w"), false);
      assertThat(c.cycle()).isEqualTo("admitted [w]");
    }

    @Test
    void takesAReservationBackButNoAdmission() {
      LifecycleCluster checked = LifecycleCluster.checking("check");
      checked.cluster.submit("w", "q", 4);
      checked.cycle();

      assertThat(checked.lifecycle.setOnHold(id("w"), true).suspended()).containsExactly(id("w"));
      assertThat(checked.cluster.used("q")).isZero();

      checked.lifecycle.setOnHold(id("w"), false);
      checked.cycle();
      checked.check("w", "check", CheckState.READY);
      assertThat(checked.lifecycle.setOnHold(id("w"), true).isEmpty()).isTrue();
      assertThat(checked.cluster.used("q")).isEqualTo(4);
    }
  }

  @Test
  void finishingFreesQuotaAndWakesOthersWhateverElseHappens() {
    runsFor("w", 10);
    c.cluster.submit("next", "q", 10);
    c.cycle();
    c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");

    assertThat(c.engine.finish(id("w"))).isTrue();

    assertThat(c.cycle()).isEqualTo("admitted [next]");
    assertThat(c.stop("w")).isFalse();
    assertThatThrownBy(() -> c.status("w")).hasMessageContaining("is not known");
  }
}
