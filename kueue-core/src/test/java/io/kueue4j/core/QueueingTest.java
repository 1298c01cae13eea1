package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.NAMESPACE;
import static io.kueue4j.core.Cluster.START;
import static io.kueue4j.core.Cluster.changed;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.localQueue;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order of service; rules U-1, U-3, U-6, U-12, U-13, U-14, U-15, U-20, S-7, S-16 and F-24. */
class QueueingTest {
  private final Cluster cluster = new Cluster();
  private final AdmissionEngine engine = cluster.engine;

  // ----- order

  @Test
  void aBackoffThatIsOverIsAwaitedNoMore() {
    Cluster cluster = new Cluster().with(queue("q", 4));
    cluster.backOff(cluster.job("later", "q", 4), cluster.now().plusSeconds(50));
    assertThat(cluster.engine.nextTick()).contains(cluster.now().plusSeconds(50));

    cluster.advanceSeconds(60);

    assertThat(cluster.engine.nextTick()).isEmpty();
  }

  @Test
  void servesByPriorityThenAge() {
    cluster.with(queue("a", 10));
    cluster.submit("old", "a", 1);
    cluster.submit("young", "a", 1);
    cluster.submit(cluster.job("urgent", "a", 1, w -> w.priority(1)));
    cluster.submit(cluster.job("idle", "a", 1, w -> w.priority(-1)));
    assertThat(cluster.settle()).containsExactly("urgent", "old", "young", "idle");
  }

  @Test
  void agesAreWholeSecondsAndTiesEndInTheUid() {
    cluster.with(queue("a", 10));
    Duration later = Duration.ofMillis(900);
    cluster.submit(cluster.job("x", "a", 1, w -> w.uid("1").creationTime(START.plus(later))));
    cluster.submit(cluster.job("y", "a", 1, w -> w.uid("2").creationTime(START)));
    assertThat(cluster.pending("a")).containsExactly("x", "y");
  }

  @Test
  void oneHeadOfEachQueueIsTriedInACycle() {
    cluster.with(queue("a", 10), queue("b", 10));
    cluster.submit("a1", "a", 1);
    cluster.submit("a2", "a", 1);
    cluster.submit("b1", "b", 1);
    assertThat(admitted(cluster.cycle())).containsExactlyInAnyOrder("a1", "b1");
    assertThat(admitted(cluster.cycle())).containsExactly("a2");
    assertThat(engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void noBorrowingIsServedFirstEvenAtLowerPriority() {
    cluster.with(queue("lender", 4).cohort("team"), queue("poor", 0).cohort("team"));
    cluster.submit(cluster.job("borrower", "poor", 4, w -> w.priority(9)));
    cluster.submit("owner", "lender", 4);
    assertThat(admitted(cluster.cycle())).containsExactly("owner");
  }

  @Test
  void amongBorrowersPriorityDecidesThenAge() {
    cluster.with(
        queue("lender", 4).cohort("team"),
        queue("x", 0).cohort("team"),
        queue("y", 0).cohort("team"));
    cluster.submit("old", "x", 3);
    cluster.submit(cluster.job("urgent", "y", 3, w -> w.priority(1)));
    assertThat(admitted(cluster.cycle())).containsExactly("urgent");
  }

  @Test
  void withoutPrioritySortingAgeDecidesBetweenQueues() {
    Cluster byAge = Cluster.with(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT, false);
    byAge.with(
        queue("lender", 4).cohort("team"),
        queue("x", 0).cohort("team"),
        queue("y", 0).cohort("team"));
    byAge.submit("old", "x", 3);
    byAge.submit(byAge.job("urgent", "y", 3, w -> w.priority(1)));
    assertThat(admitted(byAge.cycle())).containsExactly("old");
  }

  // ----- strategies

  @Test
  void aStrictQueueStarvesBehindAHeadThatDoesNotFit() {
    cluster.with(queue("a", 10).queueingStrategy(QueueingStrategy.STRICT_FIFO));
    cluster.run("running", "a", 4);
    cluster.submit("big", "a", 8);
    cluster.submit("small", "a", 1);
    assertThat(cluster.settle()).isEmpty();
    engine.finish(id("running"));
    assertThat(cluster.settle()).containsExactly("big", "small");
  }

  @Test
  void aBestEffortQueueServesWhatFitsAndReturnsToTheHead() {
    cluster.with(queue("a", 10));
    cluster.run("running", "a", 4);
    cluster.submit("big", "a", 8);
    cluster.submit("small", "a", 1);
    assertThat(cluster.settle()).containsExactly("small");
    engine.finish(id("running"));
    assertThat(cluster.settle()).containsExactly("big");
  }

  @Test
  void aStrictHeadBlocksItsOwnQueueOnly() {
    cluster.with(
        queue("strict", 5).cohort("team").queueingStrategy(QueueingStrategy.STRICT_FIFO),
        queue("other", 5).cohort("team"));
    cluster.submit("big", "strict", 20);
    cluster.submit("small", "other", 1);
    assertThat(cluster.settle()).containsExactly("small");
  }

  @Test
  void aStrictQueueStepsOverAHeadWhoseNamespaceItDoesNotTake() {
    cluster.with(queue("a", 10)
        .queueingStrategy(QueueingStrategy.STRICT_FIFO)
        .namespaceSelector(LabelSelector.labels(Map.of("kubernetes.io/metadata.name", "ns"))));
    cluster.with(LocalQueue.of("foreign", "door", "a"));
    cluster.submit(cluster.job("head", "door", 1, w -> w.namespace("foreign").priority(5)));
    cluster.submit("second", "a", 1);
    assertThat(cluster.settle()).containsExactly("second");
    assertThat(cluster.inadmissible("a")).containsExactly("head");
  }

  @Test
  void anotherStrategyCountsFromTheNextAttemptOn() {
    cluster.with(queue("a", 10).queueingStrategy(QueueingStrategy.STRICT_FIFO));
    cluster.submit("big", "a", 20);
    cluster.submit("small", "a", 1);
    assertThat(cluster.settle()).isEmpty();
    cluster.with(queue("a", 10).build());
    assertThat(cluster.settle()).containsExactly("small");
  }

  @Test
  void workloadsOfOneShapeAreGivenUpTogetherAndReturnTogether() {
    cluster.with(queue("a", 10));
    cluster.run("running", "a", 9);
    for (String name : ImmutableList.of("x", "y", "z")) {
      cluster.submit(name, "a", 3);
    }
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(cluster.inadmissible("a")).containsExactly("x", "y", "z");
    engine.finish(id("running"));
    assertThat(cluster.pending("a")).containsExactly("x", "y", "z");
    assertThat(cluster.settle()).containsExactly("x", "y", "z");
  }

  @Test
  void withoutEquivalenceHashingEachOneIsTried() {
    Cluster one = Cluster.with(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING, false);
    one.with(queue("a", 10));
    one.submit("x", "a", 20);
    one.submit("y", "a", 20);
    one.cycle();
    assertThat(one.inadmissible("a")).containsExactly("x");
    assertThat(one.pending("a")).containsExactly("y");
  }

  @Test
  void whoLosesARaceIsTriedAgainAtOnce() {
    cluster.with(
        queue("lender", 5).cohort("team"),
        queue("x", 0).cohort("team"),
        queue("y", 0).cohort("team"));
    cluster.submit("first", "x", 3);
    cluster.submit("second", "y", 3);
    assertThat(admitted(cluster.cycle())).containsExactly("first");
    assertThat(cluster.pending("y")).containsExactly("second");
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(cluster.inadmissible("y")).containsExactly("second");
  }

  @Test
  void equalsInATournamentGoByTheNamesOfTheirQueues() {
    Cluster fair = new Cluster(Settings.builder().fairSharing().build());
    fair.with(queue("a", 0).cohort("team"), queue("b", 0).cohort("team"));
    fair.with(queue("lender", 1).cohort("team"));
    fair.submit(fair.job("of-b", "b", 1, w -> w.uid("first").creationTime(START)));
    fair.submit(fair.job("of-a", "a", 1, w -> w.uid("second").creationTime(START)));
    assertThat(admitted(fair.cycle())).containsExactly("of-a");
  }

  @Test
  void whoWaitsForItsVictimsIsShownFirst() {
    cluster.with(queue("a", 5)
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build()));
    cluster.run("victim", "a", 5);
    cluster.submit(cluster.job("sticky", "a", 5, w -> w.priority(1)));
    cluster.settle();
    cluster.submit(cluster.job("higher", "a", 5, w -> w.priority(2)));
    assertThat(cluster.pending("a")).containsExactly("sticky", "higher");
    engine.podsStopped(id("victim"));
    assertThat(admitted(cluster.cycle())).containsExactly("sticky");
  }

  @Test
  void anUpdateWithoutCreationTimeIsAsOldAsItsSubmission() {
    cluster.with(queue("a", 1));
    cluster.advance(Duration.ofMinutes(1));
    Workload early = cluster.submit("early", "a", 1).job("early");
    cluster.submit("late", "a", 1);
    engine.update(changed(early, w -> w.creationTime(Optional.empty())));
    assertThat(cluster.pending("a")).containsExactly("late", "early");
  }

  @Test
  void whoLosesARaceGoesOnBehindTheFlavorThatItLost() {
    assertThat(flavorAfterALostRace(new Cluster())).isEqualTo("second");
  }

  @Test
  void withoutScanProgressALoserStartsAgainAtTheFirstFlavor() {
    assertThat(flavorAfterALostRace(
            Cluster.with(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS, false)))
        .isEqualTo(FLAVOR);
  }

  private static String flavorAfterALostRace(Cluster cluster) {
    return flavorOfTheLoser(clusterWithALostRace(cluster).engine);
  }

  private static Cluster clusterWithALostRace(Cluster cluster) {
    cluster.with(ResourceFlavor.of("second"));
    cluster.with(
        queue("owner", 5).cohort("team"),
        openQueue("loser")
            .cohort("team")
            .flavorFungibility(new FlavorFungibility(
                Policy.MAY_STOP_SEARCH, Policy.TRY_NEXT_FLAVOR, Optional.empty()))
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of(FLAVOR, ResourceQuota.of("cpu", "0")),
                FlavorQuotas.of("second", ResourceQuota.of("cpu", "5")))));
    cluster.submit("winner", "owner", 5);
    cluster.submit("loser", "loser", 5);
    assertThat(admitted(cluster.cycle())).containsExactly("winner");
    return cluster;
  }

  /** The first flavor is free again when the other head is retried. */
  private static String flavorOfTheLoser(AdmissionEngine engine) {
    engine.finish(id("winner"));
    assertThat(engine.runCycle().admitted())
        .extracting(Admission::workload)
        .containsExactly(id("loser"));
    return engine
        .admission(id("loser"))
        .orElseThrow()
        .podSetAssignments()
        .get(0)
        .flavors()
        .getOrDefault("cpu", "none");
  }

  @Test
  void theMemoryOfTheWalkOutlivesAnUnrecordedAdmission() {
    assertThat(flavorTwoCyclesAfterALostRace(false)).isEqualTo("second");
    assertThat(flavorTwoCyclesAfterALostRace(true)).isEqualTo(FLAVOR);
  }

  @Test
  void aStudyRemembersTheWalkAsItWas() {
    Cluster cluster = clusterWithALostRace(new Cluster());
    cluster.submit(cluster.job("urgent", "loser", 0, w -> w.priority(1)));
    assertThat(admitted(cluster.cycle())).containsExactly("urgent");
    EngineView before = cluster.engine.view();
    cluster.engine.lifecycle().admissionRecorded(id("urgent"));
    EngineView after = cluster.engine.view();

    assertThat(flavorOfTheLoser(before.whatIf())).isEqualTo("second");
    assertThat(flavorOfTheLoser(after.whatIf())).isEqualTo(FLAVOR);
    assertThat(flavorOfTheLoser(cluster.engine)).isEqualTo(FLAVOR);
  }

  private static String flavorTwoCyclesAfterALostRace(boolean recorded) {
    Cluster cluster = clusterWithALostRace(new Cluster());
    cluster.submit(cluster.job("urgent", "loser", 0, w -> w.priority(1)));
    assertThat(admitted(cluster.cycle())).containsExactly("urgent");
    if (recorded) {
      cluster.engine.lifecycle().admissionRecorded(id("urgent"));
    }
    return flavorOfTheLoser(cluster.engine);
  }

  // ----- who may be queued

  @Test
  void aWorkloadWaitsUntilItsQueuesExist() {
    cluster.submit("w", "a", 1);
    assertThat(admitted(cluster.cycle())).isEmpty();
    cluster.with(localQueue("a"));
    assertThat(admitted(cluster.cycle())).isEmpty();
    cluster.with(queue("a", 10).build());
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void theClusterQueueMayAlsoComeBeforeTheLocalQueue() {
    cluster.with(queue("a", 10).build());
    cluster.submit("w", "a", 1);
    cluster.with(LocalQueue.of(NAMESPACE, "a", "a"));
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void gatesCountOnlyWithTheirFeatureGate() {
    Cluster ungated = Cluster.with(FeatureGate.ADMISSION_GATED_BY, false);
    ungated.with(queue("a", 10));
    ungated.submit(
        ungated.job("w", "a", 1, w -> w.addAllAdmissionGates(ImmutableList.of("review"))));
    assertThat(admitted(ungated.cycle())).containsExactly("w");
  }

  @Test
  void aBackoffEndsAtItsTimeWithoutAnyEvent() {
    cluster.with(queue("a", 10));
    cluster.backOff(cluster.job("w", "a", 1), START.plusSeconds(60));
    cluster.advance(Duration.ofSeconds(59));
    assertThat(admitted(cluster.cycle())).isEmpty();
    cluster.advance(Duration.ofSeconds(1));
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void aWorkloadIsPendingAfterItsBackoffInAStoppedQueue() {
    cluster.with(queue("a", 10), queue("b", 10).stopPolicy(StopPolicy.HOLD));
    for (String queue : List.of("a", "b")) {
      cluster.backOff(cluster.job("in-" + queue, queue, 1), START.plusSeconds(60));
    }
    assertThat(cluster.view("a").inadmissible()).containsExactly(id("in-a"));
    assertThat(cluster.view("b").inadmissible()).containsExactly(id("in-b"));

    cluster.advance(Duration.ofSeconds(60));

    assertThat(cluster.view("a").pending()).containsExactly(id("in-a"));
    assertThat(cluster.view("b").pending()).containsExactly(id("in-b"));
    assertThat(engine.explain(id("in-a")).isNextToTry()).isTrue();
    assertThat(engine.nextTick()).isEmpty();
  }

  @Test
  void aWorkloadThatMayNotBeRequeuedWaitsUntilItMay() {
    cluster.with(queue("a", 10));
    cluster.run("w", "a", 1);
    engine.lifecycle().evict(id("w"), EvictionReason.EVICTED_ON_MANAGER_CLUSTER, "");
    engine.podsStopped(id("w"));
    assertThat(cluster.settle()).isEmpty();
    engine.lifecycle().requeue(id("w"), "ManagerClusterAgrees", "");
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  // ----- priority boost

  @Test
  void aBoostCountsOnlyWithItsFeatureGate() {
    for (boolean enabled : new boolean[] {false, true}) {
      Cluster boosted = Cluster.with(FeatureGate.PRIORITY_BOOST, enabled);
      boosted.with(queue("a", 10));
      boosted.submit("plain", "a", 1);
      boosted.submit(boosted.job("boosted", "a", 1, w -> w.priority(-1).priorityBoost(2)));
      assertThat(boosted.pending("a").get(0)).isEqualTo(enabled ? "boosted" : "plain");
    }
  }

  @Test
  void aBoostBeyondTheRangeOfPrioritiesDoesNotWrap() {
    Cluster boosted = Cluster.with(FeatureGate.PRIORITY_BOOST, true);
    boosted.with(queue("a", 10));
    boosted.submit(boosted.job("high", "a", 1, w -> w.priority(Integer.MAX_VALUE)));
    boosted.submit(boosted.job(
        "higher", "a", 1, w -> w.priority(Integer.MAX_VALUE).priorityBoost(Integer.MAX_VALUE)));
    assertThat(boosted.pending("a")).containsExactly("higher", "high");
  }

  @Test
  void podsAreReclaimedOnlyWithTheirFeatureGate() {
    Cluster all = Cluster.with(FeatureGate.RECLAIMABLE_PODS, false);
    all.with(queue("a", 10));
    all.run(all.jobOf(
        "w",
        "a",
        w -> w.addPodSets(PodSet.builder().count(4).requestAmount("cpu", 1000).build())));
    all.reclaim("w", "main", 3);
    assertThat(all.used("a")).isEqualTo(4);
  }
}
