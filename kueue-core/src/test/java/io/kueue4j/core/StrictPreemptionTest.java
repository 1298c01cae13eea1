package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ReasonCode;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reasons of strict settings; rules SP-1 and SP-2. */
class StrictPreemptionTest {
  private static final Settings STRICT_BORROWING =
      Settings.builder().strictBorrowing(true).build();

  private static Preemption policies(Policy within, Policy reclaim) {
    return Preemption.builder()
        .withinClusterQueue(within)
        .reclaimWithinCohort(reclaim)
        .build();
  }

  /** {@return a cluster where {@code main} would preempt {@code low} and borrow 2 cores more} */
  private static Cluster borrowingMore(Settings settings) {
    Cluster cluster = new Cluster(settings)
        .with(
            queue("a", "c", 0)
                .preemption(Preemption.builder()
                    .from(policies(LOWER_PRIORITY, ANY))
                    .borrowWithinCohort(LOWER_PRIORITY)
                    .build()),
            queue("b", "c", 0),
            queue("lender", "c", 8));
    cluster.run("low", "a", 4).run("other", "b", 2, 200);
    cluster.submit("main", "a", 6, 100);
    return cluster;
  }

  /** {@return a cluster where {@code main} would preempt {@code small} and {@code large} of b} */
  private static Cluster unfair(Settings.Builder settings) {
    Cluster cluster = new Cluster(settings.fairSharing().build())
        .with(
            queue("a", "c", 0).preemption(policies(NEVER, LOWER_PRIORITY)),
            queue("b", "c", 0),
            queue("lender", "c", 9));
    cluster.run("own", "a", 1).run("kept", "b", 4, 200).run("large", "b", 3);
    cluster.advanceSeconds(1);
    cluster.run("small", "b", 1);
    cluster.submit("main", "a", 4, 100);
    return cluster;
  }

  private static Stream<String> limited(Cluster cluster) {
    return cluster.engine.explain(id("main")).reasons().stream()
        .filter(reason -> reason.code() == ReasonCode.PREEMPTION_LIMITED)
        .map(reason -> reason.message());
  }

  @Test
  void theReasonSaysHowMuchMoreTheQueueWouldBorrow() {
    Cluster cluster = borrowingMore(STRICT_BORROWING);

    assertThat(preempted(cluster.cycle())).isEmpty();

    assertThat(limited(cluster))
        .containsExactly(
            "would preempt 1 workload of its own ClusterQueue and borrow 2 more cpu of "
                + "flavor default, which strictBorrowing does not allow");
    assertThat(cluster.tick()).isEmpty();
    assertThat(cluster.inadmissible("a")).containsExactly("main");
    cluster.finish("low");
    assertThat(admitted(cluster.cycle())).containsExactly("main");
    assertThat(preempted(borrowingMore(Settings.defaults()).cycle()))
        .containsExactly("low for main: InClusterQueue");
  }

  @Test
  void onlyVictimsOfTheOwnQueueMatter() {
    Cluster cluster = borrowingMore(STRICT_BORROWING);
    cluster.finish("main", "other");
    cluster.run("foreign", "b", 4).submit("main", "a", 8, 100);

    assertThat(preempted(cluster.cycle())).isEmpty();

    assertThat(limited(cluster))
        .singleElement(STRING)
        .startsWith("would preempt 1 workload of its own");
    cluster.finish("low", "main");
    cluster.submit("next", "a", 8, 100);
    assertThat(preempted(cluster.cycle()))
        .containsExactly("foreign for next: InCohortReclaimWhileBorrowing");
  }

  @Test
  void theReasonSaysHowMuchMoreACohortWouldBorrow() {
    Cluster cluster = new Cluster(STRICT_BORROWING)
        .with(Cohort.builder().name("left").parent("root").build())
        .with(
            queue("a", "left", 6).preemption(policies(LOWER_PRIORITY, NEVER)),
            queue("b", "left", 0),
            queue("lender", "root", 8));
    cluster.run("low", "a", 4).run("other", "b", 2).run("lent", "lender", 5);
    cluster.submit("main", "a", 6, 100);

    cluster.cycle();

    assertThat(limited(cluster))
        .containsExactly("would preempt 1 workload of its own ClusterQueue and let a cohort above "
            + "it borrow 2 more cpu of flavor default, which strictBorrowing does not allow");
  }

  @Test
  void theReasonSaysHowManyVictimsAreUnfair() {
    Cluster cluster = unfair(Settings.builder().strictFairSharing(true));

    assertThat(preempted(cluster.cycle())).isEmpty();

    assertThat(limited(cluster))
        .containsExactly("would preempt 2 workloads, 1 of them unfair once the others have "
            + "stopped, which strictFairSharing does not allow");
    assertThat(cluster.tick()).isEmpty();
    assertThat(preempted(unfair(Settings.builder()).cycle()))
        .containsExactlyInAnyOrder(
            "small for main: InCohortFairSharing", "large for main: InCohortFairSharing");
  }

  /** The minimum run time ends, and the strict setting still refuses. */
  @Test
  void aLimitBesideItIsStillWaitedFor() {
    Cluster cluster = borrowingMore(Settings.builder()
        .from(STRICT_BORROWING)
        .preemptionLimits(PreemptionLimits.builder()
            .putMinRunTimes(PreemptionReason.IN_CLUSTER_QUEUE, Duration.ofMinutes(30))
            .build())
        .build());

    cluster.cycle();

    assertThat(limited(cluster))
        .containsExactly(
            "would preempt 1 workload of its own ClusterQueue and borrow 2 more cpu of "
                + "flavor default, which strictBorrowing does not allow; tried again at "
                + "2026-01-01T00:30:00Z");
    cluster.advanceSeconds(cluster.tick().orElseThrow());
    assertThat(preempted(cluster.cycle())).isEmpty();
    assertThat(cluster.tick()).isEmpty();
  }
}
