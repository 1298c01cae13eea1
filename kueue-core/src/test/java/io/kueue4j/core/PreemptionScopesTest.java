package io.kueue4j.core;

import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.PreemptionLimits.ReclaimBackoff;
import io.kueue4j.core.model.PreemptionReason;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whose limits of preemption count, and which of several (PL-2, PL-3, PL-4). */
class PreemptionScopesTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static PreemptionLimits rates(Rate... rates) {
    return PreemptionLimits.builder().addRates(rates).build();
  }

  private static Cluster cluster(PreemptionLimits limits) {
    return new Cluster(Settings.builder().preemptionLimits(limits).build())
        .with(owner(), queue("guest", "c", 0));
  }

  private static ClusterQueue.Builder owner() {
    return queue("owner", "c", 4)
        .preemption(Preemption.builder().reclaimWithinCohort(Policy.ANY).build());
  }

  /** Lets the owner preempt the workload of the guest, and ends what it started. */
  private static void reclaim(Cluster cluster, String guest) {
    cluster.submit("main", "owner", 4);
    assertThat(preempted(cluster.cycle())).hasSize(1);
    cluster.stop(guest);
    cluster.cycle();
    cluster.finish("main");
  }

  @ParameterizedTest
  @EnumSource(names = {"PREEMPTED_CLUSTER_QUEUE", "PREEMPTED_WORKLOAD"})
  void theRateOfTheVictimsQueueCounts(RateScope scope) {
    Cluster cluster = new Cluster()
        .with(owner(), queue("guest", "c", 0).preemptionLimits(rates(new Rate(scope, 1, HOUR))));
    cluster.run("job", "guest", 4);
    reclaim(cluster, "job");
    assertThat(admitted(cluster.cycle())).containsExactly("job");

    cluster.submit("again", "owner", 4);

    assertThat(preempted(cluster.cycle())).isEmpty();
    assertThat(cluster.tick()).contains(3600L);
  }

  @Test
  void theGlobalRateCountsInQueuesWithTheirOwnLimits() {
    Cluster cluster = cluster(rates(new Rate(RateScope.GLOBAL, 1, HOUR)))
        .with(owner().preemptionLimits(PreemptionLimits.none()))
        .run("job", "guest", 4);
    reclaim(cluster, "job");
    cluster.cycle();

    cluster.submit("again", "owner", 4);

    assertThat(preempted(cluster.cycle())).isEmpty();
  }

  @Test
  void theLongestOfSeveralRatesIsWaitedFor() {
    Cluster cluster = cluster(rates(
            new Rate(RateScope.PREEMPTING_CLUSTER_QUEUE, 1, HOUR),
            new Rate(RateScope.PREEMPTING_CLUSTER_QUEUE, 1, Duration.ofMinutes(10))))
        .run("job", "guest", 4);
    reclaim(cluster, "job");
    cluster.cycle();
    cluster.submit("again", "owner", 4);
    cluster.cycle();

    assertThat(cluster.tick()).contains(3600L);
  }

  @Test
  void ofSeveralRatesTheGreatestLimitIsRemembered() {
    Cluster cluster = cluster(rates(
            new Rate(RateScope.PREEMPTING_CLUSTER_QUEUE, 2, HOUR),
            new Rate(RateScope.PREEMPTING_CLUSTER_QUEUE, 1, Duration.ofMinutes(1))))
        .run("job", "guest", 4);
    for (int i = 0; i < 2; i++) {
      reclaim(cluster, "job");
      cluster.cycle();
      cluster.advance(Duration.ofMinutes(2));
    }
    cluster.submit("again", "owner", 4);

    assertThat(preempted(cluster.cycle())).isEmpty();
  }

  @Test
  void aWorkloadPreemptedOftenEnoughIsSpared() {
    Cluster cluster =
        cluster(rates(new Rate(RateScope.PREEMPTED_WORKLOAD, 1, HOUR))).run("other", "guest", 2);
    cluster.advanceSeconds(1);
    cluster.run("often", "guest", 2).submit("main", "owner", 2);
    assertThat(preempted(cluster.cycle())).containsExactly("often for main: InCohortReclamation");
    cluster.stop("often");
    cluster.cycle();
    cluster.finish("main");
    assertThat(admitted(cluster.cycle())).containsExactly("often");

    cluster.submit("again", "owner", 2);

    assertThat(preempted(cluster.cycle())).containsExactly("other for again: InCohortReclamation");
  }

  @Test
  void aVictimThatIsOldEnoughBeforeTheRateAllowsIsTried() {
    Cluster cluster = cluster(PreemptionLimits.builder()
            .addRates(new Rate(RateScope.PREEMPTING_CLUSTER_QUEUE, 1, HOUR))
            .putMinRunTimes(PreemptionReason.IN_COHORT_RECLAMATION, Duration.ofMinutes(30))
            .build())
        .run("old", "guest", 2);
    cluster.advanceSeconds(1);
    cluster.run("used", "guest", 2);
    cluster.advance(Duration.ofMinutes(30));
    cluster.submit("main", "owner", 2);
    cluster.cycle();
    cluster.stop("used");
    cluster.cycle();
    cluster.finish("main", "used");
    cluster.run("young", "guest", 2).submit("again", "owner", 2);

    assertThat(preempted(cluster.cycle())).isEmpty();
    assertThat(cluster.tick()).contains(1800L);
  }

  @Test
  void aReclaimAtTheEndOfTheResetTimeContinuesTheSeries() {
    Cluster cluster = cluster(PreemptionLimits.builder()
            .reclaimBackoff(new ReclaimBackoff(
                Duration.ofMinutes(1), Duration.ofMinutes(3), Duration.ofMinutes(10)))
            .build())
        .run("job", "guest", 4);
    reclaim(cluster, "job");
    cluster.cycle();
    cluster.advance(Duration.ofMinutes(11));
    reclaim(cluster, "job");
    cluster.cycle();
    cluster.submit("again", "owner", 4);
    cluster.cycle();

    assertThat(cluster.tick()).contains(120L);
  }

  static Stream<Cluster> limited() {
    PreemptionLimits rate = rates(new Rate(RateScope.PREEMPTING_CLUSTER_QUEUE, 1, HOUR));
    return Stream.of(
        cluster(rate),
        new Cluster().with(owner().preemptionLimits(rate), queue("guest", "c", 0)),
        cluster(PreemptionLimits.builder()
            .reclaimBackoff(new ReclaimBackoff(HOUR, HOUR, HOUR))
            .build()));
  }

  @ParameterizedTest
  @MethodSource("limited")
  void aForkHasThePreemptionsAndLimitsOfItsOrigin(Cluster cluster) {
    cluster.run("job", "guest", 4);
    reclaim(cluster, "job");
    assertThat(admitted(cluster.cycle())).containsExactly("job");

    AdmissionEngine fork = cluster.engine.view().whatIf();
    fork.submit(cluster.job("again", "owner", 4));

    assertThat(preempted(fork.runCycle())).isEmpty();
  }

  @Test
  void aWorkloadThatIsGoneHasNoPreemptions() {
    Cluster cluster = cluster(rates(new Rate(RateScope.PREEMPTED_WORKLOAD, 1, HOUR)));
    cluster.run("job", "guest", 4);
    reclaim(cluster, "job");
    cluster.cycle();
    cluster.finish("job");

    cluster.run("job", "guest", 4).submit("again", "owner", 4);

    assertThat(preempted(cluster.cycle())).hasSize(1);
  }

  @Test
  void aQueueThatIsGoneIsNotTriedAgain() {
    Cluster cluster = cluster(PreemptionLimits.builder()
        .putMinRunTimes(PreemptionReason.IN_COHORT_RECLAMATION, HOUR)
        .build());
    cluster.run("job", "guest", 4).submit("main", "owner", 4);
    cluster.cycle();
    assertThat(cluster.tick()).contains(3600L);

    cluster.engine.remove(ClusterQueue.class, "owner");

    assertThat(cluster.tick()).isEmpty();
  }
}
