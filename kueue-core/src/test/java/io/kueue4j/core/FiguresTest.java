package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Reason.QuotaFigures;
import io.kueue4j.core.model.Reason.QuotaFigures.Holder;
import io.kueue4j.core.model.Reason.QuotaFigures.Limit;
import io.kueue4j.core.model.Reason.QuotaFigures.LimitKind;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The quota figures in explanations: the binding limit, and its users. */
class FiguresTest {
  private final Cluster cluster = new Cluster().ticking();

  private static ResourceGroup group(ResourceQuota quota) {
    return ResourceGroup.of(FlavorQuotas.of(FLAVOR, quota));
  }

  private static ClusterQueue.Builder alone(String name, int cores) {
    return ClusterQueue.builder()
        .from(queue(name, "unused", group(cores(cores))).build())
        .cohort(Optional.empty());
  }

  private static ClusterQueue.Builder limited(String name, String cohort, int cores, String limit) {
    return queue(name, cohort, group(cores(cores).withBorrowingLimit(limit)));
  }

  private QuotaFigures figures(String name) {
    cluster.cycle();
    List<Reason> reasons = cluster.engine.explain(id(name)).reasons();
    assertThat(reasons).hasSize(1);
    return reasons.get(0).figures().orElseThrow();
  }

  @Test
  void aQueueAloneIsBoundByItsQuota() {
    cluster.with(alone("q", 10)).run("a", "q", 2, 0).run("b", "q", 5, 0);
    cluster.submit("w", "q", 4, 0);
    QuotaFigures figures = figures("w");
    assertThat(figures)
        .isEqualTo(new QuotaFigures(
            4_000,
            7_000,
            3_000,
            10_000,
            new Limit(LimitKind.CLUSTER_QUEUE_QUOTA, "q", 10_000, 7_000),
            figures.holders(),
            0));
    assertThat(figures.holders())
        .containsExactly(new Holder(id("b"), "q", 5_000), new Holder(id("a"), "q", 2_000));
    assertThat(figures.limit().message("cpu")).isEqualTo("quota of ClusterQueue q: 7 of 10 in use");
    assertThat(figures.holders().get(0).message("cpu")).isEqualTo("ns/b in q (5)");
  }

  @Test
  void inACohortTheQuotaOfTheTreeBindsAndOthersHoldIt() {
    cluster.with(queue("q", "left", 2), queue("r", "left", 3), queue("s", "right", 4));
    cluster.with(Cohort.builder().name("left").parent("root").build());
    cluster.with(Cohort.builder().name("right").parent("root").build());
    cluster.run("own", "q", 1, 0).run("near", "r", 2, 0).run("far", "s", 4, 0);
    cluster.submit("w", "q", 3, 0);
    QuotaFigures figures = figures("w");
    assertThat(figures.limit()).isEqualTo(new Limit(LimitKind.COHORT_QUOTA, "root", 9_000, 7_000));
    assertThat(figures.holders())
        .containsExactly(
            new Holder(id("own"), "q", 1_000),
            new Holder(id("far"), "s", 4_000),
            new Holder(id("near"), "r", 2_000));
    assertThat(figures.nominal()).isEqualTo(2_000);
    assertThat(figures.available()).isEqualTo(2_000);
  }

  @Test
  void theBorrowingLimitOfTheQueueBindsAndOnlyItsOwnCount() {
    cluster.with(limited("q", "c", 2, "1"), queue("r", "c", 8));
    cluster.run("own", "q", 3, 0).run("other", "r", 1, 0);
    cluster.submit("w", "q", 1, 0);
    QuotaFigures figures = figures("w");
    assertThat(figures.limit())
        .isEqualTo(new Limit(LimitKind.CLUSTER_QUEUE_BORROWING_LIMIT, "q", 1_000, 1_000));
    assertThat(figures.holders()).containsExactly(new Holder(id("own"), "q", 3_000));
  }

  @Test
  void theBorrowingLimitOfACohortBindsAndItsMembersCount() {
    cluster.with(queue("q", "left", 2), queue("r", "left", 1), queue("s", "right", 9));
    cluster.with(
        Cohort.builder()
            .name("left")
            .parent("root")
            .addResourceGroups(group(cores(0).withBorrowingLimit("2")))
            .build(),
        Cohort.builder().name("right").parent("root").build());
    cluster.run("sibling", "r", 4, 0).run("far", "s", 1, 0);
    cluster.submit("w", "q", 2, 0);
    QuotaFigures figures = figures("w");
    assertThat(figures.limit())
        .isEqualTo(new Limit(LimitKind.COHORT_BORROWING_LIMIT, "left", 2_000, 1_000));
    assertThat(figures.holders()).containsExactly(new Holder(id("sibling"), "r", 4_000));
    assertThat(figures.available()).isEqualTo(1_000);
  }

  @Test
  void whatCouldNeverBeHadIsBoundWhateverIsUsed() {
    cluster.with(limited("q", "c", 2, "3"), queue("r", "c", 8)).run("other", "r", 8, 0);
    cluster.submit("w", "q", 6, 0);
    cluster.cycle();
    Reason reason = cluster.engine.explain(id("w")).reasons().get(0);
    assertThat(reason.code()).isEqualTo(ReasonCode.EXCEEDS_MAXIMUM);
    assertThat(reason.figures().orElseThrow().limit())
        .isEqualTo(new Limit(LimitKind.CLUSTER_QUEUE_BORROWING_LIMIT, "q", 3_000, 0));
  }

  @Test
  void theLargestFiveAreNamedAndTheOthersCounted() {
    cluster.with(alone("q", 30));
    for (int size = 1; size <= 7; size++) {
      cluster.run("w" + size, "q", size, 0);
    }
    cluster.submit("w", "q", 8, 0);
    QuotaFigures figures = figures("w");
    assertThat(figures.holders())
        .extracting(holder -> holder.workload().name())
        .containsExactly("w7", "w6", "w5", "w4", "w3");
    assertThat(figures.otherHolderCount()).isEqualTo(2);
  }

  @Test
  void ofEqualHoldersTheNameDecides() {
    cluster.with(alone("q", 4)).run("b", "q", 2, 0).run("a", "q", 2, 0).submit("w", "q", 1, 0);
    assertThat(figures("w").holders())
        .extracting(holder -> holder.workload().name())
        .containsExactly("a", "b");
  }

  @Test
  void whoHoldsNothingOfItIsNoHolder() {
    cluster.with(alone("q", 4)).run("a", "q", 4, 0);
    cluster.run(cluster.job("nothing", "q", 0, Map.of("cpu", 0L))).submit("w", "q", 1, 0);
    assertThat(figures("w").holders())
        .extracting(holder -> holder.workload().name())
        .containsExactly("a");
  }

  @Test
  void reasonsAreOfNowAndTheLastAttemptKeepsItsOwn() {
    cluster.with(alone("q", 10)).run("a", "q", 8, 0).submit("w", "q", 4, 0);
    cluster.cycle();
    cluster.run("b", "q", 1, 0);
    Explanation explanation = cluster.engine.explain(id("w"));
    Reason reason = explanation.reasons().get(0);
    assertThat(reason.used()).hasValue(9_000);
    assertThat(reason.available()).hasValue(1_000);
    assertThat(reason.message()).contains("requests 4, 1 available, 3 more needed");
    assertThat(explanation.status().condition(ConditionType.QUOTA_RESERVED))
        .hasValueSatisfying(condition ->
            assertThat(condition.message()).contains("requests 4, 1 available, 3 more needed"));
    assertThat(reason.figures().orElseThrow().used()).isEqualTo(9_000);
    assertThat(reason.figures().orElseThrow().available()).isEqualTo(1_000);
    assertThat(explanation.lastAttemptReasons().get(0).used()).hasValue(8_000);
    assertThat(explanation.lastAttemptReasons().get(0).figures()).isEmpty();
  }

  @Test
  void whatFitsByNowDidNotFitWhenItWasTried() {
    LocalQueue other = LocalQueue.of(Cluster.NAMESPACE, "other", "q");
    cluster.with(alone("q", 4)).with(other).run("a", "other", 3, 0).submit("w", "q", 2, 0);
    cluster.cycle();
    // The end of a workload whose LocalQueue is stopped wakes nobody (U-17a).
    cluster.with(LocalQueue.builder().from(other).stopPolicy(StopPolicy.HOLD).build());
    cluster.finish("a");

    assertThat(cluster.engine.explain(id("w")).reasons())
        .extracting(Reason::message)
        .containsExactly("pod set main: cpu in flavor default: requests 2, 4 available now, but did"
            + " not fit when it was last tried");
  }

  @Test
  void whatIsHeldInACycleIsAvailableAfterIt() {
    Preemption lower =
        Preemption.builder().withinClusterQueue(Policy.LOWER_PRIORITY).build();
    cluster
        .with(limited("q", "c", 4, "0").preemption(lower), queue("r", "c", 4))
        .run("a", "q", 2, 0);
    cluster.submit("preemptor", "q", 4, 1).submit("w", "r", 5, 0);
    cluster.cycle();

    assertThat(cluster.engine.explain(id("w")).reasons())
        .extracting(Reason::message)
        .containsExactly("pod set main: cpu in flavor default: requests 5, 6 available, which"
            + " earlier workloads of the same cycle took or held");
  }

  @Test
  void reasonsAreEqualIfTheySayTheSameWhateverTheFigures() {
    cluster.with(alone("q", 10)).run("a", "q", 8, 0).submit("w", "q", 4, 0);
    Reason ofCycle = cluster.cycle().pending().get(0).reasons().get(0);
    Reason explained = cluster.engine.explain(id("w")).reasons().get(0);
    assertThat(ofCycle.figures()).isEmpty();
    assertThat(explained.figures()).isPresent();
    assertThat(explained).isEqualTo(ofCycle).hasToString(ofCycle.toString());
  }

  @Test
  void quotaThatWasTakenBackSinceHasNoFigures() {
    cluster.with(alone("q", 10)).submit("w", "q", 11, 0);
    cluster.cycle();
    cluster.with(alone("q", 0).resourceGroups(List.of()));
    assertThat(cluster.engine.explain(id("w")).lastAttemptReasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.figures()).isEmpty());
  }
}
