package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.evictions;
import static io.kueue4j.core.DecisionText.summary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * For each reason of an eviction: the charge until the pods have stopped, the requeue condition,
 * and what ends it; rules L-4, L-9, L-10, L-11, L-12, L-13, U-22, U-23.
 */
class EvictionReasonsTest {
  private final Cluster c = new Cluster().with(Queues.queue("q", 10));

  private void runsFor(String name, int cpu) {
    c.submit(name, "q", cpu);
    assertThat(summary(c.cycle())).isEqualTo("admitted [" + name + "]");
  }

  /** Evicts the running {@code w} at 10 and stops it at 20. */
  private void evictedAndStopped(EvictionReason reason) {
    runsFor("w", 4);
    c.advanceSeconds(10);
    assertThat(evictions(c.lifecycle.evict(id("w"), reason, "why").evicted()))
        .containsExactly("w " + reason);
    assertThat(c.workload("w").condition(ConditionType.EVICTED))
        .isEqualTo("True " + reason + " @10");
    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
    assertThat(c.used("q")).isEqualTo(4);
    assertThat(c.view("q").stopping()).containsExactly(id("w"));
    c.advanceSeconds(10);
    assertThat(c.podsStopped("w")).isTrue();
    assertThat(c.used("q")).isZero();
    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.PENDING);
    assertThat(c.workload("w").condition(ConditionType.ADMITTED))
        .isEqualTo("False NoReservation @20");
    assertThat(c.workload("w").status().accumulatedPastExecutionTime()).hasSeconds(20);
  }

  private void isRequeued(String reason, long at) {
    assertThat(c.workload("w").condition(ConditionType.REQUEUED))
        .isEqualTo("True " + reason + " @" + at);
    assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
    assertThat(c.workload("w").condition(ConditionType.EVICTED))
        .isEqualTo("False QuotaReserved @" + at);
  }

  private void waits(String reason) {
    assertThat(c.workload("w").condition(ConditionType.REQUEUED))
        .isEqualTo("False " + reason + " @20");
    c.advanceSeconds(10_000);
    assertThat(c.tick()).isEmpty();
    assertThat(summary(c.cycle())).isEmpty();
    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.PENDING);
  }

  @Test
  void eachStartsAtItsOwnTimeAndKeepsWhatHappenedToItBefore() {
    evictedAndStopped(EvictionReason.NODE_FAILURES);
    c.submit("new", "q", 1);

    assertThat(List.of(summary(c.cycle()), summary(c.cycle())))
        .containsExactlyInAnyOrder("admitted [w]", "admitted [new]");

    assertThat(c.workload("w").status().evictions()).hasSize(1);
    assertThat(c.workload("w").condition(ConditionType.ADMITTED)).isEqualTo("True Admitted @20");
    assertThat(c.workload("new").status().evictions()).isEmpty();
    assertThat(c.workload("new").condition(ConditionType.EVICTED)).isEmpty();
    assertThat(c.workload("new").condition(ConditionType.ADMITTED)).isEqualTo("True Admitted @20");

    c.advanceSeconds(5);
    runsFor("later", 1);

    assertThat(c.workload("later").condition(ConditionType.ADMITTED))
        .isEqualTo("True Admitted @25");
    assertThat(c.workload("new").condition(ConditionType.ADMITTED)).isEqualTo("True Admitted @20");
  }

  @Test
  void preemptedIsRequeuedAtOnce() {
    c.with(Queues.queue("q", 10)
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build())
        .build());
    runsFor("w", 10);
    Workload high = c.job("high", "q", 10, w -> w.priority(1));
    c.submit(high);
    c.advanceSeconds(10);
    c.cycle();

    assertThat(c.workload("w").condition(ConditionType.EVICTED)).isEqualTo("True Preempted @10");
    assertThat(c.workload("w").condition(ConditionType.PREEMPTED))
        .isEqualTo("True InClusterQueue @10");
    assertThat(c.used("q")).isEqualTo(10);
    c.advanceSeconds(10);
    c.podsStopped("w");
    assertThat(c.workload("w").condition(ConditionType.REQUEUED)).isEqualTo("True Preempted @20");
    assertThat(summary(c.cycle())).isEqualTo("admitted [high]");
    c.engine.finish(id("high"));
    assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
    assertThat(c.workload("w").condition(ConditionType.PREEMPTED))
        .isEqualTo("False QuotaReserved @20");
  }

  @Test
  void nodeFailuresIsRequeuedAtOnce() {
    evictedAndStopped(EvictionReason.NODE_FAILURES);
    isRequeued("NodeFailures", 20);
  }

  @Test
  void whatHasStoppedIsNotEvictedOnceMoreWhenDeactivated() {
    evictedAndStopped(EvictionReason.NODE_FAILURES);
    c.lifecycle.setActive(id("w"), false);

    assertThat(c.workload("w").condition(ConditionType.EVICTED)).isEqualTo("True NodeFailures @10");
    assertThat(c.workload("w").status().evictions()).hasSize(1);
  }

  @Test
  void podsReadyTimeoutWithoutBackoffIsRequeuedWhenStopped() {
    evictedAndStopped(EvictionReason.PODS_READY_TIMEOUT);
    isRequeued("BackoffFinished", 20);
  }

  @Test
  void admissionCheckWithoutBackoffIsRequeuedWhenStopped() {
    evictedAndStopped(EvictionReason.ADMISSION_CHECK);
    isRequeued("BackoffFinished", 20);
  }

  @Test
  void aMigratedWorkloadWaitsUntilTheCallerRequeuesIt() {
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
    assertThat(why.remedy().orElseThrow().kind()).isEqualTo(Remedy.Kind.END_BACKOFF);
    c.engine.apply(why.remedy().orElseThrow());
    assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
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
    c.advanceSeconds(5);

    assertThat(c.lifecycle
            .evict(id("w"), EvictionReason.FLAVOR_MIGRATION, "second")
            .isEmpty())
        .isTrue();
    c.stopQueue("q", StopPolicy.HOLD_AND_DRAIN);
    assertThat(c.takeDecisions().isEmpty()).isTrue();
    assertThat(c.workload("w").condition(ConditionType.EVICTED)).isEqualTo("True NodeFailures @0");
    assertThat(c.workload("w").status().evictions()).hasSize(1);
  }

  @Test
  void evictionsAreCounted() {
    for (int i = 0; i < 3; i++) {
      AdmissionResult unused =
          c.engine.tryAdmit(i == 0 ? c.job("w", "q", 4) : workload()).result();
      c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      c.podsStopped("w");
    }
    AdmissionResult unused2 = c.engine.tryAdmit(workload()).result();
    c.lifecycle.evict(id("w"), EvictionReason.FLAVOR_MIGRATION, "");

    assertThat(c.workload("w").status().evictions())
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
      c.advanceSeconds(10);
      c.stopQueue("q", StopPolicy.HOLD_AND_DRAIN);

      assertThat(evictions(c.takeDecisions().evicted())).containsExactly("w ClusterQueueStopped");
      assertThat(c.used("q")).isEqualTo(4);
      c.advanceSeconds(10);
      c.podsStopped("w");
      waits("ClusterQueueStopped");
      c.stopQueue("q", StopPolicy.NONE);
      isRequeued("ClusterQueueRestarted", 10_020);
    }

    @Test
    void aDrainedLocalQueueTakesUpAgainWhenItIsStarted() {
      runsFor("w", 4);
      c.advanceSeconds(10);
      c.with(Queues.localQueue("q", StopPolicy.HOLD_AND_DRAIN));

      assertThat(summary(c.cycle())).isEqualTo("evicted [w LocalQueueStopped]");
      c.advanceSeconds(10);
      c.podsStopped("w");
      waits("LocalQueueStopped");
      c.with(Queues.localQueue("q", StopPolicy.NONE));
      isRequeued("LocalQueueRestarted", 10_020);
    }

    @Test
    void equalWorkloadsOfARestartedLocalQueueAreTriedAnew() {
      runsFor("w", 10);
      c.submit("equal", "q", 10);
      c.cycle();
      c.with(Queues.localQueue("q", StopPolicy.HOLD_AND_DRAIN));
      c.cycle();
      c.podsStopped("w");
      c.with(Queues.localQueue("q", StopPolicy.NONE));

      assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
    }

    @Test
    void drainingALocalQueueLeavesOthersAlone() {
      c.with(LocalQueue.of(Cluster.NAMESPACE, "other", "q"));
      runsFor("w", 4);
      c.submit("neighbour", "other", 4);
      c.cycle();
      c.with(Queues.localQueue("q", StopPolicy.HOLD_AND_DRAIN));

      assertThat(evictions(c.takeDecisions().evicted())).containsExactly("w LocalQueueStopped");
    }

    @Test
    void aHeldQueueLetsWhatIsAdmittedRunOn() {
      runsFor("w", 4);
      c.stopQueue("q", StopPolicy.HOLD);
      c.with(Queues.localQueue("q", StopPolicy.HOLD));

      assertThat(c.takeDecisions().isEmpty()).isTrue();
      assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aStoppedClusterQueueTakesReservationsBack(StopPolicy policy) {
      Cluster checked = Queues.checkedCluster("check");
      checked.submit("w", "q", 4);
      checked.cycle();
      checked.advanceSeconds(10);
      checked.stopQueue("q", policy);

      assertThat(checked.takeDecisions().suspended()).containsExactly(id("w"));
      assertThat(checked.used("q")).isZero();
      assertThat(checked.workload("w").condition(ConditionType.QUOTA_RESERVED))
          .isEqualTo("False Suspended @10");
      assertThat(checked.workload("w").condition(ConditionType.EVICTED)).isEmpty();
      checked.stopQueue("q", StopPolicy.NONE);
      assertThat(summary(checked.cycle())).isEqualTo("reserved [w]");
    }

    @Test
    void aHeldQueueTakesBackWhatIsNoLongerAdmitted() {
      Cluster checked = Queues.checkedCluster("check");
      checked.submit("w", "q", 4);
      checked.cycle();
      checked.workload("w").check("check", CheckState.READY);
      checked.with(Queues.localQueue("q", StopPolicy.HOLD));
      assertThat(checked.used("q")).isEqualTo(4);

      assertThat(checked.workload("w").check("check", CheckState.PENDING).suspended())
          .containsExactly(id("w"));

      assertThat(checked.used("q")).isZero();
      assertThat(checked.workload("w").condition(ConditionType.QUOTA_RESERVED))
          .isEqualTo("False Suspended @0");
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aStoppedOrMissingLocalQueueTakesReservationsBack(StopPolicy policy) {
      Cluster checked = Queues.checkedCluster("check");
      checked.submit("w", "q", 4);
      checked.cycle();
      checked.with(Queues.localQueue("q", policy));
      assertThat(checked.workload("w").condition(ConditionType.QUOTA_RESERVED))
          .isEqualTo("False Suspended @0");

      checked.with(Queues.localQueue("q", StopPolicy.NONE));
      assertThat(summary(checked.cycle())).isEqualTo("reserved [w], suspended [ns/w]");
      assertThat(
              checked.engine.remove(LocalQueue.class, Cluster.NAMESPACE + "/q").suspended())
          .containsExactly(id("w"));

      assertThat(checked.workload("w").condition(ConditionType.QUOTA_RESERVED))
          .isEqualTo("False Misconfigured @0");
      assertThat(checked.used("q")).isZero();
    }
  }

  @Nested
  class Deactivation {
    @Test
    void freesQuotaAtOnceAndQueuesOnlyWhatHasStopped() {
      runsFor("w", 10);
      c.submit("next", "q", 10);
      c.cycle();
      c.advanceSeconds(10);

      assertThat(evictions(c.lifecycle.setActive(id("w"), false).evicted()))
          .containsExactly("w Deactivated");

      assertThat(c.used("q")).isZero();
      assertThat(summary(c.cycle())).isEqualTo("admitted [next]");
      c.engine.finish(id("next"));
      c.lifecycle.setActive(id("w"), true);
      assertThat(summary(c.cycle())).isEmpty();
      assertThat(c.workload("w").reasonCodes()).containsExactly(ReasonCode.STOPPING);
      c.advanceSeconds(10);
      assertThat(c.podsStopped("w")).isTrue();
      assertThat(c.podsStopped("w")).isFalse();
      isRequeued("Reactivated", 20);
    }

    @Test
    void endsItsExecutionTimeAlthoughItsPodsRunOn() {
      c.submit(c.job("w", "q", 4, w -> w.maximumExecutionTime(Duration.ofSeconds(100))));
      c.cycle();
      c.lifecycle.setActive(id("w"), false);

      assertThat(c.tick()).isEmpty();
      c.advanceSeconds(100);
      assertThat(summary(c.cycle())).isEmpty();
    }

    @Test
    void waitsUntilItIsActiveAgain() {
      runsFor("w", 4);
      c.advanceSeconds(10);
      c.lifecycle.setActive(id("w"), false);
      c.advanceSeconds(10);
      c.podsStopped("w");
      waits("Deactivated");
      assertThat(c.engine.explain(id("w")).cause()).hasValue(PendingCause.DEACTIVATED);

      c.lifecycle.setActive(id("w"), true);
      isRequeued("Reactivated", 10_020);
    }

    @Test
    void byAnUpdateIsTheSame() {
      Workload w = c.submit("w", "q", 4).job("w");
      c.cycle();

      Decisions decided = c.engine.update(Cluster.changed(w, changed -> changed.active(false)));

      assertThat(c.used("q")).isZero();
      assertThat(summary(decided)).isEqualTo("evicted [w Deactivated]");
    }

    @Test
    void ofWhatWaitsEvictsNone() {
      c.submit("w", "q", 4);

      assertThat(c.lifecycle.setActive(id("w"), false).isEmpty()).isTrue();
      assertThat(c.podsStopped("w")).isFalse();
      c.lifecycle.setActive(id("w"), true);
      assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
    }

    @Test
    void ofWhatStopsFreesItsQuotaToo() {
      runsFor("w", 4);
      c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");
      c.lifecycle.setActive(id("w"), false);

      assertThat(c.used("q")).isZero();
      assertThat(c.workload("w").condition(ConditionType.EVICTED))
          .isEqualTo("True NodeFailures @0");
      assertThat(c.podsStopped("w")).isTrue();
      assertThat(c.engine.explain(id("w")).cause()).hasValue(PendingCause.DEACTIVATED);
    }
  }

  @Nested
  class Hold {
    @Test
    void keepsItOutOfTheQueue() {
      c.submit("w", "q", 4);
      c.lifecycle.setOnHold(id("w"), true);

      assertThat(summary(c.cycle())).isEmpty();
      assertThat(c.engine.explain(id("w")).cause()).hasValue(PendingCause.ON_HOLD);
      assertThat(c.workload("w").condition(ConditionType.QUOTA_RESERVED))
          .isEqualTo("False OnHold @0");
      c.lifecycle.setOnHold(id("w"), false);
      assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
    }

    @Test
    void takesAReservationBackButNoAdmission() {
      Cluster checked = Queues.checkedCluster("check");
      checked.submit("w", "q", 4);
      checked.cycle();

      assertThat(checked.lifecycle.setOnHold(id("w"), true).suspended()).containsExactly(id("w"));
      assertThat(checked.used("q")).isZero();

      checked.lifecycle.setOnHold(id("w"), false);
      checked.cycle();
      checked.workload("w").check("check", CheckState.READY);
      assertThat(checked.lifecycle.setOnHold(id("w"), true).isEmpty()).isTrue();
      assertThat(checked.used("q")).isEqualTo(4);
    }
  }

  @Test
  void finishingFreesQuotaAndWakesOthersWhateverElseHappens() {
    runsFor("w", 10);
    c.submit("next", "q", 10);
    c.cycle();
    c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "");

    assertThat(c.engine.finish(id("w")).removed()).isNotEmpty();

    assertThat(summary(c.cycle())).isEqualTo("admitted [next]");
    assertThat(c.podsStopped("w")).isFalse();
    assertThatThrownBy(() -> c.workload("w").status()).hasMessageContaining("is not known");
  }
}
