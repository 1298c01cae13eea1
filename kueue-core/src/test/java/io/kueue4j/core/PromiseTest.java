package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.decision.Settings.FillerOrder;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waiting workloads are promised a start, which others do not delay. */
class PromiseTest {
  static Cluster cluster(Backfill backfill) {
    return new Cluster(Settings.builder().backfill(backfill).build());
  }

  static Cluster easy() {
    return cluster(Backfill.ofDepth(1));
  }

  /** {@return a job that runs for so many seconds at most} */
  static Workload job(Cluster cluster, String name, String queue, int cores, long limit) {
    return job(cluster, name, queue, cores, limit, 0);
  }

  static Workload job(
      Cluster cluster, String name, String queue, int cores, long limit, int priority) {
    return cluster.job(
        name,
        queue,
        cores,
        workload -> workload.priority(priority).maximumExecutionTime(Duration.ofSeconds(limit)));
  }

  /** {@return the promises as {@code big at 100}, by start} */
  static List<String> promises(Cluster cluster) {
    return cluster.engine.promises().stream().map(PromiseTest::text).toList();
  }

  static String text(Promise promise) {
    return promise.workload().name() + " at " + seconds(promise);
  }

  private static long seconds(Promise promise) {
    return Duration.between(Cluster.START, promise.start()).toSeconds();
  }

  /** Runs cycles until nothing changes; returns the changes of promises with their reasons. */
  @CanIgnoreReturnValue
  static List<String> settle(Cluster cluster) {
    List<String> changes = new ArrayList<>();
    Decisions decided = cluster.engine.runUntilStable(100).decisions();
    for (PromiseChange change : decided.promiseChanges()) {
      changes.add(change.workload().name()
          + change.before().map(before -> " from " + seconds(before)).orElse("")
          + change.promise().map(now -> " to " + seconds(now)).orElse(" withdrawn")
          + ": " + change.reason());
    }
    return changes;
  }

  private static List<String> admitted(Cluster cluster, String queue) {
    return DecisionText.admitted(cluster.engine.view(), queue);
  }

  /**
   * {@return a cluster whose queue has one of four cores free for 100 seconds, before a big job}
   */
  private static Cluster fullUntil100() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 100)).submit(job(cluster, "big", "q", 4, 50));
    assertThat(settle(cluster)).containsExactly("big to 100: it is among the first of q");
    return cluster;
  }

  /** {@return the same, but the 100 seconds are a guess and no limit} */
  private static Cluster fullForAGuessOf100() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster
        .run(cluster.job(
            "first", "q", 3, workload -> workload.expectedDuration(Duration.ofSeconds(100))))
        .submit(job(cluster, "big", "q", 4, 50));
    settle(cluster);
    return cluster;
  }

  @Test
  void aFillerStartsOnlyWhereItEndsInTime() {
    Cluster cluster = fullUntil100();

    cluster.submit(job(cluster, "long", "q", 1, 101)).submit(job(cluster, "short", "q", 1, 100));
    assertThat(settle(cluster)).isEmpty();

    assertThat(admitted(cluster, "q")).containsExactlyInAnyOrder("first", "short");
    assertThat(cluster.engine.explain(id("long")).reasons())
        .singleElement()
        .returns(ReasonCode.DELAYS_PROMISED_START, reason -> reason.code())
        .returns(
            "would delay ns/big, which starts at 2026-01-01T00:01:40Z at the latest",
            reason -> reason.message());
  }

  @Test
  void aStartWithinASecondCountsExactly() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster.advance(Duration.ofMillis(500));
    cluster.run(job(cluster, "first", "q", 3, 100)).submit(job(cluster, "big", "q", 4, 50));
    settle(cluster);

    assertThat(cluster.engine.promises())
        .extracting(Promise::start)
        .containsExactly(Cluster.START.plusMillis(100_500));
  }

  @Test
  void withoutAPromiseWhateverFitsStarts() {
    Cluster cluster = cluster(Backfill.ofDepth(0)).with(queue("q", 4));
    cluster
        .run(job(cluster, "first", "q", 3, 100))
        .submit(job(cluster, "big", "q", 4, 50))
        .submit(job(cluster, "long", "q", 1, 1000));

    assertThat(settle(cluster)).isEmpty();
    assertThat(admitted(cluster, "q")).containsExactlyInAnyOrder("first", "long");
  }

  @Test
  void aFillerMayRunBesideThePromisedWorkload() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 100)).submit(job(cluster, "big", "q", 3, 50));
    settle(cluster);

    cluster.submit(job(cluster, "long", "q", 1, 10_000));
    settle(cluster);

    assertThat(admitted(cluster, "q")).containsExactlyInAnyOrder("first", "long");
    assertThat(promises(cluster)).containsExactly("big at 100");
  }

  @Test
  void tryAdmitDelaysNoPromiseEither() {
    Cluster cluster = fullUntil100();

    AdmissionResult.Pending refused = cluster.refuse(job(cluster, "long", "q", 1, 101));

    assertThat(refused.reasons().get(0).code()).isEqualTo(ReasonCode.DELAYS_PROMISED_START);
    cluster.run(job(cluster, "short", "q", 1, 100));
  }

  @Test
  void aPromiseMovesToAnEarlierTime() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster
        .run(job(cluster, "a", "q", 2, 100))
        .run(job(cluster, "b", "q", 2, 60))
        .submit(job(cluster, "big", "q", 4, 50));
    settle(cluster);

    cluster.advanceSeconds(10);
    cluster.finish("a");

    assertThat(settle(cluster)).containsExactly("big from 100 to 60: room is free earlier");
  }

  @Test
  void aPromisedWorkloadStartsInTime() {
    Cluster cluster = fullUntil100();

    cluster.advanceSeconds(100);
    cluster.finish("first");
    settle(cluster);

    assertThat(admitted(cluster, "q")).containsExactly("big");
    assertThat(promises(cluster)).isEmpty();
  }

  @Test
  void aPromisedWorkloadHasASecondToStart() {
    Cluster cluster = fullForAGuessOf100();

    cluster.advanceSeconds(100);

    assertThat(settle(cluster)).isEmpty();
    assertThat(cluster.inadmissible("q")).containsExactly("big");
    assertThat(cluster.engine.nextTick()).contains(cluster.now().plusSeconds(1));
  }

  @Test
  void aGuessThatWasTooShortMovesAPromise() {
    Cluster cluster = fullForAGuessOf100();
    assertThat(cluster.engine.promises().get(0).restsOnLimits()).isFalse();

    assertThat(cluster.tick()).contains(100L);
    cluster.advanceSeconds(101);

    assertThat(settle(cluster))
        .containsExactly("big from 100 to 200: ns/first runs longer than expected");
  }

  @Test
  void aPromiseThatMovesLetsOthersStart() {
    Cluster cluster = fullForAGuessOf100();
    cluster.advanceSeconds(20);
    cluster.submit(job(cluster, "filler", "q", 1, 90));
    settle(cluster);
    assertThat(admitted(cluster, "q")).containsExactly("first");

    cluster.advanceSeconds(81);
    settle(cluster);

    assertThat(admitted(cluster, "q")).containsExactlyInAnyOrder("first", "filler");
  }

  @Test
  void ofGuessesThatWereTooShortTheFirstIsNamed() {
    Cluster cluster = easy().with(queue("q", 4));
    for (String name : List.of("z", "a")) {
      cluster.run(cluster.job(
          name, "q", 2, workload -> workload.expectedDuration(Duration.ofSeconds(100))));
    }
    cluster.submit(job(cluster, "big", "q", 4, 50));
    settle(cluster);

    cluster.advanceSeconds(101);

    assertThat(settle(cluster))
        .containsExactly("big from 100 to 200: ns/a runs longer than expected, as do 1 others");
  }

  @Test
  void aPromiseThatRestsOnLimitsSaysSo() {
    assertThat(fullUntil100().engine.promises().get(0))
        .returns(true, Promise::restsOnLimits)
        .returns(false, Promise::borrows)
        .returns("q", Promise::clusterQueue);
  }

  @Test
  void aSmallerQuotaMovesAPromise() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster
        .run(job(cluster, "a", "q", 2, 60))
        .run(job(cluster, "b", "q", 2, 100))
        .submit(job(cluster, "big", "q", 2, 50));
    settle(cluster);

    cluster.with(queue("q", 2).build());

    assertThat(settle(cluster))
        .containsExactly(
            "big from 60 to 100: there is less quota or room on nodes than when it was promised");
  }

  @Test
  void aPromiseIsWithdrawnIfTheQuotaGoes() {
    Cluster cluster = fullUntil100();

    cluster.with(queue("q", 3).build());

    assertThat(settle(cluster))
        .containsExactly(
            "big from 100 withdrawn: there is less quota or room on nodes than when it was promised");
    assertThat(promises(cluster)).isEmpty();
  }

  @Test
  void aWorkloadOfHigherPriorityTakesThePromise() {
    Cluster cluster = fullUntil100();

    cluster.submit(job(cluster, "urgent", "q", 2, 500, 1));

    assertThat(settle(cluster))
        .containsExactly(
            "urgent to 100: it is among the first of q",
            "big from 100 withdrawn: others come before it in q");
  }

  @Test
  void aWorkloadOfHigherPriorityMayDelayAPromise() {
    Cluster cluster = fullUntil100();

    cluster.submit(job(cluster, "urgent", "q", 1, 500, 1));

    assertThat(settle(cluster)).containsExactly("big from 100 to 500: ns/urgent comes before it");
    assertThat(admitted(cluster, "q")).containsExactlyInAnyOrder("first", "urgent");
  }

  @Test
  void aHigherPriorityIsPromisedTheEarlierStart() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 100)).submit(job(cluster, "large", "q", 4, 50));
    settle(cluster);

    cluster.submit(job(cluster, "urgent", "q", 4, 30, 10));

    assertThat(settle(cluster))
        .containsExactly(
            "urgent to 100: it is among the first of q",
            "large from 100 to 130: ns/urgent comes before it");
  }

  /** The delayed job comes before the job of the other queue, and takes its place. */
  @Test
  void aDelayedPromiseDelaysOnesThatComeAfterIt() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("a", "c", 2), queue("b", "c", 2));
    cluster
        .run(job(cluster, "first", "a", 4, 100))
        .submit(job(cluster, "big-a", "a", 4, 50))
        .submit(job(cluster, "big-b", "b", 4, 50));
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("big-a at 100", "big-b at 150");

    cluster.submit(job(cluster, "urgent", "a", 4, 30, 10));

    assertThat(settle(cluster))
        .contains(
            "big-a from 100 to 130: ns/urgent comes before it",
            "big-b from 150 to 180: ns/urgent comes before it");
  }

  private static Cluster borrowed(Policy reclaim) {
    Cluster cluster = easy()
        .with(
            queue("a", "c", 2),
            queue("b", "c", 2)
                .preemption(Preemption.builder().reclaimWithinCohort(reclaim).build()));
    cluster.run(job(cluster, "first", "a", 3, 100)).submit(job(cluster, "big", "a", 4, 50));
    settle(cluster);
    assertThat(cluster.engine.promises().get(0).borrows()).isTrue();
    return cluster;
  }

  @Test
  void otherQueuesOfTheCohortDelayNoPromise() {
    Cluster cluster = borrowed(Policy.NEVER);

    cluster.submit(job(cluster, "late", "b", 1, 200)).submit(job(cluster, "short", "b", 1, 90));
    settle(cluster);

    assertThat(admitted(cluster, "b")).containsExactly("short");
    assertThat(promises(cluster)).contains("big at 100");
  }

  @Test
  void anOwnerThatMayReclaimDelaysABorrowingPromise() {
    Cluster cluster = borrowed(Policy.ANY);

    cluster.submit(job(cluster, "owner", "b", 1, 200));

    assertThat(settle(cluster)).containsExactly("big from 100 to 200: ns/owner comes before it");
    assertThat(admitted(cluster, "b")).containsExactly("owner");
  }

  @Test
  void aPreemptionThatDelaysNoPromiseIsDone() {
    Cluster cluster = easy()
        .with(
            queue("q", "cohort", 2)
                .preemption(Preemption.builder()
                    .withinClusterQueue(Policy.LOWER_PRIORITY)
                    .build()),
            queue("other", "cohort", 2));
    cluster
        .run(job(cluster, "low", "q", 2, 1000))
        .run(job(cluster, "first", "other", 2, 100))
        .submit(job(cluster, "next", "other", 2, 50));
    assertThat(settle(cluster)).containsExactly("next to 100: it is among the first of other");

    cluster.submit(job(cluster, "high", "q", 2, 500, 1));

    StableRun run = cluster.engine.runUntilStable(100);
    assertThat(run.decisions().preempted())
        .singleElement()
        .returns(id("low"), victim -> victim.workload());
    assertThat(run.cycles()).isLessThan(10);
  }

  @Test
  void noPreemptionIsDoneInVain() {
    Cluster cluster = easy()
        .with(queue("q", 4)
            .preemption(
                Preemption.builder().withinClusterQueue(Policy.LOWER_PRIORITY).build()));
    cluster
        .run(job(cluster, "low", "q", 1, 1000, -2))
        .run(job(cluster, "first", "q", 3, 100, 5))
        .submit(job(cluster, "big", "q", 4, 50));
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("big at 1000");

    cluster.submit(job(cluster, "long", "q", 1, 2000, -1));
    settle(cluster);

    assertThat(cluster.engine.isStopping(id("low"))).isFalse();
    assertThat(cluster.engine.explain(id("long")).reasons().get(0).code())
        .isEqualTo(ReasonCode.DELAYS_PROMISED_START);
  }

  @Test
  void unknownDurationsGiveNoPromise() {
    Cluster cluster = easy().with(queue("q", 4));
    cluster
        .run("endless", "q", 2)
        .run(job(cluster, "first", "q", 1, 100))
        .submit(job(cluster, "big", "q", 4, 50))
        .submit(job(cluster, "next", "q", 2, 50));

    assertThat(settle(cluster)).containsExactly("next to 100: it is among the first of q");
  }

  @Test
  void aFillerOfUnknownDurationWaits() {
    Cluster cluster = fullUntil100();

    cluster.submit("endless", "q", 1);
    settle(cluster);

    assertThat(admitted(cluster, "q")).containsExactly("first");
  }

  @Test
  void depthTwoPromisesTwoStarts() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("q", 4));
    cluster
        .run(job(cluster, "first", "q", 3, 100))
        .submit(job(cluster, "a", "q", 4, 50))
        .submit(job(cluster, "b", "q", 4, 50))
        .submit(job(cluster, "c", "q", 4, 50));
    settle(cluster);

    assertThat(promises(cluster)).containsExactly("a at 100", "b at 150");
  }

  @Test
  void aQueueMayHaveItsOwnDepth() {
    Cluster cluster = easy().with(queue("q", 4).backfillDepth(0), queue("r", 4));
    for (String queue : List.of("q", "r")) {
      cluster
          .run(job(cluster, "first-" + queue, queue, 3, 100))
          .submit(job(cluster, "big-" + queue, queue, 4, 50));
    }
    settle(cluster);

    assertThat(promises(cluster)).containsExactly("big-r at 100");
  }

  @Test
  void aDepthNeedsTheSetting() {
    assertThatThrownBy(() -> new Cluster().with(queue("q", 4).backfillDepth(1)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("Settings.backfill");
  }

  @Test
  void theShortestFillerIsTriedFirst() {
    Cluster cluster = cluster(Backfill.ofDepth(1).withFillerOrder(FillerOrder.SHORTEST_FIRST))
        .with(queue("q", 4));
    cluster
        .run(job(cluster, "first", "q", 3, 100))
        .submit(job(cluster, "big", "q", 4, 50))
        .submit(job(cluster, "medium", "q", 1, 80))
        .submit(job(cluster, "short", "q", 1, 30));
    settle(cluster);

    assertThat(admitted(cluster, "q")).containsExactlyInAnyOrder("first", "short");
  }

  @Test
  void aStrictQueueSaysWhenItsHeadStarts() {
    Cluster cluster = easy().with(queue("q", 4).queueingStrategy(QueueingStrategy.STRICT_FIFO));
    cluster
        .run(job(cluster, "first", "q", 3, 100))
        .submit(job(cluster, "big", "q", 4, 50))
        .submit(job(cluster, "short", "q", 1, 10));
    settle(cluster);

    assertThat(promises(cluster)).containsExactly("big at 100");
    assertThat(admitted(cluster, "q")).containsExactly("first");
  }

  @Test
  void whoHasWaitedLongEnoughIsPromisedAStart() {
    Cluster cluster =
        cluster(Backfill.ofDepth(1).withPromiseAfter(Duration.ofHours(1))).with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 10_000)).submit(job(cluster, "old", "q", 4, 50, -1));
    settle(cluster);
    cluster.advance(Duration.ofHours(2));
    cluster.submit(job(cluster, "urgent", "q", 2, 20_000, 1));
    settle(cluster);

    assertThat(promises(cluster)).containsExactly("old at 10000", "urgent at 10050");
  }

  @Test
  void whoHasWaitedIsNotHiddenByYoungerOnesBeforeIt() {
    Cluster cluster =
        cluster(Backfill.ofDepth(1).withPromiseAfter(Duration.ofHours(1))).with(queue("q", 4));
    cluster.run(job(cluster, "first", "q", 3, 10_000)).submit(job(cluster, "old", "q", 4, 50, -1));
    settle(cluster);
    cluster.advance(Duration.ofMinutes(59));
    cluster.submit(job(cluster, "urgent", "q", 4, 50, 2)).submit(young(cluster, "young", 50));
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("urgent at 10000");
    cluster.advance(Duration.ofMinutes(2));
    cluster.submit(young(cluster, "younger", 60));
    settle(cluster);

    assertThat(promises(cluster)).containsExactly("urgent at 10000", "old at 10050");
  }

  private static Workload young(Cluster cluster, String name, long limit) {
    return Cluster.changed(
        job(cluster, name, "q", 3, limit, 1), workload -> workload.creationTime(cluster.now()));
  }

  @Test
  void theReasonIsThePromiseThatHasNoRoom() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("q", 4));
    cluster
        .run(job(cluster, "first", "q", 3, 100))
        .submit(job(cluster, "medium", "q", 3, 50))
        .submit(job(cluster, "big", "q", 4, 50));
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("medium at 100", "big at 150");

    cluster.submit(job(cluster, "filler", "q", 1, 200));
    settle(cluster);

    assertThat(cluster.engine.explain(id("filler")).reasons().get(0).message())
        .startsWith("would delay ns/big, ");
  }

  @Test
  void aWhatIfStudyKeepsThePromises() {
    Cluster cluster = fullUntil100();

    AdmissionEngine study = cluster.engine.view().whatIf();
    study.finish(id("first"));
    study.runUntilStable(10);

    assertThat(study.promises()).isEmpty();
    assertThat(promises(cluster)).containsExactly("big at 100");
    cluster.refuse(job(cluster, "long", "q", 1, 101));
  }

  @Test
  void aStoppedQueuePromisesNothing() {
    Cluster cluster = fullUntil100();

    cluster.stopQueue("q", StopPolicy.HOLD);
    settle(cluster);

    assertThat(promises(cluster)).isEmpty();
  }

  @Test
  void placesOnNodesArePromised() {
    Cluster cluster =
        Hosts.cluster(Settings.builder().backfill(Backfill.ofDepth(1)).build(), "r1/x1:2 r1/x2:2");
    cluster.run(hostJob(cluster, "a", 2, 100)).run(hostJob(cluster, "b", 1, 50));
    cluster.submit(hostJob(cluster, "big", 2, 30));
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("big at 50");

    cluster.submit(hostJob(cluster, "late", 1, 60)).submit(hostJob(cluster, "short", 1, 40));
    settle(cluster);

    // Quota is plenty: only the host is kept free.
    assertThat(admitted(cluster, "q")).containsExactlyInAnyOrder("a", "b", "short");
  }

  @Test
  void aPromiseBehindAnotherIsOnTheNodeThatIsFreeFirst() {
    Cluster cluster =
        Hosts.cluster(Settings.builder().backfill(Backfill.ofDepth(2)).build(), "r1/a:4 r1/b:4");
    for (String name : List.of("first", "second")) {
      cluster.run(onOneHost(name, 4, name.equals("first") ? 100 : 200));
    }
    cluster.submit(onOneHost("big", 4, 50)).submit(onOneHost("next", 4, 50));
    settle(cluster);

    assertThat(promises(cluster)).containsExactly("big at 100", "next at 150");
  }

  private static Workload onOneHost(String name, int cores, long limit) {
    return Cluster.changed(
        Hosts.workload(
            name,
            Hosts.pods(1, String.valueOf(cores), TopologyRequest.required(Topology.HOSTNAME))),
        workload -> workload.maximumExecutionTime(Duration.ofSeconds(limit)));
  }

  @Test
  void anExplanationNamesThePromise() {
    Cluster cluster = fullUntil100();

    assertThat(cluster.engine.explain(id("big")).promise())
        .isEqualTo(cluster.engine.promises().stream().findFirst());
    assertThat(cluster.engine.explain(id("first")).promise()).isEmpty();
  }

  @Test
  void aPromiseSurvivesARestart() {
    Cluster cluster = cluster(Backfill.ofDepth(2)).with(queue("q", 4));
    cluster
        .run(job(cluster, "first", "q", 3, 100))
        .submit(job(cluster, "a", "q", 4, 50))
        .submit(job(cluster, "b", "q", 4, 50));
    settle(cluster);
    List<Promise> before = cluster.engine.promises();

    Cluster restarted = cluster(Backfill.ofDepth(2)).with(queue("q", 4));
    restarted.lifecycle.restore(
        cluster.job("first"), cluster.engine.admission(id("first")).orElseThrow());
    restarted.submit(cluster.job("a")).submit(cluster.job("b"));
    before.forEach(restarted.lifecycle::restore);

    assertThat(restarted.engine.promises()).isEqualTo(before);
    restarted.refuse(job(cluster, "long", "q", 1, 101));
    assertThat(settle(restarted)).isEmpty();
    assertThat(restarted.engine.promises()).isEqualTo(before);
  }

  @Test
  void aPromiseThatCannotBeKeptMovesAfterARestart() {
    Cluster cluster = fullUntil100();
    Promise early = Promise.builder()
        .from(cluster.engine.promises().get(0))
        .start(Cluster.START.plusSeconds(50))
        .build();

    cluster.lifecycle.restore(early);

    assertThat(settle(cluster))
        .containsExactly(
            "big from 50 to 100: there is less quota or room on nodes than when it was promised");
  }

  @Test
  void aPromiseOfSlicesInUseIsRestored() {
    Cluster cluster = easy()
        .with(TpuPoolSet.of("v6e", TpuSlices.pod("pod-0", "4x8")), TpuSlices.flavor("tpu", "v6e"))
        .with(TpuSlices.queue("queue", 1000, "tpu"));
    cluster.run(limited(TpuSlices.job("first", "4x4", 1))).submit(TpuSlices.job("big", "4x8", 1));
    settle(cluster);
    Promise promise = cluster.engine.promises().get(0);

    cluster.lifecycle.restore(promise);

    assertThat(promises(cluster)).containsExactly("big at 100");
    TpuPoolSet other = TpuPoolSet.of("v6e", TpuSlices.pod("pod-1", "4x8"));
    Cluster moved = easy()
        .with(other, TpuSlices.flavor("tpu", "v6e"))
        .with(TpuSlices.queue("queue", 1000, "tpu"))
        .submit(TpuSlices.job("big", "4x8", 1));
    assertThatThrownBy(() -> moved.lifecycle.restore(promise))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TpuPoolSet v6e has no pool pod-0");
  }

  private static Workload limited(Workload job) {
    return Cluster.changed(job, workload -> workload.maximumExecutionTime(Duration.ofSeconds(100)));
  }

  @Test
  void onlyWhatWaitsCanBePromisedAStart() {
    Cluster cluster = fullUntil100();
    Promise promise = cluster.engine.promises().get(0);

    assertThatThrownBy(() -> cluster.lifecycle.restore(
            Promise.builder().from(promise).workload(id("first")).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "ns/first is promised a start in ClusterQueue q, where it does not wait");
    assertThatThrownBy(() -> cluster.lifecycle.restore(
            Promise.builder().from(promise).workload(id("other")).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ns/other is not known");
    assertThatThrownBy(() -> new Cluster()
            .with(queue("q", 4))
            .submit(cluster.job("big"))
            .lifecycle
            .restore(promise))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set Settings.backfill");
  }

  @Test
  void anEqualJobThatEndsSoonerIsPlannedByItself() {
    Cluster cluster = easy()
        .with(
            queue("a", "cohort", 4),
            queue("q", "cohort", 0).queueingStrategy(QueueingStrategy.STRICT_FIFO));
    cluster
        .run(job(cluster, "first", "a", 3, 100))
        .submit("endless", "a", 4)
        .submit(job(cluster, "long", "q", 1, 101))
        .submit(job(cluster, "short", "q", 1, 100));

    // The head of its queue never fits beside the promise, and blocks it in the queue alone.
    settle(cluster);
    assertThat(promises(cluster)).containsExactly("endless at 100");
    assertThat(admitted(cluster, "q")).containsExactly("short");
  }

  private static Workload hostJob(Cluster cluster, String name, int cores, long limit) {
    return Cluster.changed(
        Hosts.workload(
            name,
            Hosts.pods(1, String.valueOf(cores), TopologyRequest.required(Topology.HOSTNAME))),
        workload ->
            workload.creationTime(cluster.now()).maximumExecutionTime(Duration.ofSeconds(limit)));
  }
}
