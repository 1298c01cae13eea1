package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.summary;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** With {@link Settings#holdsQuotaUntilStopped}, deactivated workloads hold their quota. */
class HeldUntilStoppedTest {
  private static final Settings SETTINGS = Settings.builder()
      .holdsQuotaUntilStopped(true)
      .podsReady(PodsReadyPolicy.builder()
          .timeout(Duration.ofMinutes(5))
          .backoffLimitCount(0)
          .build())
      .build();

  private final Cluster c = cluster();

  private static Cluster cluster() {
    return new Cluster(SETTINGS).with(Queues.queue("q", 10));
  }

  private void runs(Workload workload) {
    c.submit(workload);
    assertThat(summary(c.cycle())).isEqualTo("admitted [" + workload.name() + "]");
    c.submit("next", "q", 6);
    assertThat(summary(c.cycle())).isEqualTo("pending [next WaitingForQuota]");
  }

  private void runs() {
    runs(c.job("w", "q", 6));
  }

  /** The deactivated {@code w} holds its quota, which {@code next} gets when it has stopped. */
  private void assertHeldUntilStopped() {
    assertThat(c.workload("w").condition(ConditionType.EVICTED)).startsWith("True Deactivated");
    assertThat(c.workload("w").condition(ConditionType.QUOTA_RESERVED)).startsWith("True");
    assertThat(c.view("q").stopping()).containsExactly(id("w"));
    assertThat(c.used("q")).isEqualTo(6);
    assertThat(summary(c.cycle())).isEmpty();
    assertThat(c.podsStopped("w")).isTrue();
    assertThat(c.used("q")).isZero();
    assertThat(summary(c.cycle())).isEqualTo("admitted [next]");
  }

  @Test
  void whatIsDeactivatedHoldsItsQuotaUntilItHasStopped() {
    runs();
    assertThat(summary(c.lifecycle.setActive(id("w"), false))).isEqualTo("evicted [w Deactivated]");
    assertHeldUntilStopped();
    assertThat(c.pending("q")).isEmpty();
    assertThat(c.inadmissible("q")).isEmpty();
  }

  @Test
  void soIsWhatHasRunForTooLong() {
    runs(c.job("w", "q", 6, w -> w.maximumExecutionTime(Duration.ofSeconds(60))));
    c.advanceSeconds(60);
    assertThat(summary(c.cycle()))
        .isEqualTo("evicted [w Deactivated/MaximumExecutionTimeExceeded]");
    assertHeldUntilStopped();
  }

  @Test
  void soIsWhatIsNeverReady() {
    runs();
    c.advanceSeconds(300);
    assertThat(summary(c.cycle())).isEqualTo("evicted [w Deactivated/RequeuingLimitExceeded]");
    assertHeldUntilStopped();
  }

  @Test
  void whatStopsForAnotherReasonGoesOnHoldingIt() {
    runs();
    c.lifecycle.evict(id("w"), EvictionReason.FLAVOR_MIGRATION, "");
    c.lifecycle.setActive(id("w"), false);
    assertThat(c.used("q")).isEqualTo(6);
    assertThat(c.podsStopped("w")).isTrue();
    assertThat(summary(c.cycle())).isEqualTo("admitted [next]");
    assertThat(c.pending("q")).isEmpty();
  }

  @Test
  void whatIsActivatedWhileItStopsIsQueuedWhenItHasStopped() {
    runs();
    c.finish("next");
    c.lifecycle.setActive(id("w"), false);
    c.lifecycle.setActive(id("w"), true);
    assertThat(c.used("q")).isEqualTo(6);
    assertThat(summary(c.cycle())).isEmpty();
    assertThat(c.podsStopped("w")).isTrue();
    assertThat(summary(c.cycle())).isEqualTo("admitted [w]");
  }

  @Test
  void whatIsDeactivatedMeanwhileIsRestoredWithItsQuota() {
    runs();
    Cluster other = cluster();
    Decisions decided = other.lifecycle.restore(
        c.job("w", "q", 6, w -> w.active(false)),
        c.engine.admission(id("w")),
        c.workload("w").status());
    assertThat(summary(decided)).isEqualTo("evicted [w Deactivated]");
    assertThat(other.used("q")).isEqualTo(6);
    assertThat(other.podsStopped("w")).isTrue();
    assertThat(other.used("q")).isZero();
  }

  @Test
  void whatHoldsNoQuotaWakesTheQueueAtOnce() {
    Cluster waits = cluster();
    waits.submit("large", "q", 11);
    waits.submit("w", "q", 12);
    waits.cycles(3);
    assertThat(waits.inadmissible("q")).containsExactlyInAnyOrder("large", "w");
    waits.lifecycle.setActive(id("w"), false);
    assertThat(waits.pending("q")).containsExactly("large");
  }

  @Test
  void variantsReleaseTheirQuotaAtOnce() {
    Cluster flavors = ConcurrentFlavors.cluster(
        ConcurrentFlavors.settings().holdsQuotaUntilStopped(true).build(),
        ConcurrentFlavors.queue(ConcurrentFlavors.RETAIN_FIRST));
    flavors.submit("w", "q", 4);
    flavors.cycle();
    assertThat(flavors.used("q")).isEqualTo(4);
    flavors.lifecycle.setActive(id("w"), false);
    assertThat(flavors.used("q")).isZero();
  }
}
