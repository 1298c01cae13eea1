package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.UsageBasedQueues.PENALTY_OF_ONE;
import static io.kueue4j.core.UsageBasedQueues.SHARING;
import static io.kueue4j.core.UsageBasedQueues.cluster;
import static io.kueue4j.core.UsageBasedQueues.consumed;
import static io.kueue4j.core.UsageBasedQueues.localQueue;
import static io.kueue4j.core.UsageBasedQueues.restore;
import static io.kueue4j.core.UsageBasedQueues.usageBased;
import static io.kueue4j.core.UsageBasedQueues.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What counts as past usage of a LocalQueue: running workloads, penalties, their decay, moved
 * queues.
 */
class UsageHistoryTest {
  private static final List<AdmissionCheckRule> CHECK =
      List.of(new AdmissionCheckRule("check", ImmutableList.of()));

  private final Cluster cluster = cluster(SHARING);

  @CanIgnoreReturnValue
  private Cluster open(int cpu) {
    return UsageBasedQueues.open(cluster, usageBased("cq", cpu));
  }

  private double usage(String localQueue) {
    return UsageBasedQueues.usage(cluster, localQueue);
  }

  /** Vector V-12. */
  @Test
  void anAdmissionCostsASamplingIntervalAtOnce() {
    open(8);
    cluster.run("a1", "a", 4);
    assertThat(view(cluster, "a").consumed()).contains(consumed("1.171572875", Cluster.START));
    assertThat(view(cluster, "a").pendingPenalty()).isEmpty();
    assertThat(usage("a")).isEqualTo(1.171572875);
    assertThat(usage("b")).isZero();
  }

  @Test
  void theFullSizeIsPenalizedWhenFewerPodsAreAdmitted() {
    open(4);
    PodSet pods =
        PodSet.builder().count(8).minCount(2).requestAmount("cpu", 1000).build();
    cluster.run(cluster.jobOf("a1", "a", workload -> workload.addPodSets(pods)));
    assertThat(usage("a")).isEqualTo(2.343145750);
    cluster.advance(Duration.ofMinutes(5));
    // 2.343145750 and the 4 cores in use, five minutes later.
    assertThat(usage("a")).isEqualTo(1.656854249 + 1.171572875);
  }

  @Test
  void whatRunsIsUsedAsTimeGoesBy() {
    open(8);
    cluster.run("a1", "a", 4);
    cluster.advance(Duration.ofHours(10));
    assertThat(usage("a")).isBetween(3.99999999, 4.0);
    cluster.engine.finish(Cluster.id("a1"));
    cluster.advance(Duration.ofMinutes(10));
    assertThat(usage("a")).isBetween(1.99999999, 2.0);
    cluster.advance(Duration.ofHours(10));
    assertThat(usage("a")).isZero();
  }

  @Test
  void whatFinishesBetweenSamplingsCountsUntilTheLastOne() {
    open(8);
    cluster.run("a1", "a", 4);
    cluster.advance(Duration.ofMinutes(12));
    cluster.engine.finish(Cluster.id("a1"));
    cluster.advance(Duration.ofMinutes(3));

    Cluster looking = UsageBasedQueues.open(cluster(SHARING), usageBased("cq", 8));
    looking.run("a1", "a", 4);
    for (int minute = 0; minute < 12; minute++) {
      looking.advance(Duration.ofMinutes(1));
      looking.engine.tick();
    }
    looking.engine.finish(Cluster.id("a1"));
    looking.advance(Duration.ofMinutes(3));
    assertThat(usage("a")).isEqualTo(UsageBasedQueues.usage(looking, "a"));
    assertThat(view(cluster, "a").consumed().orElseThrow().lastUpdate())
        .isEqualTo(Cluster.START.plus(Duration.ofMinutes(15)));
  }

  /** {@return the usage of b after 15 minutes, with or without queries every minute} */
  private double usageOfVictim(boolean looks) {
    Cluster some = UsageBasedQueues.open(
        cluster(SHARING),
        usageBased("cq", 4)
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build()));
    some.run("b1", "b", 4);
    Workload high = some.job("a1", "a", 4, workload -> workload.priority(1));
    AdmissionResult unused =
        some.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result();
    pass(some, 12, looks);
    some.engine.podsStopped(Cluster.id("b1"));
    some.engine.delete(Cluster.id("b1"));
    pass(some, 3, looks);
    return UsageBasedQueues.usage(some, "b");
  }

  private static void pass(Cluster some, int minutes, boolean looks) {
    for (int minute = 0; minute < minutes; minute++) {
      some.advance(Duration.ofMinutes(1));
      if (looks) {
        some.engine.tick();
      }
    }
  }

  @Test
  void aViewShowsTheOrderOfItsTime() {
    open(4);
    restore(cluster, "b", "2");
    cluster.run("a1", "a", 4);
    cluster.submit("a2", "a", 1);
    cluster.submit("b1", "b", 1);
    EngineView view = cluster.engine.view();
    AdmissionEngine study = view.whatIf();
    cluster.advance(Duration.ofHours(1));
    cluster.engine.tick();

    assertThat(cluster.pending("cq")).containsExactly("b1", "a2");
    assertThat(view.clusterQueue("cq").orElseThrow().pending())
        .containsExactly(Cluster.id("a2"), Cluster.id("b1"));
    assertThat(view.localQueue(Cluster.NAMESPACE, "a").orElseThrow().fairSharingUsage())
        .hasValueCloseTo(4 * 0.292893218, within(1e-6));
    study.tick();
    assertThat(study.view().clusterQueue("cq").orElseThrow().pending())
        .as("the same time passes in the study")
        .containsExactly(Cluster.id("b1"), Cluster.id("a2"));
  }

  @Test
  void whatStopsBetweenSamplingsCountsUntilTheLastOne() {
    assertThat(usageOfVictim(false)).isEqualTo(usageOfVictim(true));
  }

  @Test
  void whatIsAdmittedAtOnceBetweenSamplingsDoesNotCountBefore() {
    open(8);
    Cluster looking = UsageBasedQueues.open(cluster(SHARING), usageBased("cq", 8));
    for (Cluster each : List.of(cluster, looking)) {
      each.run("a1", "a", 4);
      pass(each, 12, each.equals(looking));
      each.run("a2", "a", 4);
      pass(each, 15, each.equals(looking));
    }
    assertThat(usage("a")).isEqualTo(UsageBasedQueues.usage(looking, "a"));
  }

  /** {@return the usage of a after 27 minutes, with or without queries in the first twelve} */
  private static double usageAround(Consumer<Cluster> change, boolean looks) {
    Cluster some = cluster(SHARING);
    some.with(AdmissionCheck.of("check", "controller"));
    UsageBasedQueues.open(some, usageBased("cq", 8).addAllAdmissionChecks(CHECK));
    PodSet pods = PodSet.builder().count(4).requestAmount("cpu", 1000).build();
    some.submit(some.jobOf("a1", "a", job -> job.addPodSets(pods))).cycle();
    some.submit(some.jobOf(
            "a2", "a", job -> job.addPodSets(pods).maximumExecutionTime(Duration.ofSeconds(750))))
        .cycle();
    some.lifecycle.setCheck(Cluster.id("a2"), AdmissionCheckState.of("check", CheckState.READY));
    pass(some, 12, looks);
    change.accept(some);
    pass(some, 15, false);
    return UsageBasedQueues.usage(some, "a");
  }

  @Test
  void whatChangesBetweenSamplingsDoesNotCountBefore() {
    List<Consumer<Cluster>> changes = List.of(
        some -> some.lifecycle.setCheck(
            Cluster.id("a1"), AdmissionCheckState.of("check", CheckState.READY)),
        some -> some.lifecycle.setCheck(
            Cluster.id("a2"), AdmissionCheckState.of("check", CheckState.REJECTED)),
        some -> some.reclaim("a2", "main", 3),
        some -> {
          some.advanceSeconds(30);
          some.engine.tick();
        });
    for (Consumer<Cluster> change : changes) {
      assertThat(usageAround(change, false)).isEqualTo(usageAround(change, true));
    }
  }

  @Test
  void deletingAnAdmittedWorkloadLeavesItsHistory() {
    open(8);
    cluster.run("a1", "a", 4);
    cluster.engine.delete(Cluster.id("a1"));
    assertThat(usage("a")).isEqualTo(1.171572875);
  }

  @Test
  void anEvictedWorkloadKeepsItsHistoryAndPaysAgain() {
    UsageBasedQueues.open(
        cluster,
        usageBased("cq", 4)
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build()));
    cluster.run("a1", "a", 4);
    cluster.submit(cluster.job("b1", "b", 4, workload -> workload.priority(5)));
    assertThat(cluster.engine.runCycle().preempted()).hasSize(1);
    assertThat(usage("a")).isEqualTo(1.171572875);
    cluster.engine.podsStopped(Cluster.id("a1"));
    assertThat(usage("a")).isEqualTo(1.171572875);
    assertThat(cluster.settle()).containsExactly("b1");
    cluster.engine.finish(Cluster.id("b1"));
    assertThat(cluster.settle()).containsExactly("a1");
    assertThat(usage("a")).isEqualTo(2.343145750);
  }

  @Test
  void reclaimedPodsAreNotInUse() {
    open(8);
    cluster.run(cluster.jobOf(
        "a1",
        "a",
        workload -> workload.addPodSets(
            PodSet.builder().count(4).requestAmount("cpu", 1000).build())));
    cluster.reclaim("a1", "main", 3);
    cluster.advance(Duration.ofHours(20));
    assertThat(usage("a")).isBetween(0.99999999, 1.0);
  }

  @Test
  void undeclaredResourcesArePenalizedUnlessIgnored() {
    for (boolean ignored : new boolean[] {true, false}) {
      Settings.Builder settings = Settings.builder().admissionFairSharing(SHARING);
      if (ignored) {
        settings.quotaCheckStrategy(Settings.QuotaCheckStrategy.IGNORE_UNDECLARED);
      }
      Cluster some = UsageBasedQueues.open(new Cluster(settings.build()), usageBased("cq", 8));
      PodSet pods = PodSet.builder()
          .requestAmount("cpu", 1000)
          .requestAmount("gpu", ignored ? 1 : 0)
          .build();
      some.run(some.jobOf("a1", "a", workload -> workload.addPodSets(pods)));
      assertThat(UsageBasedQueues.usage(some, "a")).isEqualTo(Double.parseDouble(PENALTY_OF_ONE));
    }
  }

  @Test
  void withoutHalfLifeNothingIsRemembered() {
    Cluster forgetful =
        UsageBasedQueues.open(cluster(AdmissionFairSharing.of(Duration.ZERO)), usageBased("cq", 8));
    restore(forgetful, "a", "5");
    forgetful.run("a1", "a", 4);
    assertThat(UsageBasedQueues.usage(forgetful, "a")).isEqualTo(5);
    forgetful.advance(Duration.ofMinutes(5));
    assertThat(UsageBasedQueues.usage(forgetful, "a")).isZero();
    forgetful.submit("a2", "a", 1);
    forgetful.submit("b1", "b", 1);
    assertThat(forgetful.settle()).containsExactly("a2", "b1");
  }

  @Test
  void resourceWeightsDecideWhatCounts() {
    Cluster some =
        UsageBasedQueues.open(cluster(SHARING.withResourceWeight("cpu", 0)), usageBased("cq", 8));
    some.run("a1", "a", 4);
    assertThat(UsageBasedQueues.usage(some, "a")).isZero();
    assertThat(view(some, "a").consumed().orElseThrow().resources()).containsOnlyKeys("cpu");
  }

  @Test
  void aLongerIntervalCostsMore() {
    Cluster hourly = UsageBasedQueues.open(
        cluster(SHARING.withUsageSamplingInterval(Duration.ofMinutes(10))), usageBased("cq", 8));
    hourly.run("a1", "a", 4);
    assertThat(UsageBasedQueues.usage(hourly, "a")).isEqualTo(2);
  }

  @Test
  void aHistoryEndsWithItsLocalQueue() {
    open(8);
    cluster.run("a1", "a", 4);
    cluster.engine.remove(LocalQueue.class, Cluster.NAMESPACE + "/a");
    assertThat(cluster.engine.view().localQueue(Cluster.NAMESPACE, "a")).isEmpty();
    cluster.with(localQueue("a", 1));
    assertThat(usage("a")).isZero();
    cluster.advance(Duration.ofMinutes(10));
    assertThat(usage("a")).as("what still runs is in use").isBetween(1.99999999, 2.0);
  }

  @Test
  void aStoppedLocalQueueIsNotSampledUntilItGoesOn() {
    open(8);
    restore(cluster, "a", "4");
    cluster.with(LocalQueue.builder()
        .namespace(Cluster.NAMESPACE)
        .name("a")
        .clusterQueue("cq")
        .stopPolicy(StopPolicy.HOLD)
        .build());
    cluster.advance(Duration.ofMinutes(10));
    assertThat(usage("a")).isEqualTo(4);
    cluster.with(localQueue("a", 1));
    assertThat(usage("a")).isEqualTo(2);
  }

  @Test
  void theLocalQueuesOfAStoppedClusterQueueAreNotSampledEither() {
    open(8);
    restore(cluster, "a", "4");
    cluster.with(usageBased("cq", 8).stopPolicy(StopPolicy.HOLD).build());
    cluster.advance(Duration.ofMinutes(10));
    assertThat(usage("a")).isEqualTo(4);
    cluster.with(usageBased("cq", 8).build());
    assertThat(usage("a")).isEqualTo(2);
    cluster.engine.remove(ClusterQueue.class, "cq");
    cluster.advance(Duration.ofMinutes(10));
    assertThat(usage("a")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsDeactivatedBeforeItsAdmissionPaysNothing(boolean holdsUntilStopped) {
    Cluster some = new Cluster(Settings.builder()
        .admissionFairSharing(SHARING)
        .putFeatureGates(FeatureGate.ADMISSION_FAIR_SHARING_ANCHOR_AT_QUOTA_RESERVATION, false)
        .holdsQuotaUntilStopped(holdsUntilStopped)
        .build());
    UsageBasedQueues.open(
        some.with(AdmissionCheck.of("check", "test")),
        usageBased("cq", 8)
            .addAdmissionChecks(new AdmissionCheckRule("check", ImmutableList.of())));
    restore(some, "b", "0.5");
    some.submit("a1", "a", 8).cycle();
    some.submit("a2", "a", 1).submit("b1", "b", 1);
    assertThat(view(some, "a").pendingPenalty()).isNotEmpty();

    some.lifecycle.setActive(id("a1"), false);
    assertThat(view(some, "a").pendingPenalty().isEmpty()).isEqualTo(!holdsUntilStopped);
    some.podsStopped("a1");

    assertThat(view(some, "a").pendingPenalty()).isEmpty();
    assertThat(some.cycle().reserved())
        .extracting(each -> each.workload())
        .containsExactly(id("a2"));
  }

  @Test
  void whatEndsAfterItsLocalQueueMovedIsNotSubtracted() {
    open(8).with(usageBased("other", 8).build());
    cluster.run("a1", "a", 4);
    cluster.with(LocalQueue.of(Cluster.NAMESPACE, "a", "other"));
    cluster.finish("a1");
    cluster.advance(Duration.ofHours(20));

    assertThat(usage("a")).isZero();
  }

  @Test
  void aHistoryMovesWithItsLocalQueueAndUsageDoesNot() {
    open(8).with(usageBased("other", 8).build());
    cluster.run("a1", "a", 4);
    cluster.with(LocalQueue.of(Cluster.NAMESPACE, "a", "other"));
    assertThat(usage("a")).isEqualTo(1.171572875);
    cluster.advance(Duration.ofHours(20));
    assertThat(usage("a")).isZero();
    cluster.with(localQueue("a", 1));
    cluster.advance(Duration.ofMinutes(10));
    assertThat(usage("a")).isBetween(1.99999999, 2.0);
  }
}
