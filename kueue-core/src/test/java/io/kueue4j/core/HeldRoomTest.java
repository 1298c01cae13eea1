package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.group;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The quota that a cycle reserves for pending workloads without victims; rules S-18, S-19, X-6. */
class HeldRoomTest {
  private static ResourceGroup borrowing(int limit) {
    return group(cores(0).withBorrowingLimit(String.valueOf(limit)));
  }

  private static ResourceGroup quotas(long x, long y) {
    return group(ResourceQuota.ofAmount("x", x), ResourceQuota.ofAmount("y", y));
  }

  /**
   * Queue p may reclaim all of its quota, so none is reserved. Here p1 waits for 4 of 6 cores of
   * which 3 are free; o2 requests one of those.
   */
  private static Cluster stuckInAQueueThatMayReclaimAll(
      boolean preemptorsFirst, boolean hasPreempted) {
    Cluster cluster = Cluster.with(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, preemptorsFirst)
        .ticking()
        .with(
            queue("p", "c", 4)
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(ANY)
                    .build()),
            queue("o", "c", 2),
            queue("v", "c", 0));
    cluster.run("o1", "o", 2, 0);
    if (hasPreempted) {
      cluster.run("v1", "v", 3, 0).submit("p1", "p", 4, 5);
      assertThat(preempted(cluster.cycle())).containsExactly("v1 for p1: InCohortReclamation");
      cluster.engine.finish(Cluster.id("v1"));
    }
    cluster.run("p2", "p", 1, 9);
    if (!hasPreempted) {
      cluster.submit("p1", "p", 4, 5);
    }
    return cluster.submit("o2", "o", 1, 0);
  }

  @ParameterizedTest
  @CsvSource({"true, true, true", "true, false, false", "false, true, false"})
  void isHeldForAPreemptorIfPreemptorsGoFirst(
      boolean preemptorsFirst, boolean hasPreempted, boolean held) {
    Cluster cluster = stuckInAQueueThatMayReclaimAll(preemptorsFirst, hasPreempted);

    assertThat(admitted(cluster.cycle()).contains("o2")).isNotEqualTo(held);
    assertThat(cluster.workload("p1").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
  }

  /**
   * Queue s uses 6, one more than its reduced limit, so the amount reserved for s1 is -1: the usage
   * of s drops to 5, the usage of the cohort stays 6. Then removing v1 takes only 5 from the
   * cohort, and r1 lacks one core until the cycle ends.
   */
  @Test
  void mayBeNegativeAndThenLowersTheQueueButNotItsCohort() {
    Preemption whileBorrowing = Preemption.builder()
        .withinClusterQueue(NEVER)
        .reclaimWithinCohort(LOWER_PRIORITY)
        .borrowWithinCohort(LOWER_PRIORITY)
        .build();
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("s", "c", borrowing(6)).preemption(whileBorrowing),
            queue("r", "c", 4).preemption(whileBorrowing),
            queue("l", "c", 2));
    cluster.run("v1", "s", 6, 0).with(queue("s", "c", borrowing(5)).preemption(whileBorrowing));
    cluster.submit("s1", "s", 1, 9).submit("r1", "r", 6, 5);

    Decisions together = cluster.cycle();

    assertThat(together.preempted()).isEmpty();
    assertThat(cluster.workload("s1").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
    assertThat(cluster.workload("r1").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
    assertThat(preempted(cluster.cycle()))
        .as("with s1 parked nothing is held")
        .containsExactly("v1 for r1: InCohortReclaimWhileBorrowing");
  }

  /**
   * Queue s uses 6 of x, its quota is 2. Its job s1 could preempt v1 for x but gets no y, which is
   * never released; no x is reserved for it, not even a negative amount, and r1 can have all that
   * v1 frees.
   */
  @Test
  void isNeverNegativeForWhoDoesNotBorrow() {
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("s", "c", quotas(2, 1))
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(NEVER)
                    .build()),
            queue("r", "c", quotas(6, 0))
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(ANY)
                    .build()),
            queue("o", "c", quotas(0, 0)));
    cluster
        .run(cluster.job("v1", "s", 0, Map.of("x", 6L)))
        .run(cluster.job("o1", "o", 9, Map.of("x", 2L, "y", 1L)))
        .submit(cluster.job("s1", "s", 8, Map.of("x", 2L, "y", 1L)))
        .submit(cluster.job("r1", "r", 5, Map.of("x", 6L)));

    assertThat(preempted(cluster.cycle())).containsExactly("v1 for r1: InCohortReclamation");
    assertThat(cluster.workload("s1").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
  }

  /**
   * Queue s uses 3 of its quota of 4, and may not borrow. Its job s1 requests 2 and could preempt
   * v1 for them, but gets no y: of x only the remaining 1 of the quota is reserved. So o2 can have
   * 5 of the 6 free in the cohort.
   */
  @ParameterizedTest
  @CsvSource({"5, true", "6, false"})
  void isOnlyWhatIsLeftOfTheQuotaForWhoDoesNotBorrow(long asked, boolean admitted) {
    ResourceGroup ofS = ResourceGroup.of(FlavorQuotas.of(
        FLAVOR,
        new ResourceQuota("x", 4, OptionalLong.of(0), OptionalLong.empty()),
        ResourceQuota.ofAmount("y", 1L)));
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("s", "c", ofS)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(NEVER)
                    .build()),
            queue("l", "c", quotas(5, 0)),
            queue("o", "c", quotas(0, 0)));
    cluster
        .run(cluster.job("v1", "s", 0, Map.of("x", 3L)))
        .run(cluster.job("o1", "o", 9, Map.of("y", 1L)))
        .submit(cluster.job("s1", "s", 8, Map.of("x", 2L, "y", 1L)))
        .submit(cluster.job("o2", "o", 0, Map.of("x", asked)));

    assertThat(admitted(cluster.cycle()).contains("o2")).isEqualTo(admitted);
    assertThat(cluster.workload("s1").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
  }
}
