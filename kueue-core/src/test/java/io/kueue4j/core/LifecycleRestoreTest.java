package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.summary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An engine that continues where another has ended, from its decisions. */
class LifecycleRestoreTest {
  private static final Settings SETTINGS = Settings.builder()
      .podsReady(PodsReadyPolicy.builder().timeout(Duration.ofMinutes(5)).build())
      .build();

  private static Cluster cluster() {
    Cluster made = new Cluster(SETTINGS)
        .with(Queues.checkedQueue("a", "b")
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build()));
    made.with(AdmissionCheck.of("a", "x"), AdmissionCheck.of("b", "x"));
    return made;
  }

  private final Cluster c = cluster();

  /** {@return an engine with {@code w} restored as in {@link #c}} */
  @CanIgnoreReturnValue
  private Cluster restarted() {
    Cluster other = cluster();
    other.advanceSeconds(Duration.between(Cluster.START, c.now()).toSeconds());
    Workload w =
        c.engine.inspect(state -> Objects.requireNonNull(state.record(id("w"))).workload());
    Decisions changes =
        other.lifecycle.restore(w, c.engine.admission(id("w")), c.workload("w").status());
    assertThat(changes.isEmpty()).isTrue();
    assertThat(other.workload("w").status()).isEqualTo(c.workload("w").status());
    assertThat(other.used("q")).isEqualTo(c.used("q"));
    assertThat(other.tick()).isEqualTo(c.tick());
    assertThat(other.view("q").stopping()).isEqualTo(c.view("q").stopping());
    assertThat(other.engine.lifecycle().preempted(id("w")))
        .isEqualTo(c.engine.lifecycle().preempted(id("w")));
    return other;
  }

  @Test
  void checksStandWhereTheyStood() {
    c.submit("w", "q", 4);
    c.cycle();
    c.advanceSeconds(10);
    c.workload("w").check("a", CheckState.READY);

    Cluster other = restarted();
    other.workload("w").check("b", CheckState.READY);

    assertThat(other.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
  }

  @Test
  void deadlinesGoOn() {
    timesOutAfterARestart();
  }

  private void timesOutAfterARestart() {
    c.submit("w", "q", 4);
    c.cycle();
    c.workload("w").check("a", CheckState.READY);
    c.workload("w").check("b", CheckState.READY);
    c.advanceSeconds(200);

    Cluster other = restarted();
    assertThat(other.tick()).hasValue(100L);
    other.advanceSeconds(100);
    assertThat(summary(other.cycle())).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
  }

  @Test
  void whatStopsAndWhatWaitsGoOn() {
    timesOutAfterARestart();
    c.advanceSeconds(100);
    c.tick();
    c.takeDecisions();
    restarted();
    c.advanceSeconds(10);
    c.podsStopped("w");

    Cluster other = restarted();
    assertThat(other.tick()).hasValue(50L);
    assertThat(summary(other.cycle())).isEmpty();
    other.advanceSeconds(50);
    assertThat(summary(other.cycle())).isEqualTo("reserved [w]");
    assertThat(other.workload("w").status().requeueCount()).isEqualTo(1);
  }

  /** Another client may have said so, for a reason that only that client knows. */
  @Test
  void whatMustNotBeTriedWaitsWhateverTheReason() {
    WorkloadCondition byAnother = new WorkloadCondition(
        ConditionType.REQUEUED, false, "Audit", "An audit is under way", c.now());
    c.lifecycle.restore(
        c.job("w", "q", 4),
        Optional.empty(),
        WorkloadStatus.builder().addConditions(byAnother).requeueAt(c.now()).build());

    assertThat(summary(c.cycle())).isEmpty();
    assertThat(c.engine.explain(id("w")).reasons())
        .extracting(Reason::message)
        .containsExactly("not to be tried again as long as this holds: Audit");

    c.lifecycle.requeue(id("w"), "AuditPassed", "The audit has passed");
    assertThat(summary(c.cycle())).isEqualTo("reserved [w]");
  }

  @Test
  void whatStopsForAnotherIsCountedOn() {
    c.submit("w", "q", 10);
    c.cycle();
    c.submit(c.job("high", "q", 10, w -> w.priority(1)));
    c.cycle();
    assertThat(c.engine.lifecycle().preempted(id("w")).orElseThrow().reason())
        .isEqualTo(PreemptionReason.IN_CLUSTER_QUEUE);

    restarted();
  }

  @Test
  void whatWasDeactivatedStillHasToStop() {
    c.submit("w", "q", 4);
    c.cycle();
    c.lifecycle.setActive(id("w"), false);

    Cluster other = restarted();
    other.lifecycle.setActive(id("w"), true);
    assertThat(summary(other.cycle())).isEmpty();
    assertThat(other.podsStopped("w")).isTrue();
    assertThat(summary(other.cycle())).isEqualTo("reserved [w]");
  }

  /** Another client may deactivate a workload while no engine exists. */
  @Test
  void whatWasDeactivatedMeanwhileMustStop() {
    c.submit("w", "q", 4);
    c.cycle();
    Workload inactive = c.job("w", "q", 4, w -> w.active(false));

    Cluster other = cluster();
    Decisions changes = other.lifecycle.restore(
        inactive, c.engine.admission(id("w")), c.workload("w").status());
    Cluster plain = cluster();
    Decisions plainChanges =
        plain.engine.lifecycle().restore(inactive, c.engine.admission(id("w")).orElseThrow());

    assertThat(summary(changes)).isEqualTo("evicted [w Deactivated]");
    assertThat(other.used("q")).isEqualTo(plain.used("q")).isZero();
    assertThat(plainChanges).isEqualTo(changes);
    assertThat(other.podsStopped("w")).isTrue();
    assertThat(summary(other.cycle())).isEmpty();
  }

  @Test
  void whatStopsAndWasDeactivatedMeanwhileHoldsNothing() {
    c.submit("w", "q", 4);
    c.cycle();
    c.lifecycle.evict(id("w"), EvictionReason.FLAVOR_MIGRATION, "");
    Workload inactive = c.job("w", "q", 4, w -> w.active(false));

    Cluster other = cluster();
    Decisions changes = other.lifecycle.restore(
        inactive, c.engine.admission(id("w")), c.workload("w").status());

    assertThat(changes.isEmpty()).isTrue();
    assertThat(other.used("q")).isZero();
    assertThat(other.podsStopped("w")).isTrue();
    assertThat(summary(other.cycle())).isEmpty();
  }

  @Test
  void whatIsOnHoldStaysThere() {
    c.submit("w", "q", 4);
    c.lifecycle.setOnHold(id("w"), true);

    assertThat(summary(restarted().cycle())).isEmpty();
  }

  @Test
  void aDrainedQueueDrainsWhatIsRestored() {
    Cluster plain = new Cluster().with(Queues.queue("q", 10));
    plain.stopQueue("q", StopPolicy.HOLD_AND_DRAIN);
    Decisions decided =
        plain.engine.lifecycle().restore(plain.job("w", "q", 4), Admissions.admission("w", "q", 4));

    assertThat(summary(decided)).isEqualTo("evicted [w ClusterQueueStopped]");
  }

  @Test
  void whatIsRestoredWithoutStatusHasPassedItsChecks() {
    c.engine.lifecycle().restore(c.job("w", "q", 4), Admissions.admission("w", "q", 4));

    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
    assertThat(c.workload("w").checks()).isEqualTo("a Ready, b Ready");
    assertThat(summary(c.cycle())).isEmpty();
  }

  @Test
  void statusAndAdmissionMustAgree() {
    Workload w = c.job("w", "q", 4);
    Admission admission = Admissions.admission("w", "q", 4);

    assertThatThrownBy(() -> c.lifecycle.restore(w, Optional.of(admission), WorkloadStatus.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("comes with an admission");
    c.engine.lifecycle().restore(c.job("other", "q", 1), Admissions.admission("other", "q", 1));
    assertThatThrownBy(
            () -> c.lifecycle.restore(w, Optional.empty(), c.workload("other").status()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("comes with no admission");
    assertThatThrownBy(() -> c.workload("w").status()).hasMessageContaining("not known");
    c.lifecycle.restore(w, Optional.empty(), WorkloadStatus.empty());
    assertThatThrownBy(() -> c.lifecycle.restore(w, Optional.empty(), WorkloadStatus.empty()))
        .hasMessageContaining("is known already");
  }

  @Test
  void evictionsOfOtherKindsAreNotForPreemption() {
    c.submit("w", "q", 4);
    c.cycle();
    c.lifecycle.evict(id("w"), EvictionReason.FLAVOR_MIGRATION, "");

    assertThat(restarted().engine.lifecycle().preempted(id("w"))).isEmpty();
  }
}
