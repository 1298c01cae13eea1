package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.PromiseTest.cluster;
import static io.kueue4j.core.PromiseTest.easy;
import static io.kueue4j.core.PromiseTest.job;
import static io.kueue4j.core.PromiseTest.promises;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.List;
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

  // ----- claims

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
