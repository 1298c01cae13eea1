package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPhase;
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

  private static LifecycleCluster cluster() {
    LifecycleCluster made = new LifecycleCluster(
        SETTINGS,
        LifecycleCluster.checkedQueue("a", "b")
            .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER)));
    made.cluster.with(AdmissionCheck.of("a", "x"), AdmissionCheck.of("b", "x"));
    return made;
  }

  private final LifecycleCluster c = cluster();

  /** {@return an engine with {@code w} restored as in {@link #c}} */
  @CanIgnoreReturnValue
  private LifecycleCluster restarted() {
    LifecycleCluster other = cluster();
    other.pass(Duration.between(Cluster.START, c.now()).toSeconds());
    Workload w =
        c.engine.inspect(state -> Objects.requireNonNull(state.record(id("w"))).workload());
    Decisions changes = other.lifecycle.restore(w, c.engine.admission(id("w")), c.status("w"));
    assertThat(changes.isEmpty()).isTrue();
    assertThat(other.status("w")).isEqualTo(c.status("w"));
    assertThat(other.cluster.used("q")).isEqualTo(c.cluster.used("q"));
    assertThat(other.tick()).isEqualTo(c.tick());
    assertThat(other.cluster.view("q").stopping()).isEqualTo(c.cluster.view("q").stopping());
    assertThat(other.engine.preempted(id("w"))).isEqualTo(c.engine.preempted(id("w")));
    return other;
  }

  @Test
  void checksStandWhereTheyStood() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    c.pass(10);
    c.check("w", "a", CheckState.READY);

    LifecycleCluster other = restarted();
    other.check("w", "b", CheckState.READY);

    assertThat(other.phase("w")).isEqualTo(WorkloadPhase.ADMITTED);
  }

  @Test
  void deadlinesGoOn() {
    timesOutAfterARestart();
  }

  private void timesOutAfterARestart() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    c.check("w", "a", CheckState.READY);
    c.check("w", "b", CheckState.READY);
    c.pass(200);

    LifecycleCluster other = restarted();
    assertThat(other.tick()).hasValue(100L);
    other.pass(100);
    assertThat(other.cycle()).isEqualTo("evicted [w PodsReadyTimeout/WaitForStart]");
  }

  @Test
  void whatStopsAndWhatWaitsGoOn() {
    timesOutAfterARestart();
    c.pass(100);
    c.tick();
    c.takeDecisions();
    restarted();
    c.pass(10);
    c.stop("w");

    LifecycleCluster other = restarted();
    assertThat(other.tick()).hasValue(50L);
    assertThat(other.cycle()).isEmpty();
    other.pass(50);
    assertThat(other.cycle()).isEqualTo("reserved [w]");
    assertThat(other.status("w").requeueCount()).isEqualTo(1);
  }

  @Test
  void whatStopsForAnotherIsCountedOn() {
    c.cluster.submit("w", "q", 10);
    c.cycle();
    c.cluster.submit(c.cluster.job("high", "q", 10, w -> w.priority(1)));
    c.cycle();
    assertThat(c.engine.preempted(id("w")).orElseThrow().reason())
        .isEqualTo(PreemptionReason.IN_CLUSTER_QUEUE);

    restarted();
  }

  @Test
  void whatWasDeactivatedStillHasToStop() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    c.lifecycle.setActive(id("w"), false);

    LifecycleCluster other = restarted();
    other.lifecycle.setActive(id("w"), true);
    assertThat(other.cycle()).isEmpty();
    assertThat(other.stop("w")).isTrue();
    assertThat(other.cycle()).isEqualTo("reserved [w]");
  }

  @Test
  void whatIsOnHoldStaysThere() {
    c.cluster.submit("w", "q", 4);
    c.lifecycle.setOnHold(id("w"), true);

    assertThat(restarted().cycle()).isEmpty();
  }

  @Test
  void aDrainedQueueDrainsWhatIsRestored() {
    LifecycleCluster plain = LifecycleCluster.plain(Settings.defaults());
    plain.stopQueue(StopPolicy.HOLD_AND_DRAIN);
    plain.engine.restore(plain.cluster.job("w", "q", 4), Cluster.admission("w", "q", 4));

    assertThat(plain.cycle()).isEqualTo("evicted [w ClusterQueueStopped]");
  }

  @Test
  void whatIsRestoredWithoutStatusHasPassedItsChecks() {
    c.engine.restore(c.cluster.job("w", "q", 4), Cluster.admission("w", "q", 4));

    assertThat(c.phase("w")).isEqualTo(WorkloadPhase.ADMITTED);
    assertThat(c.checks("w")).isEqualTo("a Ready, b Ready");
    assertThat(c.cycle()).isEmpty();
  }

  @Test
  void statusAndAdmissionMustAgree() {
    Workload w = c.cluster.job("w", "q", 4);
    Admission admission = Cluster.admission("w", "q", 4);

    assertThatThrownBy(() -> c.lifecycle.restore(w, Optional.of(admission), WorkloadStatus.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("comes with an admission");
    c.engine.restore(c.cluster.job("other", "q", 1), Cluster.admission("other", "q", 1));
    assertThatThrownBy(() -> c.lifecycle.restore(w, Optional.empty(), c.status("other")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("comes with no admission");
    assertThatThrownBy(() -> c.status("w")).hasMessageContaining("not known");
    c.lifecycle.restore(w, Optional.empty(), WorkloadStatus.empty());
    assertThatThrownBy(() -> c.lifecycle.restore(w, Optional.empty(), WorkloadStatus.empty()))
        .hasMessageContaining("is known already");
  }

  @Test
  void evictionsOfOtherKindsAreNotForPreemption() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    c.lifecycle.evict(id("w"), EvictionReason.FLAVOR_MIGRATION, "");

    assertThat(restarted().engine.preempted(id("w"))).isEmpty();
  }
}
