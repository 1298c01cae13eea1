package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.PromiseTest.cluster;
import static io.kueue4j.core.PromiseTest.easy;
import static io.kueue4j.core.PromiseTest.job;
import static io.kueue4j.core.PromiseTest.promises;
import static io.kueue4j.core.PromiseTest.settle;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits of the rules of promised starts: when they just hold, and when they just do not. */
class PromiseRulesTest {
  private static List<String> running(Cluster cluster, String queue) {
    return CapacityWindowTest.running(cluster, queue);
  }

  // ----- who is promised a start (PS-1, PS-7)

  @ParameterizedTest
  @CsvSource({"16, 1", "17, 0"})
  void sixteenWithoutAStartArePassedOver(int hopeless, int promised) {
    Cluster cluster = easy().with(queue("q", 4)).run("endless", "q", 1);
    for (int i = 0; i < hopeless; i++) {
      cluster.submit(job(cluster, "hopeless" + i, "q", 4, 10 + i, 1));
    }
    cluster.submit(job(cluster, "next", "q", 3, 10)).run(job(cluster, "first", "q", 2, 100, 2));
    cluster.settle();

    assertThat(cluster.engine.promises()).hasSize(promised);
  }

  @ParameterizedTest
  @CsvSource({"3599, 1", "3600, 2"})
  void aWaitThatIsJustLongEnoughCounts(long seconds, int promised) {
    Cluster cluster =
        cluster(Backfill.ofDepth(1).withPromiseAfter(Duration.ofHours(1))).with(queue("q", 4));
    Workload old = Cluster.changed(
        job(cluster, "old", "q", 4, 50), workload -> workload.creationTime(cluster.now()));
    cluster.advanceSeconds(seconds);
    cluster.run(job(cluster, "first", "q", 3, 100)).submit(old);
    cluster.submit(job(cluster, "urgent", "q", 4, 30, 1));
    cluster.settle();

    assertThat(cluster.engine.promises()).hasSize(promised);
  }

  @Test
  void aWorkloadInBackoffIsPromisedNothing() {
    Cluster cluster = easy().with(queue("q", 4)).run(job(easy(), "first", "q", 4, 100));
    cluster.backOff(job(cluster, "later", "q", 4, 10), cluster.now().plusSeconds(50));
    cluster.submit(job(cluster, "next", "q", 4, 10));
    cluster.settle();

    assertThat(promises(cluster)).containsExactly("next at 100");
  }

  @Test
  void theIncreaseOfAnotherSliceIsPromisedNothing() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster.run(ElasticJobs.slice(cluster, "small", "q", 2)
        .maximumExecutionTime(Duration.ofSeconds(50))
        .build());
    cluster.run(job(cluster, "first", "q", 2, 100));
    cluster.submit(ElasticJobs.slice(cluster, "large", "q", 4, "small").build());
    cluster.settle();

    assertThat(promises(cluster)).isEmpty();
  }

  @Test
  void variantsOfAWorkloadArePromisedNothing() {
    Cluster cluster = ConcurrentFlavors.cluster(
        ConcurrentFlavors.settings().backfill(Backfill.ofDepth(1)).build(),
        ConcurrentFlavors.queue(ConcurrentFlavors.TRY_PREFERRED));
    for (String flavor : ConcurrentFlavors.FLAVORS) {
      cluster.run(job(cluster, flavor, "low", 4, 100));
    }
    cluster.submit(job(cluster, "w", "q", 4, 50));
    cluster.settle();

    assertThat(promises(cluster)).isEmpty();
  }

  @Test
  void whoIsBehindAnUntriedOneIsPromisedAStartLater() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 100)).submit(job(cluster, "big", "q", 4, 50));
    settle(cluster);

    // Like big it waits for an event, and no cycle tries it.
    cluster.submit(job(cluster, "next", "q", 4, 50)).submit(job(cluster, "urgent", "q", 1, 9, 1));

    assertThat(settle(cluster)).containsExactly("next to 150: it is among the first of q");
  }

  @Test
  void aWithdrawnPromiseIsNotInTheWayAnyMore() {
    Cluster cluster = easy().with(queue("a", "c", 2), queue("b", "c", 2));
    cluster.run(job(cluster, "first", "a", 3, 100)).submit(job(cluster, "big", "a", 4, 50));
    settle(cluster);

    cluster.submit(job(cluster, "urgent", "a", 2, 500, 1)).submit(job(cluster, "other", "b", 2, 9));

    assertThat(settle(cluster))
        .containsExactly(
            "urgent to 100: it is among the first of a",
            "big from 100 withdrawn: others come before it in a",
            "other to 100: it is among the first of b");
  }

  // ----- who may delay a promise (PS-5)

  /** {@return a cluster in which a workload of a is promised all of the cohort at 100} */
  private static Cluster borrowing(Policy reclaim, int ownQuota) {
    Cluster cluster = easy()
        .with(
            queue("a", "c", 2),
            queue("b", "c", ownQuota)
                .preemption(Preemption.builder().reclaimWithinCohort(reclaim).build()),
            queue("rest", "c", 2 - ownQuota));
    cluster.run(job(cluster, "first", "a", 3, 100)).submit(job(cluster, "big", "a", 4, 50));
    cluster.settle();
    assertThat(promises(cluster)).containsExactly("big at 100");
    return cluster;
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true"})
  void onlyAHigherPriorityReclaimsFromALowerOne(int priority, boolean starts) {
    Cluster cluster = borrowing(Policy.LOWER_PRIORITY, 2);

    cluster.submit(job(cluster, "owner", "b", 1, 200, priority));

    assertThat(running(cluster, "b")).isEqualTo(starts ? List.of("owner") : List.of());
  }

  @Test
  void whoBorrowsDelaysNoBorrowingPromise() {
    Cluster cluster = borrowing(Policy.ANY, 0);

    cluster.submit(job(cluster, "borrower", "b", 1, 200));

    assertThat(running(cluster, "b")).isEmpty();
  }

  @Test
  void aPromisedOwnerDelaysNoOtherPromise() {
    Cluster cluster = easy()
        .with(
            queue("a", "c", 2),
            queue("b", "c", 2)
                .preemption(Preemption.builder().reclaimWithinCohort(Policy.ANY).build()));
    cluster.run(job(cluster, "first", "a", 2, 100)).run(job(cluster, "own", "b", 2, 60));
    cluster.submit(job(cluster, "big", "a", 4, 50));
    cluster.settle();
    cluster.submit(job(cluster, "owner", "b", 2, 200));
    cluster.settle();
    assertThat(promises(cluster)).containsExactly("big at 100", "owner at 150");

    cluster.advanceSeconds(60);
    cluster.finish("own");

    assertThat(running(cluster, "b")).isEmpty();
  }

  @Test
  void theNodesOfAPromiseWithoutBorrowingAreKept() {
    Cluster cluster = Hosts.cluster(
            Settings.builder().backfill(Backfill.ofDepth(1)).build(), "r/a:2")
        .with(Hosts.queue("owner", 1000, "tas")
            .cohort("c")
            .preemption(Preemption.builder().reclaimWithinCohort(Policy.ANY).build()))
        .with(Hosts.queue("q", 1000, "tas").cohort("c"));
    cluster.run(pods(cluster, "first", "q", 1, 100)).submit(pods(cluster, "big", "q", 2, 50));
    cluster.settle();
    assertThat(promises(cluster)).containsExactly("big at 100");

    cluster.submit(pods(cluster, "late", "owner", 1, 200));

    assertThat(running(cluster, "owner")).isEmpty();
  }

  @Test
  void nodesPromisedInAnotherTreeAreKept() {
    Cluster cluster = Hosts.cluster(
            Settings.builder().backfill(Backfill.ofDepth(1)).build(), "r/a:2")
        .with(Hosts.queue("other", 1000, "tas"));
    cluster.run(pods(cluster, "first", "other", 1, 100)).submit(pods(cluster, "big", "q", 2, 50));
    cluster.settle();
    // What runs in another tree uses its nodes until it ends.
    assertThat(promises(cluster)).containsExactly("big at 100");

    cluster.submit(pods(cluster, "late", "other", 1, 200));

    assertThat(running(cluster, "other")).containsExactly("first");
  }

  private static Workload pods(Cluster cluster, String name, String queue, int cores, long limit) {
    return Cluster.changed(
        Hosts.workload(
            name,
            Hosts.pods(1, String.valueOf(cores), TopologyRequest.required(Topology.HOSTNAME))),
        workload -> workload
            .queueName(queue)
            .creationTime(cluster.now())
            .maximumExecutionTime(Duration.ofSeconds(limit)));
  }

  @Test
  void whatIsAdmittedInACycleIsNotInTheWayTwice() {
    Cluster cluster = easy().with(queue("a", "c", 3), queue("b", "c", 1));
    cluster.run(job(cluster, "first", "a", 4, 100)).submit(job(cluster, "big", "a", 3, 50));
    cluster.settle();
    cluster.submit(job(cluster, "filler", "b", 1, 1000));
    cluster.settle();

    cluster.advanceSeconds(100);
    cluster.finish("first");

    assertThat(cluster.cycle().admitted())
        .extracting(admission -> admission.workload())
        .containsExactlyInAnyOrder(id("big"), id("filler"));
  }

  @Test
  void thePriorityDecidesWhichPromisedOneStartsFirst() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 100));
    cluster.submit(job(cluster, "a", "q", 2, 50)).submit(job(cluster, "b", "q", 2, 50, 1));
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("a at 100", "b at 100");

    cluster.advanceSeconds(100);
    cluster.finish("first");

    assertThat(DecisionText.admitted(cluster.cycle())).containsExactly("b");
  }

  @Test
  void aPromiseOfAnInactiveQueueIsNotTried() {
    Cluster cluster = Hosts.cluster(
            Settings.builder().backfill(Backfill.ofDepth(1)).build(), "r/a:2")
        .with(AdmissionCheck.of("check", "controller"))
        .with(Hosts.queue("other", 1000, "tas"))
        .with(Hosts.queue("q", 1000, "tas")
            .addAdmissionChecks(new AdmissionCheckRule("check", ImmutableList.of())));
    cluster.run(pods(cluster, "first", "other", 1, 100)).submit(pods(cluster, "big", "q", 2, 50));
    settle(cluster);
    cluster.engine.remove(AdmissionCheck.class, "check");

    cluster.advanceSeconds(100);
    cluster.finish("first");

    assertThat(promises(cluster)).containsExactly("big at 100");
    assertThat(cluster.cycle().all()).isEmpty();
    cluster.advanceSeconds(1);
    settle(cluster);
    assertThat(promises(cluster)).isEmpty();
  }

  // ----- how promises move (PS-6)

  @Test
  void eachDelayHasItsOwnCause() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("spare", "c", 8));
    for (String queue : List.of("a", "b")) {
      cluster.with(queue(queue, "c", Queues.group(Queues.cores(4).withBorrowingLimit("0"))));
      cluster.run(job(cluster, "first-" + queue, queue, 4, 100));
      cluster.submit(job(cluster, "big-" + queue, queue, 4, 50));
    }
    settle(cluster);

    for (String queue : List.of("a", "b")) {
      cluster.submit(job(cluster, "urgent-" + queue, queue, 4, 30, 10));
    }

    assertThat(settle(cluster))
        .contains(
            "big-a from 100 to 130: ns/urgent-a comes before it",
            "big-b from 100 to 130: ns/urgent-b comes before it");
  }

  /** The job that urgent may delay keeps its start, and displaces the one of the other queue. */
  @Test
  void whoIsDisplacedNamesTheFirstCause() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("a", "c", 2), queue("b", "c", 2));
    cluster.run(job(cluster, "first", "a", 4, 100));
    cluster.submit(job(cluster, "one", "a", 2, 50)).submit(job(cluster, "two", "b", 2, 50));
    settle(cluster);

    cluster.submit(job(cluster, "urgent", "a", 2, 30, 10));

    assertThat(settle(cluster))
        .containsExactly(
            "urgent to 100: it is among the first of a",
            "two from 100 to 130: ns/urgent comes before it");
  }

  /** Without other, high could start at 50. */
  @Test
  void aPromiseDelaysItsOwnQueueBeforeOthers() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("a", "c", 3), queue("b", "c", 3));
    cluster.run(job(cluster, "short", "a", 2, 50)).run(job(cluster, "first", "a", 3, 100));
    cluster.submit(job(cluster, "other", "b", 2, 200));
    settle(cluster);
    cluster.submit(job(cluster, "high", "a", 2, 50, 1)).submit(job(cluster, "low", "a", 2, 50));
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("other at 50", "high at 100", "low at 100");

    cluster.submit(job(cluster, "urgent", "a", 1, 300, 5));

    assertThat(settle(cluster)).containsExactly("low from 100 to 150: ns/urgent comes before it");
  }

  @Test
  void aLatePromiseCountsForItsFullTime() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("q", 4));
    cluster.run(guess(cluster, "first", "q", 3)).submit(job(cluster, "big", "q", 4, 50));
    settle(cluster);

    cluster.advance(Duration.ofMillis(100_500));
    cluster.submit(job(cluster, "next", "q", 1, 1000));
    settle(cluster);

    assertThat(cluster.engine.promises())
        .extracting(Promise::start)
        .containsExactly(Cluster.START.plusSeconds(100), Cluster.START.plusMillis(150_500));
  }

  /** {@return a job that is expected to run for 100 seconds} */
  private static Workload guess(Cluster cluster, String name, String queue, int cores) {
    return cluster.job(
        name, queue, cores, workload -> workload.expectedDuration(Duration.ofSeconds(100)));
  }

  @Test
  void promisesOfTwoTreesThatAreLateMoveOneBehindTheOther() {
    Cluster cluster = Hosts.cluster(
            Settings.builder().backfill(Backfill.ofDepth(1)).build(), "r/a:2")
        .with(Hosts.queue("other", 1000, "tas"));
    cluster.run(Cluster.changed(
        pods(cluster, "first", "q", 1, 100),
        workload -> workload
            .maximumExecutionTime(Optional.empty())
            .expectedDuration(Duration.ofSeconds(100))));
    cluster.submit(pods(cluster, "one", "q", 2, 50));
    settle(cluster);
    cluster.submit(pods(cluster, "two", "other", 2, 50));
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("one at 100", "two at 150");

    cluster.advanceSeconds(152);
    settle(cluster);

    assertThat(promises(cluster)).containsExactly("one at 200", "two at 250");
  }

  // ----- claims

  @Test
  void whoWasPromisedWhatAClaimTakesMovesAtOnce() {
    Cluster cluster = borrowing(Policy.ANY, 2);
    cluster.submit(job(cluster, "owner", "b", 2, 500));
    assertThat(cluster.cycle().preempted()).hasSize(1);

    cluster.cycle();

    assertThat(promises(cluster)).containsExactly("owner at 0", "big at 500");
  }

  @Test
  void aPreemptorKeepsWhatItMadeFree() {
    Cluster cluster = easy()
        .with(queue("q", 4)
            .preemption(
                Preemption.builder().withinClusterQueue(Policy.LOWER_PRIORITY).build()))
        .run("low", "q", 4)
        .submit("preemptor", "q", 4, 1);
    assertThat(cluster.cycle().preempted()).hasSize(1);
    assertThat(promises(cluster)).containsExactly("preemptor at 0");

    cluster.submit(job(cluster, "higher", "q", 3, 100, 2)).submit("last", "q", 4);
    cluster.settle();

    assertThat(promises(cluster)).contains("preemptor at 0");
  }

  @Test
  void aPromisedPreemptorClaimsWhatItMakesFree() {
    Cluster cluster = easy().with(queue("q", 4)).run(job(easy(), "first", "q", 3, 100));
    cluster.submit(job(cluster, "big", "q", 4, 50, 1));
    cluster.settle();
    assertThat(promises(cluster)).containsExactly("big at 100");

    cluster.with(queue("q", 4)
        .preemption(
            Preemption.builder().withinClusterQueue(Policy.LOWER_PRIORITY).build()));
    assertThat(cluster.cycle().preempted()).hasSize(1);

    assertThat(promises(cluster)).containsExactly("big at 0");
  }

  // ----- expected ends (PS-3)

  @Test
  void whatRunsExactlyAsLongAsExpectedEndsNow() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster
        .run(cluster.job(
            "first", "q", 3, workload -> workload.expectedDuration(Duration.ofSeconds(100))))
        .run("other", "q", 1)
        .submit(job(cluster, "big", "q", 4, 50));
    cluster.settle();
    cluster.advanceSeconds(100);
    cluster.finish("other");
    cluster.settle();

    assertThat(promises(cluster)).containsExactly("big at 100");
  }

  @Test
  void anEvictedWorkloadEndsNow() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 100));
    cluster.lifecycle.evict(id("first"), EvictionReason.NODE_FAILURES, "");
    cluster.submit(job(cluster, "big", "q", 4, 50));
    cluster.settle();

    assertThat(promises(cluster)).containsExactly("big at 0");
    cluster.advanceSeconds(2);
    assertThat(settle(cluster))
        .containsExactly("big from 0 to 2: ns/first runs longer than expected");
  }

  @Test
  void whatStartsInTheSameCycleCounts() {
    Cluster cluster = easy().with(queue("q", "c", 2), queue("other", "c", 2));
    cluster
        .run(job(cluster, "first", "q", 2, 100))
        .run(job(cluster, "tiny", "other", 1, 20))
        .submit(job(cluster, "big", "q", 3, 50));
    cluster.settle();
    cluster.submit(job(cluster, "fill", "q", 1, 500)).submit(job(cluster, "next", "other", 4, 30));

    assertThat(DecisionText.admitted(cluster.cycle())).containsExactly("fill");
    assertThat(promises(cluster)).containsExactly("big at 100", "next at 500");
  }

  // ----- states

  /** {@return a cluster with a workload that is promised a start at 100} */
  private static Cluster promised() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster
        .run(job(cluster, "a", "q", 2, 100))
        .run(job(cluster, "b", "q", 2, 60))
        .submit(job(cluster, "big", "q", 4, 50));
    cluster.settle();
    assertThat(promises(cluster)).containsExactly("big at 100");
    return cluster;
  }

  @Test
  void nobodyWaitsForThePromiseOfWhatIsGone() {
    Cluster cluster = promised();
    assertThat(cluster.tick()).contains(60L);
    cluster.finish("a", "b", "big");
    cluster.cycle();

    assertThat(cluster.tick()).isEmpty();
  }

  @Test
  void aForkRenewsThePromisesOfItsOrigin() {
    Cluster cluster = promised();
    cluster.finish("a");

    AdmissionEngine fork = cluster.engine.view().whatIf();
    assertThat(fork.nextTick()).isEqualTo(cluster.engine.nextTick());
    fork.runUntilStable(10);

    assertThat(fork.promises()).extracting(PromiseTest::text).containsExactly("big at 60");
  }
}
