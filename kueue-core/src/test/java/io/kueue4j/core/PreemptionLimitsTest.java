package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.group;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static io.kueue4j.core.model.PreemptionLimits.RateScope.GLOBAL;
import static io.kueue4j.core.model.PreemptionLimits.RateScope.PREEMPTED_CLUSTER_QUEUE;
import static io.kueue4j.core.model.PreemptionLimits.RateScope.PREEMPTED_WORKLOAD;
import static io.kueue4j.core.model.PreemptionLimits.RateScope.PREEMPTING_CLUSTER_QUEUE;
import static io.kueue4j.core.model.PreemptionReason.IN_CLUSTER_QUEUE;
import static io.kueue4j.core.model.PreemptionReason.IN_COHORT_FAIR_SHARING;
import static io.kueue4j.core.model.PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING;
import static io.kueue4j.core.model.PreemptionReason.IN_COHORT_RECLAMATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.PreemptionLimits.ReclaimBackoff;
import io.kueue4j.core.model.PreemptionLimits.VictimCost;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Limits of preemption; rules PL-1, PL-2, PL-3 and PL-4. Queue {@code owner} has 4 cores, which
 * {@code guest} borrows.
 */
class PreemptionLimitsTest {
  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
  private static final Preemption RECLAIM =
      Preemption.builder().withinClusterQueue(NEVER).reclaimWithinCohort(ANY).build();

  private static Cluster cluster(PreemptionLimits limits) {
    return cluster(Settings.builder().preemptionLimits(limits).build());
  }

  private static Cluster cluster(Settings settings) {
    return new Cluster(settings).with(owner("owner", 4), queue("guest", "c", 0));
  }

  /** {@return a cluster whose owner has 2 of 4 cores, and may reclaim more} */
  private static Cluster clusterOfABorrowingOwner(PreemptionLimits limits) {
    return new Cluster(Settings.builder().preemptionLimits(limits).build())
        .with(
            queue("owner", "c", 2)
                .preemption(Preemption.builder()
                    .from(RECLAIM)
                    .borrowWithinCohort(LOWER_PRIORITY)
                    .build()),
            queue("guest", "c", 0),
            queue("rest", "c", 2));
  }

  private static ClusterQueue.Builder owner(String name, int cores) {
    return queue(name, "c", cores).preemption(RECLAIM);
  }

  private static PreemptionLimits minRunTime(PreemptionReason reason) {
    return PreemptionLimits.builder().putMinRunTimes(reason, HALF_AN_HOUR).build();
  }

  private static PreemptionLimits rate(RateScope scope, int limit) {
    return PreemptionLimits.builder()
        .addRates(new Rate(scope, limit, Duration.ofHours(1)))
        .build();
  }

  /** Advances the clock to the next tick, and runs a cycle. */
  private static Decisions cycleAtNextTick(Cluster cluster) {
    cluster.advanceSeconds(cluster.tick().orElseThrow());
    return cluster.cycle();
  }

  /** {@return a new engine at the same time that some workloads are restored in} */
  private static Cluster restarted(Cluster before, PreemptionLimits limits, String... names) {
    Cluster restarted = cluster(limits);
    restarted.advance(Duration.between(restarted.now(), before.now()));
    for (String name : names) {
      restarted.lifecycle.restore(
          before.job(name), before.engine.admission(id(name)), before.lifecycle.status(id(name)));
    }
    return restarted;
  }

  private static String limited(Cluster cluster, String name) {
    return cluster.engine.explain(id(name)).reasons().stream()
        .filter(reason -> reason.code() == ReasonCode.PREEMPTION_LIMITED)
        .map(reason -> reason.message())
        .findFirst()
        .orElse("");
  }

  @Nested
  class MinRunTime {
    private final Cluster cluster = cluster(minRunTime(IN_COHORT_RECLAMATION));

    @Test
    void aYoungBorrowerIsPreemptedWhenOldEnough() {
      cluster.run("old", "guest", 1);
      cluster.advance(Duration.ofMinutes(20));
      cluster.run("young", "guest", 1).run("younger", "guest", 2);
      cluster.submit("main", "owner", 4);

      assertThat(preempted(cluster.cycle())).isEmpty();
      assertThat(limited(cluster, "main"))
          .isEqualTo("would preempt 3 workloads, 3 of them younger than 30 min; tried again at "
              + "2026-01-01T00:30:00Z");
      assertThat(cluster.inadmissible("owner")).containsExactly("main");

      // One of three is old enough, which does not help.
      assertThat(preempted(cycleAtNextTick(cluster))).isEmpty();
      assertThat(limited(cluster, "main"))
          .isEqualTo("would preempt 3 workloads, 2 of them younger than 30 min; tried again at "
              + "2026-01-01T00:50:00Z");

      assertThat(preempted(cycleAtNextTick(cluster))).hasSize(3);
      assertThat(cluster.now()).isEqualTo(Cluster.START.plus(Duration.ofMinutes(50)));
    }

    @Test
    void theReasonNamesTheLongestTime() {
      cluster.with(queue("quick", "c", 0)
          .preemptionLimits(PreemptionLimits.builder()
              .putMinRunTimes(IN_COHORT_RECLAMATION, Duration.ofMinutes(10))
              .build()));
      cluster.run("a", "quick", 1).run("b", "guest", 1).run("c", "quick", 2);
      cluster.submit("main", "owner", 4);

      cluster.cycle();

      assertThat(limited(cluster, "main")).contains(", 3 of them younger than 30 min; ");
    }

    /** A young candidate of the first flavor does not matter: it has no cores for the workload. */
    @Test
    void onlyCandidatesOfTheFlavorThatLacksRoomCount() {
      Cluster two = new Cluster(
              Settings.builder().preemptionLimits(minRunTime(IN_CLUSTER_QUEUE)).build())
          .with(ResourceFlavor.of("f1"), ResourceFlavor.of("f2"))
          .with(openQueue("q")
              .preemption(
                  Preemption.builder().withinClusterQueue(LOWER_PRIORITY).build())
              .addResourceGroups(ResourceGroup.of(
                  FlavorQuotas.of("f1", cores(0), ResourceQuota.of("gpu", "4")),
                  FlavorQuotas.of("f2", cores(8), ResourceQuota.of("gpu", "4")))));
      two.run(two.job("high", "q", 9, Map.of("cpu", 1000L, "gpu", 4L)));
      two.run(two.job("old", "q", 1, Map.of("gpu", 2L)));
      two.advance(HALF_AN_HOUR);
      two.run(two.job("young", "q", 0, Map.of("gpu", 2L)));
      two.submit(two.job("main", "q", 5, Map.of("cpu", 1000L, "gpu", 2L)));

      two.cycle();

      assertThat(limited(two, "main")).isEmpty();
      assertThat(two.tick()).isEmpty();
    }

    @Test
    void itIsTriedAgainWhenTheFirstIsOldEnough() {
      cluster.run("old", "guest", 2);
      cluster.advance(Duration.ofMinutes(20));
      cluster.run("young", "guest", 2, 1).submit("main", "owner", 4);

      assertThat(preempted(cluster.cycle())).isEmpty();
      assertThat(cluster.tick()).contains(600L);
    }

    @Test
    void anOlderWorkloadIsTheVictimInstead() {
      cluster.run("old", "guest", 2, 100);
      cluster.advance(HALF_AN_HOUR);
      cluster.run("young", "guest", 2, 0);
      cluster.submit("main", "owner", 2);

      assertThat(preempted(cluster.cycle())).containsExactly("old for main: InCohortReclamation");
    }

    @Test
    void anotherEventMakesItFitBefore() {
      cluster.run("young", "guest", 4);
      cluster.submit("main", "owner", 4);
      cluster.cycle();

      cluster.finish("young");

      assertThat(admitted(cluster.cycle())).containsExactly("main");
    }

    @Test
    void anEvictedWorkloadIsAVictimAtAnyAge() {
      cluster.run("young", "guest", 4);
      cluster.lifecycle.evict(id("young"), EvictionReason.NODE_FAILURES, "by a test");
      cluster.submit("main", "owner", 4);

      assertThat(cluster.cycle().all().toString()).contains("fits when these have stopped");
    }

    @Test
    void whatMayPreemptNothingHasNoLimit() {
      cluster.run("young", "guest", 4);
      cluster.submit("other", "guest", 1);
      cluster.cycle();

      assertThat(limited(cluster, "other")).isEmpty();
      assertThat(cluster.tick()).isEmpty();
    }

    @Test
    void eachReasonHasItsOwnTime() {
      Cluster within = new Cluster(Settings.builder()
              .preemptionLimits(minRunTime(IN_COHORT_RECLAMATION))
              .build())
          .with(queue("q", 1)
              .preemption(
                  Preemption.builder().withinClusterQueue(LOWER_PRIORITY).build()));
      within.run("low", "q", 1, 0).submit("high", "q", 1, 1);
      assertThat(preempted(within.cycle())).containsExactly("low for high: InClusterQueue");

      for (Settings settings :
          List.of(Settings.builder().build(), Settings.builder().fairSharing().build())) {
        Cluster limited = new Cluster(settings)
            .with(queue("q", 1)
                .preemption(
                    Preemption.builder().withinClusterQueue(LOWER_PRIORITY).build())
                .preemptionLimits(minRunTime(IN_CLUSTER_QUEUE)));
        limited.run("low", "q", 1, 0).submit("high", "q", 1, 1);
        assertThat(preempted(limited.cycle())).isEmpty();
        assertThat(preempted(cycleAtNextTick(limited)))
            .containsExactly("low for high: InClusterQueue");
      }
    }

    @Test
    void aReclaimWhileBorrowingHasItsOwnTime() {
      Cluster borrowing = clusterOfABorrowingOwner(minRunTime(IN_COHORT_RECLAIM_WHILE_BORROWING));
      borrowing.run("guest", "guest", 4).submit("main", "owner", 3, 1);

      assertThat(preempted(borrowing.cycle())).isEmpty();
      assertThat(preempted(cycleAtNextTick(borrowing)))
          .containsExactly("guest for main: InCohortReclaimWhileBorrowing");
    }

    @ParameterizedTest
    @EnumSource(names = {"PREEMPTED_CLUSTER_QUEUE", "PREEMPTED_WORKLOAD"})
    void aRateThatIsNotUsedUpDoesNotShortenIt(RateScope scope) {
      Cluster both = cluster(PreemptionLimits.builder()
          .from(minRunTime(IN_COHORT_RECLAMATION))
          .addRates(new Rate(scope, 9, Duration.ofHours(1)))
          .build());
      both.run("young", "guest", 4).submit("main", "owner", 4);

      assertThat(preempted(both.cycle())).isEmpty();
    }

    @Test
    void fairSharingPreemptsWhenOldEnough() {
      Cluster fair = new Cluster(Settings.builder()
              .fairSharing()
              .preemptionLimits(minRunTime(IN_COHORT_FAIR_SHARING))
              .build())
          .with(owner("a", 0), owner("b", 0), queue("lender", "c", 4));
      fair.run("a1", "a", 2).run("a2", "a", 2);
      fair.submit("b1", "b", 2);

      assertThat(preempted(fair.cycle())).isEmpty();
      assertThat(limited(fair, "b1")).startsWith("would preempt 1 workload, 1 of them younger");
      assertThat(preempted(cycleAtNextTick(fair)))
          .containsExactly("a1 for b1: InCohortFairSharing");
      assertThat(fair.now()).isEqualTo(Cluster.START.plus(HALF_AN_HOUR));
    }

    @Test
    void theLimitsOfTheVictimsQueueCount() {
      cluster.with(queue("guest", "c", 0).preemptionLimits(PreemptionLimits.none()));
      cluster.run("young", "guest", 4);
      cluster.submit("main", "owner", 4);

      assertThat(preempted(cluster.cycle())).containsExactly("young for main: InCohortReclamation");
    }

    @Test
    void aStrictQueueTriesAgainToo() {
      cluster.with(owner("owner", 4).queueingStrategy(ClusterQueue.QueueingStrategy.STRICT_FIFO));
      cluster.run("young", "guest", 4);
      cluster.submit("main", "owner", 4);
      cluster.cycle();

      assertThat(preempted(cycleAtNextTick(cluster)))
          .containsExactly("young for main: InCohortReclamation");
    }

    @Test
    void aForkTriesAgainByItself() {
      cluster.run("young", "guest", 4);
      cluster.submit("main", "owner", 4);
      cluster.cycle();
      AdmissionEngine fork = cluster.engine.view().whatIf();

      assertThat(fork.nextTick()).contains(Cluster.START.plus(HALF_AN_HOUR));
      assertThat(preempted(cycleAtNextTick(cluster))).hasSize(1);
      assertThat(preempted(fork.runCycle())).hasSize(1);
    }

    @Test
    void tryAdmitIsRefusedAndLeavesNoTimer() {
      cluster.run("young", "guest", 4);

      AdmissionResult.Pending refused = cluster.refuse(cluster.job("main", "owner", 4));

      assertThat(refused.reasons().get(0).code()).isEqualTo(ReasonCode.PREEMPTION_LIMITED);
      assertThat(cluster.tick()).isEmpty();
    }
  }

  @Nested
  class Rates {
    @ParameterizedTest
    @EnumSource
    void moreThanTheLimitWaitForTheWindow(RateScope scope) {
      int limit = scope == PREEMPTED_WORKLOAD ? 1 : 2;
      Cluster cluster = cluster(rate(scope, limit));
      for (int i = 0; i < limit; i++) {
        cluster.run("guest", "guest", 4).submit("main", "owner", 4);
        assertThat(preempted(cluster.cycle())).hasSize(1);
        cluster.stop("guest");
        cluster.cycle();
        cluster.finish("main");
        assertThat(admitted(cluster.cycle())).containsExactly("guest");
        cluster.advance(Duration.ofMinutes(10));
        if (i < limit - 1) {
          cluster.finish("guest");
        }
      }
      cluster.submit("last", "owner", 4);

      assertThat(preempted(cluster.cycle())).isEmpty();
      assertThat(limited(cluster, "last")).endsWith("tried again at 2026-01-01T01:00:00Z");
      assertThat(preempted(cycleAtNextTick(cluster))).hasSize(1);
    }

    @Test
    void noneIsPreemptedIfOneTooManyWouldBe() {
      Cluster cluster = cluster(rate(PREEMPTING_CLUSTER_QUEUE, 2));
      cluster.run("a", "guest", 1).run("b", "guest", 1).run("c", "guest", 2);
      cluster.submit("main", "owner", 4);

      assertThat(preempted(cluster.cycle())).isEmpty();
      assertThat(limited(cluster, "main"))
          .isEqualTo("would preempt 3 workloads for ClusterQueue owner; 0 of at most 2 preemptions "
              + "per 1 h are used");
      assertThat(cluster.tick()).isEmpty();
    }

    @Test
    void theVictimsOfOneAttemptCountEach() {
      Cluster cluster = cluster(rate(PREEMPTING_CLUSTER_QUEUE, 2));
      cluster.run("a", "guest", 2).run("b", "guest", 2).submit("first", "owner", 4);
      assertThat(preempted(cluster.cycle())).hasSize(2);
      cluster.stop("a");
      cluster.stop("b");
      cluster.finish("first", "a", "b");
      cluster.run("c", "guest", 4).submit("second", "owner", 4);

      assertThat(preempted(cluster.cycle())).isEmpty();
    }

    @Test
    void whatIsAsOldAsTheWindowCountsNoMore() {
      Cluster cluster = cluster(rate(PREEMPTING_CLUSTER_QUEUE, 2));
      cluster.run("early", "guest", 4).submit("first", "owner", 4);
      assertThat(preempted(cluster.cycle())).hasSize(1);
      cluster.stop("early");
      cluster.finish("early");
      cluster.cycle();
      cluster.finish("first");
      cluster.advance(Duration.ofHours(1));

      cluster.run("a", "guest", 1).run("b", "guest", 1).run("c", "guest", 2);
      cluster.submit("main", "owner", 4);

      assertThat(preempted(cluster.cycle())).isEmpty();
      assertThat(limited(cluster, "main"))
          .endsWith("; 0 of at most 2 preemptions per 1 h are used");
    }

    @Test
    void entriesOfOneCycleCountTogether() {
      Cluster cluster = new Cluster(
              Settings.builder().preemptionLimits(rate(GLOBAL, 1)).build())
          .with(owner("a", 2), owner("b", 2), queue("guest", "c", 0));
      cluster.run("g1", "guest", 2).run("g2", "guest", 2);
      cluster.submit("a1", "a", 2).submit("b1", "b", 2);

      assertThat(preempted(cluster.cycle())).containsExactly("g1 for a1: InCohortReclamation");
      assertThat(limited(cluster, "b1"))
          .startsWith("would preempt 1 workload; 1 of at most 1 preemptions per 1 h are used");
      cluster.stop("g1");
      cluster.settle();
      assertThat(preempted(cycleAtNextTick(cluster)))
          .containsExactly("g2 for b1: InCohortReclamation");
    }

    @Test
    void aWorkloadPreemptedOftenEnoughIsPassedOver() {
      Cluster cluster = cluster(rate(PREEMPTED_WORKLOAD, 1));
      cluster.run("often", "guest", 4).submit("first", "owner", 4);
      cluster.cycle();
      cluster.stop("often");
      cluster.cycle();
      cluster.finish("first");
      cluster.cycle();
      cluster.finish("often");
      cluster.run("x", "guest", 2, 1);
      assertThat(cluster.used("guest")).isEqualTo(2);

      cluster.submit("second", "owner", 4);

      assertThat(preempted(cluster.cycle())).containsExactly("x for second: InCohortReclamation");
    }

    @Test
    void aForkCountsByItself() {
      Cluster cluster = cluster(rate(PREEMPTED_CLUSTER_QUEUE, 1));
      cluster.run("a", "guest", 2).run("b", "guest", 2);
      AdmissionEngine fork = cluster.engine.view().whatIf();
      cluster.submit("main", "owner", 2);
      assertThat(preempted(cluster.cycle())).hasSize(1);
      cluster.submit("more", "owner", 2);
      assertThat(preempted(cluster.cycle())).isEmpty();

      fork.submit(cluster.job("main", "owner", 2));

      assertThat(preempted(fork.runCycle())).hasSize(1);
    }

    /** Both preemptions count at the time at which the workload started again. */
    @Test
    void aRestoredWorkloadHasItsPreemptions() {
      Cluster cluster = cluster(rate(PREEMPTED_WORKLOAD, 2));
      cluster.run("guest", "guest", 4);
      for (int i = 0; i < 2; i++) {
        cluster.advance(Duration.ofMinutes(10));
        cluster.submit("main", "owner", 4);
        assertThat(preempted(cluster.cycle())).hasSize(1);
        cluster.stop("guest");
        cluster.cycle();
        cluster.finish("main");
        cluster.cycle();
      }
      cluster.advance(Duration.ofMinutes(10));

      Cluster restarted = restarted(cluster, rate(PREEMPTED_WORKLOAD, 2), "guest");

      restarted.submit("main", "owner", 4);
      assertThat(preempted(restarted.cycle())).isEmpty();
      assertThat(limited(restarted, "main")).endsWith("tried again at 2026-01-01T01:20:00Z");
      assertThat(preempted(cycleAtNextTick(restarted))).hasSize(1);
    }

    @Test
    void aWorkloadRestoredWhileItWaitsHasItsPreemption() {
      Cluster cluster = cluster(rate(PREEMPTED_WORKLOAD, 1));
      cluster.run("guest", "guest", 4).submit("main", "owner", 4);
      cluster.cycle();
      cluster.stop("guest");
      cluster.advance(Duration.ofMinutes(10));
      Cluster restarted = restarted(cluster, rate(PREEMPTED_WORKLOAD, 1), "guest");
      assertThat(admitted(restarted.cycle())).containsExactly("guest");

      restarted.submit("main", "owner", 4);

      assertThat(preempted(restarted.cycle())).isEmpty();
      assertThat(limited(restarted, "main")).endsWith("tried again at 2026-01-01T01:00:00Z");
    }

    /** The status of another controller may lack the counts of evictions. */
    @Test
    void aRestoredPreemptionWithoutACountIsOne() {
      Cluster cluster = cluster(rate(PREEMPTED_WORKLOAD, 1));
      cluster.run("guest", "guest", 4).submit("main", "owner", 4);
      cluster.cycle();
      cluster.stop("guest");
      Cluster restarted = cluster(rate(PREEMPTED_WORKLOAD, 1));
      restarted.lifecycle.restore(
          cluster.job("guest", "guest", 4),
          Optional.empty(),
          WorkloadStatus.builder()
              .addAllConditions(cluster.lifecycle.status(id("guest")).conditions())
              .build());
      restarted.cycle();

      restarted.submit("main", "owner", 4);

      assertThat(preempted(restarted.cycle())).isEmpty();
    }

    @Test
    void theLastOfTwoWindowsToEndDecides() {
      Cluster cluster = cluster(PreemptionLimits.builder()
          .addRates(
              new Rate(GLOBAL, 1, Duration.ofHours(2)),
              new Rate(PREEMPTING_CLUSTER_QUEUE, 1, Duration.ofHours(1)))
          .build());
      preemptGuest(cluster);

      cluster.run("guest", "guest", 4).submit("main", "owner", 4);
      cluster.cycle();

      assertThat(limited(cluster, "main")).endsWith("tried again at 2026-01-01T02:00:00Z");
    }

    /** Runs a job that is preempted; neither it nor its preemptor remains. */
    private void preemptGuest(Cluster cluster) {
      cluster.run("guest", "guest", 4).submit("main", "owner", 4);
      assertThat(preempted(cluster.cycle())).hasSize(1);
      cluster.stop("guest");
      cluster.finish("main", "guest");
    }

    @Test
    void afterTheClockWentBackPreemptionsCountAsLateAsOthers() {
      Cluster cluster = cluster(rate(PREEMPTING_CLUSTER_QUEUE, 2));
      cluster.advance(Duration.ofMinutes(10));
      preemptGuest(cluster);
      cluster.advance(Duration.ofMinutes(-10));
      preemptGuest(cluster);

      cluster.advance(Duration.ofMinutes(61));
      cluster.run("guest", "guest", 4).submit("main", "owner", 4);
      cluster.cycle();

      assertThat(limited(cluster, "main"))
          .endsWith("; 2 of at most 2 preemptions per 1 h are used; tried again at "
              + "2026-01-01T01:10:00Z");
    }

    @Test
    void tryAdmitCounts() {
      Cluster cluster = cluster(rate(PREEMPTING_CLUSTER_QUEUE, 1));
      cluster.run("a", "guest", 2).run("b", "guest", 2);
      assertThat(cluster
              .engine
              .tryAdmit(cluster.job("main", "owner", 2), TryAdmitOptions.evictingVictims())
              .result())
          .isInstanceOf(AdmissionResult.Preempting.class);

      assertThat(
              cluster.refuse(cluster.job("more", "owner", 4)).reasons().get(0).message())
          .startsWith("would preempt 1 workload for ClusterQueue owner; 1 of at most 1");
    }
  }

  @Test
  void aReclaimThatRepeatsBacksOff() {
    Cluster cluster = cluster(PreemptionLimits.builder()
        .reclaimBackoff(new ReclaimBackoff(
            Duration.ofMinutes(1), Duration.ofMinutes(3), Duration.ofMinutes(10)))
        .build());
    List<Integer> waits = List.of(0, 60, 120, 180, 180);
    for (int wait : waits) {
      cluster.run("guest", "guest", 4).submit("main", "owner", 4);
      if (wait > 0) {
        assertThat(preempted(cluster.cycle())).isEmpty();
        assertThat(limited(cluster, "main"))
            .startsWith(
                "would reclaim default/cpu again for ClusterQueue owner, which waits between");
        assertThat(cluster.tick()).contains((long) wait);
        cluster.advanceSeconds(wait);
      }
      assertThat(preempted(cluster.cycle())).hasSize(1);
      // The victim that is waited for is no further reclaim.
      cluster.cycle();
      assertThat(limited(cluster, "main")).isEmpty();
      cluster.stop("guest");
      cluster.cycle();
      cluster.finish("main", "guest");
      cluster.cycle();
    }
    // The last delay and the time after it that ends the series.
    cluster.advance(Duration.ofMinutes(14));
    cluster.run("guest", "guest", 4).submit("main", "owner", 4);
    assertThat(preempted(cluster.cycle())).hasSize(1);
    cluster.stop("guest");
    cluster.cycle();
    cluster.finish("main", "guest");
    cluster.run("guest", "guest", 4).submit("main", "owner", 4);
    cluster.cycle();
    assertThat(cluster.tick()).isEqualTo(Optional.of(60L));
  }

  @Test
  void theLastOfTwoDelaysOfReclaimsDecides() {
    PreemptionLimits limits = PreemptionLimits.builder()
        .reclaimBackoff(
            new ReclaimBackoff(Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofHours(1)))
        .build();
    ResourceGroup none = group(cores(0), ResourceQuota.of("gpu", "0"));
    ResourceGroup all = group(cores(4), ResourceQuota.of("gpu", "4"));
    for (List<String> order : List.of(List.of("cpu", "gpu"), List.of("gpu", "cpu"))) {
      Cluster cluster = new Cluster(Settings.builder().preemptionLimits(limits).build())
          .with(queue("owner", "c", all).preemption(RECLAIM), queue("guest", "c", none));
      for (String resource : order) {
        cluster.run(cluster.job("guest", "guest", 0, Map.of("cpu", 4000L, "gpu", 4L)));
        cluster.submit(cluster.job("main", "owner", 0, Map.of(resource, 1L)));
        assertThat(preempted(cluster.cycle())).hasSize(1);
        cluster.stop("guest");
        cluster.finish("main", "guest");
        cluster.advance(Duration.ofMinutes(1));
      }

      cluster.run(cluster.job("guest", "guest", 0, Map.of("cpu", 4000L, "gpu", 4L)));
      cluster.submit(cluster.job("main", "owner", 0, Map.of("cpu", 1L, "gpu", 1L)));
      cluster.cycle();

      assertThat(limited(cluster, "main")).endsWith("tried again at 2026-01-01T00:11:00Z");
    }
  }

  @Test
  void preemptionsInTheOwnQueueAndReclaimsDelayNotEachOther() {
    Cluster cluster = cluster(PreemptionLimits.builder()
            .reclaimBackoff(new ReclaimBackoff(
                Duration.ofMinutes(1), Duration.ofMinutes(3), Duration.ofMinutes(10)))
            .build())
        .with(queue("owner", "c", 4)
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .reclaimWithinCohort(ANY)
                .build()));
    cluster.run("low", "owner", 4).submit("high", "owner", 4, 1);
    assertThat(preempted(cluster.cycle())).hasSize(1);
    cluster.finish("low", "high");

    cluster.run("guest", "guest", 4).submit("main", "owner", 4);

    assertThat(preempted(cluster.cycle())).hasSize(1);

    cluster.stop("guest");
    cluster.cycle();
    cluster.submit("higher", "owner", 4, 1);
    assertThat(preempted(cluster.cycle())).containsExactly("main for higher: InClusterQueue");
  }

  /** The newest would be chosen without costs; it has run for 16 minutes, the other for one. */
  @Test
  void costsAreThoseOfTheQueueOfThePreemptor() {
    Cluster cluster = cluster(PreemptionLimits.none())
        .with(owner("owner", 4)
            .preemptionLimits(PreemptionLimits.builder()
                .victimCost(new VictimCost(ImmutableSortedMap.of(), Duration.ZERO, Duration.ZERO))
                .build()));
    cluster.run(
        cluster.job("saved", "guest", 2, job -> job.checkpointInterval(Duration.ofMinutes(10))));
    cluster.advance(Duration.ofMinutes(5));
    cluster.run("unsaved", "guest", 2);
    cluster.advance(Duration.ofMinutes(16));
    cluster.submit("main", "owner", 2);

    assertThat(preempted(cluster.cycle())).containsExactly("saved for main: InCohortReclamation");
  }

  @Test
  void ofEqualCostsTheFirstCandidateIsChosen() {
    Cluster cluster = cluster(PreemptionLimits.builder()
        .victimCost(new VictimCost(ImmutableSortedMap.of(), Duration.ofMinutes(1), Duration.ZERO))
        .build());
    for (String name : List.of("a", "b", "c", "d")) {
      cluster.run(name, "guest", 1);
    }
    cluster.submit("main", "owner", 2);

    assertThat(preempted(cluster.cycle()))
        .containsExactly("a for main: InCohortReclamation", "b for main: InCohortReclamation");
  }

  @Test
  void aReclaimWhileBorrowingBacksOffToo() {
    PreemptionLimits limits = PreemptionLimits.builder()
        .reclaimBackoff(
            new ReclaimBackoff(Duration.ofMinutes(1), Duration.ofMinutes(3), Duration.ofHours(1)))
        .build();
    Cluster cluster = clusterOfABorrowingOwner(limits);
    cluster.run("guest", "guest", 4).submit("main", "owner", 3, 1);
    assertThat(preempted(cluster.cycle()))
        .containsExactly("guest for main: InCohortReclaimWhileBorrowing");
    cluster.stop("guest");
    cluster.cycle();
    cluster.finish("main", "guest");

    cluster.run("guest", "guest", 4).submit("main", "owner", 3, 1);

    assertThat(preempted(cluster.cycle())).isEmpty();
  }

  @Test
  void theVictimThatLosesLeastSinceItsCheckpointIsChosen() {
    Cluster cluster = cluster(PreemptionLimits.builder()
        .victimCost(
            new VictimCost(ImmutableSortedMap.of("cpu", 1.0), Duration.ofMinutes(1), Duration.ZERO))
        .build());
    cluster.run("old", "guest", 2);
    cluster.advanceSeconds(1);
    cluster.run(
        cluster.job("saved", "guest", 1, job -> job.checkpointInterval(Duration.ofMinutes(10))));
    cluster.advance(Duration.ofMinutes(5));
    cluster.run("unsaved", "guest", 1);
    cluster.advance(Duration.ofMinutes(16));
    cluster.submit("main", "owner", 3);

    // Both of one core are tried before the old one, and one of them suffices beside it. Kueue
    // preempts the newest, which loses 16 minutes, while the other loses one.
    assertThat(preempted(cluster.cycle()))
        .containsExactly(
            "saved for main: InCohortReclamation", "old for main: InCohortReclamation");
  }

  /** Of 12 candidates, the large one and a small one are needed. */
  @Test
  void ofManyCandidatesTheMostExpensiveArePutBackFirst() {
    Cluster cluster = cluster(PreemptionLimits.builder()
            .victimCost(new VictimCost(ImmutableSortedMap.of(), Duration.ZERO, Duration.ZERO))
            .build())
        .with(owner("owner", 22));
    cluster.run("large", "guest", 11);
    cluster.advanceSeconds(1);
    cluster.run(
        cluster.job("saved", "guest", 1, job -> job.checkpointInterval(Duration.ofMinutes(10))));
    for (int i = 0; i < 10; i++) {
      cluster.run("small" + i, "guest", 1);
    }
    cluster.advance(Duration.ofMinutes(11));
    cluster.submit("main", "owner", 12);

    assertThat(preempted(cluster.cycle()))
        .containsExactlyInAnyOrder(
            "large for main: InCohortReclamation", "saved for main: InCohortReclamation");
  }

  @Test
  void aVictimIsSparedTheNextTimeAlsoAfterARestart() {
    PreemptionLimits limits = PreemptionLimits.builder()
        .victimCost(new VictimCost(ImmutableSortedMap.of(), Duration.ZERO, HALF_AN_HOUR))
        .build();
    Cluster cluster = cluster(limits);
    cluster.run("old", "guest", 2);
    cluster.advanceSeconds(600);
    cluster.run("young", "guest", 2).submit("main", "owner", 2);
    assertThat(preempted(cluster.cycle())).containsExactly("young for main: InCohortReclamation");
    cluster.stop("young");
    cluster.cycle();
    cluster.finish("main");
    assertThat(admitted(cluster.cycle())).containsExactly("young");

    for (Cluster each : List.of(cluster, restarted(cluster, limits, "old", "young"))) {
      each.submit("again", "owner", 2);
      assertThat(preempted(each.cycle())).containsExactly("old for again: InCohortReclamation");
    }
  }

  @Test
  void limitsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new Rate(GLOBAL, 0, Duration.ofHours(1)))
        .hasMessage("the limit of preemptions of scope Global is 0; expected 1 to 1000");
    assertThatThrownBy(() -> new Rate(GLOBAL, 1, Duration.ZERO))
        .hasMessage("the window of scope Global is PT0S; expected more than 0");
    assertThatThrownBy(
            () -> new ReclaimBackoff(Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ZERO))
        .hasMessage("the max of the reclaim backoff is PT1S; expected at least its base, PT1M");
    assertThatThrownBy(() -> PreemptionLimits.builder()
            .putMinRunTimes(IN_CLUSTER_QUEUE, Duration.ofSeconds(-1))
            .build())
        .hasMessage("the minimum run time for InClusterQueue is PT-1S; expected 0 or more");
    assertThatThrownBy(() -> new Cluster().with(queue("q", 1).preemptionLimits(rate(GLOBAL, 1))))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("one of scope Global; expected that only in the settings");
  }
}
