package io.kueue4j.core;

import static io.kueue4j.core.DecisionText.admitted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ConsumedUsage;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FairSharing;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Section 11 through the API: LocalQueues of one ClusterQueue are served by usage.
 *
 * <p>Half-life ten minutes, sampling every five: a penalty is 0.29289… of the requests.
 */
class AdmissionFairSharingEngineTest {
  private static final AdmissionFairSharing SHARING =
      AdmissionFairSharing.of(Duration.ofMinutes(10));
  private static final String PENALTY_OF_ONE = "0.292893218";

  private final Cluster cluster = cluster(SHARING);

  private static Cluster cluster(AdmissionFairSharing sharing) {
    return new Cluster(Settings.builder().admissionFairSharing(sharing).build());
  }

  private static ClusterQueue.Builder usageBased(String name, int cpu) {
    return Queues.queue(name, cpu).admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
  }

  private static LocalQueue localQueue(String name, double weight) {
    return new LocalQueue(Cluster.NAMESPACE, name, "cq", StopPolicy.NONE, new FairSharing(weight));
  }

  @CanIgnoreReturnValue
  private Cluster open(int cpu) {
    return open(cluster, usageBased("cq", cpu));
  }

  @CanIgnoreReturnValue
  private static Cluster open(Cluster cluster, ClusterQueue.Builder queue) {
    return cluster.with(queue.build(), localQueue("a", 1), localQueue("b", 1));
  }

  private static LocalQueueView view(Cluster cluster, String localQueue) {
    return cluster.engine.view().localQueue(Cluster.NAMESPACE, localQueue).orElseThrow();
  }

  private static double usage(Cluster cluster, String localQueue) {
    return view(cluster, localQueue).fairSharingUsage().orElseThrow();
  }

  private double usage(String localQueue) {
    return usage(cluster, localQueue);
  }

  private static void restore(Cluster cluster, String localQueue, String cpu) {
    cluster.engine.restoreConsumedUsage(
        Cluster.NAMESPACE, localQueue, consumed(cpu, Cluster.START));
  }

  private static ConsumedUsage consumed(String cpu, Instant at) {
    return new ConsumedUsage(ImmutableSortedMap.of("cpu", new BigDecimal(cpu)), at);
  }

  @Nested
  class OrderOfHeads {
    @Test
    void theLocalQueueThatUsedLessGoesFirst() {
      open(8);
      restore(cluster, "a", "3");
      restore(cluster, "b", "2");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(cluster.pending("cq")).containsExactly("b1", "a1");
      assertThat(admitted(cluster.cycle())).containsExactly("b1");
    }

    @Test
    void usageGoesBeforePriority() {
      open(8);
      restore(cluster, "a", "3");
      cluster.submit(cluster.job("a1", "a", 1, workload -> workload.priority(100)));
      cluster.submit("b1", "b", 1);
      assertThat(admitted(cluster.cycle())).containsExactly("b1");
    }

    @Test
    void twoEqualLocalQueuesAlternate() {
      open(8);
      for (int i = 1; i <= 4; i++) {
        cluster.submit("a" + i, "a", 1);
      }
      for (int i = 1; i <= 4; i++) {
        cluster.submit("b" + i, "b", 1);
      }
      assertThat(cluster.settle()).containsExactly("a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4");
    }

    @Test
    void weightsSetTheProportion() {
      cluster.with(usageBased("cq", 9).build(), localQueue("a", 1), localQueue("b", 2));
      for (int i = 1; i <= 9; i++) {
        cluster.submit("a" + i, "a", 1);
        cluster.submit("b" + i, "b", 1);
      }
      assertThat(cluster.settle()).filteredOn(name -> name.startsWith("b")).hasSize(6);
    }

    @Test
    void aLocalQueueWithoutWeightGoesLastThoughItUsedNothing() {
      cluster.with(usageBased("cq", 2).build(), localQueue("a", 0), localQueue("b", 1));
      restore(cluster, "b", "1000");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(usage("a")).isInfinite();
      assertThat(cluster.settle()).containsExactly("b1", "a1");
    }

    @Test
    void aChangedWeightCountsAtOnce() {
      open(8);
      restore(cluster, "a", "3");
      restore(cluster, "b", "2");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      cluster.with(localQueue("a", 2));
      assertThat(usage("a")).isEqualTo(1.5);
      assertThat(cluster.pending("cq")).containsExactly("a1", "b1");
      assertThat(admitted(cluster.cycle())).containsExactly("a1");
    }

    @Test
    void strictFifoBlocksOnTheHeadByUsage() {
      open(cluster, usageBased("cq", 4).queueingStrategy(QueueingStrategy.STRICT_FIFO));
      restore(cluster, "a", "3");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 5);
      assertThat(cluster.settle()).isEmpty();
      cluster.engine.delete(Cluster.id("b1"));
      assertThat(cluster.settle()).containsExactly("a1");
    }

    @Test
    void shapesAreGivenUpAcrossLocalQueues() {
      open(4);
      cluster.submit("a1", "a", 5);
      cluster.submit("b1", "b", 5);
      assertThat(admitted(cluster.cycle())).isEmpty();
      assertThat(cluster.inadmissible("cq")).containsExactlyInAnyOrder("a1", "b1");
    }

    @Test
    void samplingTurnsTheOrder() {
      open(8);
      cluster.run("runs", "a", 1);
      restore(cluster, "a", "0.5");
      restore(cluster, "b", "0.6");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(cluster.pending("cq")).containsExactly("a1", "b1");
      // The usage of a converges to 1 core, which is in use; that of b to 0.
      cluster.advance(Duration.ofMinutes(4));
      assertThat(cluster.pending("cq")).containsExactly("a1", "b1");
      cluster.advance(Duration.ofMinutes(1));
      assertThat(cluster.pending("cq")).containsExactly("b1", "a1");
      assertThat(admitted(cluster.cycle())).containsExactly("b1");
    }

    @Test
    void positionsAreByUsage() {
      open(8);
      restore(cluster, "a", "3");
      cluster.submit("a1", "a", 1);
      cluster.submit("a2", "a", 1);
      cluster.submit("b1", "b", 1);
      Explanation second = cluster.engine.explain(Cluster.id("a2"));
      assertThat(second.positionInClusterQueue()).hasValue(2);
      assertThat(second.positionInLocalQueue()).hasValue(1);
      assertThat(cluster.engine.explain(Cluster.id("b1")).positionInClusterQueue())
          .hasValue(0);
    }

    @Test
    void usageHasNoSayBetweenClusterQueues() {
      cluster.with(
          usageBased("cq", 1).cohort("c").build(),
          usageBased("other", 1).cohort("c").build(),
          localQueue("a", 1),
          LocalQueue.of(Cluster.NAMESPACE, "o", "other"));
      restore(cluster, "a", "100");
      cluster.submit("a1", "a", 2);
      cluster.submit("o1", "o", 2);
      assertThat(admitted(cluster.cycle())).as("older, though it used more").containsExactly("a1");
    }
  }

  @Nested
  class WhereItIsOff {
    private void expectAge(Cluster off) {
      off.submit("a1", "a", 1);
      off.submit("a2", "a", 1);
      off.submit("b1", "b", 1);
      assertThat(off.settle()).containsExactly("a1", "a2", "b1");
    }

    @Test
    void withoutSettings() {
      Cluster off = open(new Cluster(), usageBased("cq", 8));
      expectAge(off);
      assertThat(view(off, "a").fairSharingUsage()).isEmpty();
      assertThat(view(off, "a").consumed()).isEmpty();
      assertThat(EngineCalls.tick(off.engine)).isEmpty();
      assertThatThrownBy(() -> restore(off, "a", "1"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("only with admissionFairSharing in the settings");
    }

    @Test
    void withTheGateOff() {
      Cluster off = open(
          new Cluster(Settings.builder()
              .admissionFairSharing(SHARING)
              .putFeatureGates(FeatureGate.ADMISSION_FAIR_SHARING, false)
              .build()),
          usageBased("cq", 8));
      expectAge(off);
      assertThat(view(off, "a").fairSharingUsage()).isEmpty();
    }

    @Test
    void withoutTheModeNothingIsPenalized() {
      expectAge(open(cluster, Queues.queue("cq", 8)));
      assertThat(usage("a")).isZero();
      cluster.advance(Duration.ofMinutes(10));
      assertThat(usage("a")).as("sampled all the same").isBetween(0.99999999, 1.0);
    }

    @Test
    void aModeSetLaterPenalizesButDoesNotOrder() {
      open(cluster, Queues.queue("cq", 8));
      cluster.with(usageBased("cq", 8).build());
      cluster.submit("a1", "a", 1);
      cluster.submit("a2", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(cluster.settle()).containsExactly("a1", "a2", "b1");
      assertThat(usage("a")).isPositive();
    }

    @Test
    void aModeTakenBackLaterStillOrders() {
      open(8);
      cluster.with(Queues.queue("cq", 8).build());
      restore(cluster, "a", "1");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(cluster.settle()).containsExactly("b1", "a1");
    }
  }

  @Nested
  class History {
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

      Cluster looking = open(cluster(SHARING), usageBased("cq", 8));
      looking.run("a1", "a", 4);
      for (int minute = 0; minute < 12; minute++) {
        looking.advance(Duration.ofMinutes(1));
        looking.engine.tick();
      }
      looking.engine.finish(Cluster.id("a1"));
      looking.advance(Duration.ofMinutes(3));
      assertThat(usage("a")).isEqualTo(usage(looking, "a"));
      assertThat(view(cluster, "a").consumed().orElseThrow().lastUpdate())
          .isEqualTo(Cluster.START.plus(Duration.ofMinutes(15)));
    }

    /** {@return the usage of b after 15 minutes, with or without queries every minute} */
    private double usageOfVictim(boolean looks) {
      Cluster some = open(
          cluster(SHARING),
          usageBased("cq", 4)
              .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER)));
      some.run("b1", "b", 4);
      Workload high = some.job("a1", "a", 4, workload -> workload.priority(1));
      AdmissionResult unused = some.engine.tryAdmit(high, TryAdmitOptions.evictingVictims());
      pass(some, 12, looks);
      some.engine.podsStopped(Cluster.id("b1"));
      some.engine.delete(Cluster.id("b1"));
      pass(some, 3, looks);
      return usage(some, "b");
    }

    private void pass(Cluster some, int minutes, boolean looks) {
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
      Cluster looking = open(cluster(SHARING), usageBased("cq", 8));
      for (Cluster each : List.of(cluster, looking)) {
        each.run("a1", "a", 4);
        pass(each, 12, each.equals(looking));
        each.run("a2", "a", 4);
        pass(each, 15, each.equals(looking));
      }
      assertThat(usage("a")).isEqualTo(usage(looking, "a"));
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
      open(
          cluster,
          usageBased("cq", 4)
              .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER)));
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
      Workload job = cluster
          .run(cluster.jobOf(
              "a1",
              "a",
              workload -> workload.addPodSets(
                  PodSet.builder().count(4).requestAmount("cpu", 1000).build())))
          .job("a1");
      cluster.engine.update(
          Cluster.changed(job, workload -> workload.putReclaimablePods("main", 3)));
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
        Cluster some = open(new Cluster(settings.build()), usageBased("cq", 8));
        PodSet pods = PodSet.builder()
            .requestAmount("cpu", 1000)
            .requestAmount("gpu", ignored ? 1 : 0)
            .build();
        some.run(some.jobOf("a1", "a", workload -> workload.addPodSets(pods)));
        assertThat(usage(some, "a")).isEqualTo(Double.parseDouble(PENALTY_OF_ONE));
      }
    }

    @Test
    void withoutHalfLifeNothingIsRemembered() {
      Cluster forgetful =
          open(cluster(AdmissionFairSharing.of(Duration.ZERO)), usageBased("cq", 8));
      restore(forgetful, "a", "5");
      forgetful.run("a1", "a", 4);
      assertThat(usage(forgetful, "a")).isEqualTo(5);
      forgetful.advance(Duration.ofMinutes(5));
      assertThat(usage(forgetful, "a")).isZero();
      forgetful.submit("a2", "a", 1);
      forgetful.submit("b1", "b", 1);
      assertThat(forgetful.settle()).containsExactly("a2", "b1");
    }

    @Test
    void resourceWeightsDecideWhatCounts() {
      Cluster some = open(cluster(SHARING.withResourceWeight("cpu", 0)), usageBased("cq", 8));
      some.run("a1", "a", 4);
      assertThat(usage(some, "a")).isZero();
      assertThat(view(some, "a").consumed().orElseThrow().resources()).containsOnlyKeys("cpu");
    }

    @Test
    void aLongerIntervalCostsMore() {
      Cluster hourly = open(
          cluster(SHARING.withUsageSamplingInterval(Duration.ofMinutes(10))), usageBased("cq", 8));
      hourly.run("a1", "a", 4);
      assertThat(usage(hourly, "a")).isEqualTo(2);
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
      cluster.with(
          new LocalQueue(Cluster.NAMESPACE, "a", "cq", StopPolicy.HOLD, FairSharing.DEFAULT));
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

    @Test
    void aHistoryMovesWithItsLocalQueueAndWhatIsInUseThereDoesNot() {
      open(8).with(usageBased("other", 8).build());
      cluster.run("a1", "a", 4);
      cluster.with(
          new LocalQueue(Cluster.NAMESPACE, "a", "other", StopPolicy.NONE, FairSharing.DEFAULT));
      assertThat(usage("a")).isEqualTo(1.171572875);
      cluster.advance(Duration.ofHours(20));
      assertThat(usage("a")).isZero();
      cluster.with(localQueue("a", 1));
      cluster.advance(Duration.ofMinutes(10));
      assertThat(usage("a")).isBetween(1.99999999, 2.0);
    }
  }

  @Nested
  class Restart {
    @Test
    void anEngineGoesOnWhereAnotherEnded() {
      open(8);
      Workload running = cluster.run("a1", "a", 4).job("a1");
      Admission admission = cluster.engine.admission(running.id()).orElseThrow();
      cluster.advance(Duration.ofMinutes(7));
      ConsumedUsage stored = view(cluster, "a").consumed().orElseThrow();

      Cluster restarted = open(cluster(SHARING), usageBased("cq", 8));
      restarted.advance(Duration.ofMinutes(7));
      restarted.engine.restore(running, admission);
      assertThat(usage(restarted, "a")).as("what is restored costs nothing").isZero();
      restarted.engine.restoreConsumedUsage(Cluster.NAMESPACE, "a", stored);
      for (Cluster each : new Cluster[] {cluster, restarted}) {
        each.advance(Duration.ofMinutes(20));
      }
      assertThat(view(restarted, "a")).isEqualTo(view(cluster, "a"));
    }

    @Test
    void theUsageOfAnUnknownLocalQueueIsRefused() {
      open(8);
      assertThatThrownBy(() -> restore(cluster, "unknown", "1"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ns/unknown cannot be restored: it does not exist; apply it first");
    }

    @Test
    void consumedAmountsAreNotNegative() {
      assertThatThrownBy(() -> consumed("-1", Cluster.START))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the consumed amount of cpu is -1; expected 0 or more");
    }
  }

  @Nested
  class Victims {
    private List<String> victimsOf(Cluster some) {
      List<String> victims = new ArrayList<>();
      AdmissionResult result =
          some.engine.tryAdmit(some.job("incoming", "b", 2, workload -> workload.priority(100)));
      assertThat(result).isInstanceOf(AdmissionResult.Preempting.class);
      ((AdmissionResult.Preempting) result)
          .victims()
          .forEach(victim -> victims.add(victim.workload().name()));
      return victims;
    }

    private Cluster full(ClusterQueue.Builder queue) {
      open(
              cluster,
              queue.preemption(
                  Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER)))
          .with(localQueue("c", 1));
      cluster.run(cluster.job("a1", "a", 2, workload -> workload.priority(10)));
      cluster.run("c1", "c", 2);
      restore(cluster, "a", "9");
      restore(cluster, "c", "1");
      return cluster;
    }

    @Test
    void theLocalQueueThatUsedMoreLosesFirst() {
      assertThat(victimsOf(full(usageBased("cq", 4)))).containsExactly("a1");
    }

    @Test
    void withoutTheModeTheLowerPriorityLosesFirst() {
      assertThat(victimsOf(full(Queues.queue("cq", 4)))).containsExactly("c1");
    }
  }

  @Nested
  class Ticks {
    @Test
    void theNextTickIsTheNextSampling() {
      open(8);
      assertThat(EngineCalls.tick(cluster.engine))
          .contains(Cluster.START.plus(Duration.ofMinutes(5)));
      cluster.advance(Duration.ofMinutes(13));
      assertThat(EngineCalls.tick(cluster.engine))
          .contains(Cluster.START.plus(Duration.ofMinutes(15)));
      cluster.run("a1", "a", 1);
      cluster.advance(Duration.ofMinutes(2));
      assertThat(EngineCalls.tick(cluster.engine))
          .as("five minutes after a1 was admitted")
          .contains(Cluster.START.plus(Duration.ofMinutes(18)));
    }

    @Test
    void theNextTickIsTheNextEndOfABackoff() {
      Cluster plain = open(new Cluster(), Queues.queue("cq", 8));
      Instant due = Cluster.START.plusSeconds(90);
      plain.submit(plain.job("a1", "a", 1, workload -> workload.requeueAt(due)));
      assertThat(EngineCalls.tick(plain.engine)).contains(due);
      assertThat(plain.pending("cq")).isEmpty();
      plain.advance(Duration.ofSeconds(90));
      assertThat(EngineCalls.tick(plain.engine)).isEmpty();
      assertThat(plain.pending("cq")).containsExactly("a1");
    }
  }

  @Nested
  class Shares {
    @Test
    void sharesOfQueuesAndCohortsAreRoundedUp() {
      cluster.with(
          Queues.queue("borrower", 1).cohort("low").build(),
          Queues.queue("lender", 5).cohort("low").build(),
          Queues.queue("outsider", 1).cohort("high").build(),
          Queues.cohort("low", "high"),
          Queues.localQueue("borrower"));
      cluster.run("job", "borrower", 2);
      // One core of the seven that its cohort could have, with what it may borrow.
      assertThat(cluster.view("borrower").weightedShare()).isEqualTo(143);
      assertThat(cluster.view("lender").weightedShare()).isZero();
      assertThat(cluster.engine.view().cohortShares())
          .containsExactlyEntriesOf(ImmutableSortedMap.of("high", 0L, "low", 0L));
      cluster.run("more", "borrower", 5);
      // The cohort uses seven of its six cores, and could be lent seven.
      assertThat(cluster.engine.view().cohortShares()).containsEntry("low", 143L);
    }

    @Test
    void aBorrowerWithoutWeightHasTheLargestShare() {
      cluster.with(
          Queues.queue("borrower", 1)
              .cohort("c")
              .fairSharing(new FairSharing(0))
              .build(),
          Queues.queue("lender", 5).cohort("c").build(),
          Queues.localQueue("borrower"));
      assertThat(cluster.view("borrower").weightedShare()).isZero();
      cluster.run("job", "borrower", 2);
      assertThat(cluster.view("borrower").weightedShare()).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void severalResourceGroupsAddUpByResource() {
    ResourceGroup group = Queues.group(Queues.cores(8));
    cluster.with(
        Queues.openQueue("cq")
            .addResourceGroups(group)
            .admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
            .build(),
        localQueue("a", 1));
    PodSet one = PodSet.builder().name("one").requestAmount("cpu", 1500).build();
    PodSet two = PodSet.builder().name("two").count(2).requestAmount("cpu", 250).build();
    cluster.run(cluster.jobOf("a1", "a", workload -> workload.addPodSets(one, two)));
    assertThat(usage("a")).isEqualTo(0.585786437);
  }
}
