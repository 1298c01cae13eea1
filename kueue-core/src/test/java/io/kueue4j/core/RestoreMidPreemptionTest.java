package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static io.kueue4j.core.model.PreemptionReason.IN_CLUSTER_QUEUE;
import static io.kueue4j.core.model.PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A restart between an eviction and the end of the pods; rule L-9. */
class RestoreMidPreemptionTest {
  private static Cluster oneQueue() {
    return new Cluster()
        .ticking()
        .with(queue("q", "c", 4)
            .preemption(Preemption.builder()
                .withinClusterQueue(LOWER_PRIORITY)
                .reclaimWithinCohort(ANY)
                .build()));
  }

  private static void restore(
      Cluster cluster, Workload workload, Admission admission, PreemptedCondition preempted) {
    cluster.engine.lifecycle().restore(workload, admission, preempted);
  }

  @Test
  void noneIsEvictedBeforeTheFirst() {
    Cluster cluster = oneQueue().run("low", "q", 4, 0).submit("high", "q", 4, 1);
    assertThat(cluster.engine.lifecycle().preempted(id("low"))).isEmpty();
    assertThat(cluster.engine.lifecycle().preempted(id("high"))).isEmpty();
    assertThat(cluster.engine.lifecycle().preempted(id("unknown"))).isEmpty();

    cluster.cycle();

    assertThat(cluster.engine.lifecycle().preempted(id("low")))
        .hasValue(new PreemptedCondition(IN_CLUSTER_QUEUE, cluster.now()));
    assertThat(cluster.engine.lifecycle().preempted(id("high"))).isEmpty();
    cluster.stop("low");
    assertThat(cluster.engine.lifecycle().preempted(id("low"))).isEmpty();
  }

  @Test
  void aRestoredVictimIsNotStoppedAgainAndFreesItsQuota() {
    Cluster before = oneQueue();
    Workload low = before.job("low", "q", 4, 0);
    Workload high = before.job("high", "q", 4, 1);
    before.run(low).submit(high).cycle();

    Cluster after = oneQueue();
    restore(
        after,
        low,
        before.engine.admission(low.id()).orElseThrow(),
        before.engine.lifecycle().preempted(low.id()).orElseThrow());
    after.submit(high);

    assertThat(after.view("q").stopping()).containsExactly(low.id());
    assertThat(after.engine.lifecycle().preempted(low.id()))
        .isEqualTo(before.engine.lifecycle().preempted(low.id()));
    Explanation explanation = after.engine.explain(low.id());
    assertThat(explanation.isStopping()).isTrue();
    assertThat(explanation.preempted()).isEqualTo(before.engine.lifecycle().preempted(low.id()));
    assertThat(explanation.preemptedBy()).isEmpty();
    assertThat(after.cycle().preempted()).isEmpty();
    assertThat(after.used("q")).isEqualTo(4);
    after.stop("low");
    assertThat(admitted(after.cycle())).containsExactly("high");
    assertThat(EngineCalls.podsStopped(after.engine, low.id())).isFalse();
  }

  @Test
  void aRestoredVictimIsTheFirstVictimThoughAnotherCameLater() {
    Cluster cluster = oneQueue();
    Instant start = cluster.now();
    cluster.restore(cluster.job("later", "q", 2, 0), start.plusSeconds(60));
    Workload evicted = cluster.job("evicted", "q", 2, 0);
    cluster.run(evicted);
    Admission admission = cluster.engine.admission(evicted.id()).orElseThrow();
    cluster.engine.release(evicted.id());
    restore(cluster, evicted, admission, new PreemptedCondition(IN_CLUSTER_QUEUE, start));
    cluster.submit("high", "q", 2, 1);

    assertThat(preempted(cluster.cycle())).isEmpty();
    cluster.stop("evicted");
    assertThat(admitted(cluster.cycle())).containsExactly("high");
    assertThat(cluster.workload("later").holdsQuota()).isTrue();
  }

  /** Rule U-5 c. */
  @ParameterizedTest
  @CsvSource({"true, evicted", "false, other"})
  void whoWasPreemptedByABorrowerQueuesFromThenOn(boolean sortsByPriority, String first) {
    Cluster cluster = Cluster.with(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT, sortsByPriority)
        .ticking()
        .with(queue("q", "c", 4)
            .preemption(Preemption.builder()
                .withinClusterQueue(NEVER)
                .reclaimWithinCohort(NEVER)
                .build()));
    Workload evicted = cluster.job("evicted", "q", 4, 0);
    cluster.run(evicted);
    Admission admission = cluster.engine.admission(evicted.id()).orElseThrow();
    cluster.engine.release(evicted.id());
    cluster.submit("other", "q", 4, 0);
    cluster.advanceSeconds(5);
    restore(
        cluster,
        evicted,
        admission,
        new PreemptedCondition(IN_COHORT_RECLAIM_WHILE_BORROWING, cluster.now()));

    cluster.stop("evicted");

    assertThat(cluster.pending("q")).hasSize(2).startsWith(first);
  }

  @Test
  void whatIsRefusedIsNotTaken() {
    Cluster cluster = oneQueue();
    Workload known = cluster.job("known", "q", 4, 0);
    cluster.run(known);
    Admission admission = cluster.engine.admission(known.id()).orElseThrow();
    PreemptedCondition preempted = new PreemptedCondition(IN_CLUSTER_QUEUE, cluster.now());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.engine.lifecycle().restore(known, admission, preempted))
        .withMessageContaining("known already");
    assertThat(cluster.view("q").stopping()).isEmpty();
  }
}
