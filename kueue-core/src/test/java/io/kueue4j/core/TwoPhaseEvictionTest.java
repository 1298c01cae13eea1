package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A victim is evicted, and holds its quota until it has stopped. */
class TwoPhaseEvictionTest {
  private final Cluster cluster = new Cluster().ticking();

  @BeforeEach
  void oneQueueOfFour() {
    cluster.with(queue("q", "c", 4)
        .preemption(Preemption.builder()
            .withinClusterQueue(LOWER_PRIORITY)
            .reclaimWithinCohort(NEVER)
            .build()));
  }

  private void highWaitsForLow() {
    cluster.run("low", "q", 4, 0).submit("high", "q", 4, 1);
    assertThat(preempted(cluster.cycle())).containsExactly("low for high: InClusterQueue");
  }

  @Test
  void theCycleNamesTheVictimAndWhatItFrees() {
    cluster.run("low", "q", 4, 0).submit("high", "q", 2, 1);

    PreemptionVictim victim = cluster.cycle().preempted().get(0);

    assertThat(victim.workload()).isEqualTo(id("low"));
    assertThat(victim.preemptor()).isEqualTo(id("high"));
    assertThat(victim.clusterQueue()).isEqualTo("q");
    assertThat(victim.reason()).isEqualTo(PreemptionReason.IN_CLUSTER_QUEUE);
    assertThat(victim.frees())
        .containsExactly(new PreemptionVictim.HeldQuota("default", "cpu", 4000));
  }

  @Test
  void theVictimHoldsItsQuotaUntilItHasStopped() {
    highWaitsForLow();

    assertThat(cluster.workload("low").holdsQuota()).isTrue();
    assertThat(cluster.workload("high").holdsQuota()).isFalse();
    assertThat(cluster.used("q")).isEqualTo(4);
    assertThat(stopping()).containsExactly(id("low"));

    cluster.stop("low");

    assertThat(stopping()).isEmpty();

    assertThat(cluster.workload("low").holdsQuota()).isFalse();
    assertThat(cluster.used("q")).isZero();
  }

  private List<WorkloadId> stopping() {
    return cluster.engine.view().clusterQueue("q").orElseThrow().stopping();
  }

  @Test
  void thePreemptorIsAdmittedWhenTheVictimHasStopped() {
    highWaitsForLow();
    cluster.stop("low");

    assertThat(admitted(cluster.cycle())).containsExactly("high");
    assertThat(cluster.workload("low").holdsQuota()).isFalse();
  }

  @Test
  void thePreemptorIsAdmittedWhenTheVictimHasFinished() {
    highWaitsForLow();

    assertThat(cluster.engine.finish(id("low")).removed()).isNotEmpty();

    assertThat(admitted(cluster.cycle())).containsExactly("high");
  }

  @Test
  void noneIsEvictedTwice() {
    highWaitsForLow();

    for (int i = 0; i < 3; i++) {
      Decisions again = cluster.cycle();

      assertThat(again.admitted()).isEmpty();
      assertThat(again.preempted()).isEmpty();
      assertThat(cluster.workload("high").cause())
          .isEqualTo(PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS);
    }
    assertThat(cluster.lifecycle.status(id("low")).evictions())
        .containsExactly(new EvictionCount(EvictionReason.PREEMPTED, Optional.empty(), 1));
  }

  @Test
  void whoWasToldIsPreferredToALowerPriority() {
    cluster.run("top", "q", 2, 9).run("low", "q", 2, 0).submit("high", "q", 2, 1);
    assertThat(preempted(cluster.cycle())).containsExactly("low for high: InClusterQueue");
    cluster.engine.finish(id("top"));
    cluster.run("lowest", "q", 2, -9);

    assertThat(cluster.cycle().preempted()).isEmpty();
    assertThat(cluster.workload("high").cause())
        .isEqualTo(PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS);
  }

  @Test
  void podsOfAWorkloadThatWasNotToldDoNotCountAsStopped() {
    cluster.run("low", "q", 4, 0);

    assertThat(EngineCalls.podsStopped(cluster.engine, id("low"))).isFalse();
    assertThat(cluster.used("q")).isEqualTo(4);
  }

  @Test
  void podsStopOnce() {
    highWaitsForLow();
    cluster.stop("low");

    assertThat(EngineCalls.podsStopped(cluster.engine, id("low"))).isFalse();
  }

  @Test
  void theVictimStopsEvenIfItsPreemptorIsGone() {
    highWaitsForLow();
    cluster.engine.delete(id("high"));

    assertThat(cluster.cycle().admitted()).isEmpty();
    cluster.stop("low");
    assertThat(admitted(cluster.cycle())).containsExactly("low");
  }

  @Test
  void theVictimKeepsItsPlaceInTheQueue() {
    highWaitsForLow();
    cluster.submit("late", "q", 4, 0);
    cluster.stop("low");

    assertThat(admitted(cluster.cycle())).containsExactly("high");
    cluster.engine.finish(id("high"));
    assertThat(admitted(cluster.cycle())).containsExactly("low");
  }

  @Test
  void aVictimThatIsAdmittedAgainMayBeToldAgain() {
    highWaitsForLow();
    cluster.stop("low");
    cluster.cycle();
    cluster.engine.finish(id("high"));
    cluster.cycle();
    cluster.submit("higher", "q", 4, 2);

    assertThat(preempted(cluster.cycle())).containsExactly("low for higher: InClusterQueue");
  }

  @Test
  void aPreemptorKeepsItsTurnInBestEffortFifo() {
    highWaitsForLow();
    cluster.submit("top", "q", 4, 9);
    cluster.stop("low");

    assertThat(admitted(cluster.cycle())).containsExactly("high");
  }

  @Test
  void aPreemptorYieldsToPriorityInStrictFifo() {
    cluster.with(queue("q", "c", 4)
        .preemption(Preemption.builder()
            .withinClusterQueue(LOWER_PRIORITY)
            .reclaimWithinCohort(NEVER)
            .build())
        .queueingStrategy(QueueingStrategy.STRICT_FIFO));
    highWaitsForLow();
    cluster.submit("top", "q", 4, 9);
    cluster.stop("low");

    assertThat(admitted(cluster.cycle())).containsExactly("top");
  }

  @Test
  void aPreemptorLosesItsTurnWhenItLeaves() {
    highWaitsForLow();
    cluster.engine.delete(id("high"));
    cluster.submit("mid", "q", 4, 1).submit("top", "q", 4, 9);
    cluster.stop("low");

    assertThat(admitted(cluster.cycle())).containsExactly("top");
  }

  @Test
  void aVictimThatChangesIsStillToldToStop() {
    Workload low = cluster.job("low", "q", 4, 0);
    cluster.run(low).submit("high", "q", 4, 1);
    cluster.cycle();

    cluster.engine.update(Workload.builder().from(low).priority(-1).build());

    assertThat(cluster.cycle().preempted()).isEmpty();
    cluster.stop("low");
    assertThat(admitted(cluster.cycle())).containsExactly("high");
  }

  @Test
  void aRunningWorkloadHasTheValueOfItsPriorityClassNow() {
    cluster.with(new WorkloadPriorityClass("batch", 5));
    Workload batch = Workload.builder()
        .from(cluster.job("batch", "q", 4, 0))
        .priorityClass("batch")
        .build();
    cluster.run(batch).submit("high", "q", 4, 1);
    assertThat(cluster.cycle().preempted()).isEmpty();

    cluster.with(new WorkloadPriorityClass("batch", 0));

    assertThat(preempted(cluster.cycle())).containsExactly("batch for high: InClusterQueue");
  }

  @Test
  void aChangedVictimKeepsItsPlaceAmongThoseAdmitted() {
    Workload first = cluster.job("first", "q", 2, 0);
    cluster.run(first).run("second", "q", 2, 0);

    cluster.engine.update(Workload.builder().from(first).priority(1).build());

    assertThat(cluster.view("q").admitted())
        .extracting(admission -> admission.workload().name())
        .containsExactly("first", "second");
  }

  @Test
  void amongThoseAdmittedInTheSameSecondTheUidDecides() {
    Instant second = cluster.now();
    cluster.restore(
        Workload.builder().from(cluster.job("a", "q", 2, 0)).uid("1").build(), second);
    cluster.restore(
        Workload.builder().from(cluster.job("b", "q", 2, 0)).uid("2").build(),
        second.plusMillis(900));
    cluster.submit("high", "q", 2, 1);

    assertThat(preempted(cluster.cycle())).containsExactly("a for high: InClusterQueue");
  }

  @Test
  void restoredWorkloadsArePreemptedLatestFirst() {
    Instant start = cluster.now();
    cluster.restore(cluster.job("new", "q", 2, 0), start.plusSeconds(9));
    cluster.restore(cluster.job("old", "q", 2, 0), start);
    cluster.submit("high", "q", 2, 1);

    assertThat(preempted(cluster.cycle())).containsExactly("new for high: InClusterQueue");
    cluster.stop("new");
    assertThat(admitted(cluster.cycle())).containsExactly("high");
  }

  @Test
  void amongEqualPrioritiesTheOlderDoesNotGiveWay() {
    cluster.with(queue("q", "c", 4)
        .preemption(Preemption.builder()
            .withinClusterQueue(LOWER_OR_NEWER_EQUAL_PRIORITY)
            .reclaimWithinCohort(NEVER)
            .build()));
    Workload older = cluster.job("older", "q", 4, 0);
    Workload newer = cluster.job("newer", "q", 4, 0);
    cluster.run(newer).submit(older);

    assertThat(preempted(cluster.cycle())).containsExactly("newer for older: InClusterQueue");
    cluster.stop("newer");
    assertThat(admitted(cluster.cycle())).containsExactly("older");
    assertThat(cluster.cycle().preempted()).isEmpty();
  }
}
