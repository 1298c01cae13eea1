package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.CohortView.SubtreeUsage;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Cohorts, and the workloads of a queue, in views. */
class CohortViewTest {
  private final Cluster cluster = new Cluster();

  private CohortView cohort(String name) {
    return cluster.engine.view().cohort(name).orElseThrow();
  }

  @Test
  void figuresOfACohortAreThoseOfAllBelowIt() {
    cluster.with(Queues.cohort("low", "high"));
    cluster.with(
        Queues.queue("a", 5).cohort("low"),
        Queues.queue("b", 3).cohort("low"),
        Queues.queue("c", 7).cohort("high"));
    cluster.run("one", "a", 6);
    cluster.run("two", "c", 2);

    assertThat(cluster.engine.view().cohorts())
        .extracting(CohortView::name)
        .containsExactly("high", "low");
    assertThat(cohort("low"))
        .isEqualTo(new CohortView(
            "low",
            Optional.of("high"),
            "high",
            0,
            ImmutableList.of("a", "b"),
            ImmutableList.of(new SubtreeUsage("default", "cpu", 8000, 6000))));
    assertThat(cohort("high").parent()).isEmpty();
    assertThat(cohort("high").root()).isEqualTo("high");
    assertThat(cohort("high").clusterQueues()).containsExactly("a", "b", "c");
    assertThat(cohort("high").usage())
        .containsExactly(new SubtreeUsage("default", "cpu", 15000, 8000));
  }

  @Test
  void quotaOfTheCohortItselfCounts() {
    cluster.with(Queues.queue("a", 5).cohort("c"));
    cluster.with(io.kueue4j.core.model.Cohort.builder()
        .name("c")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.ofAmount("cpu", 4000L))))
        .build());
    assertThat(cohort("c").usage()).containsExactly(new SubtreeUsage("default", "cpu", 9000, 0));
  }

  @Test
  void usageWithoutQuotaIsListed() {
    cluster.with(Queues.queue("a", 5).cohort("c"));
    cluster.run("one", "a", 2);

    cluster.with(
        Queues.queue("a", "c", ResourceGroup.of(FlavorQuotas.of("other", Queues.cores(5)))));

    assertThat(cohort("c").usage())
        .containsExactly(
            new SubtreeUsage("default", "cpu", 0, 2000), new SubtreeUsage("other", "cpu", 5000, 0));
  }

  @Test
  void queuesWithoutCohortHaveNone() {
    cluster.with(Queues.queue("a", 5));
    assertThat(cluster.engine.view().cohorts()).isEmpty();
    assertThat(cluster.engine.view().cohort("a")).isEmpty();
  }

  @Test
  void aViewStaysAsItWas() {
    cluster.with(Queues.queue("a", 5).cohort("c"));
    EngineView before = cluster.engine.view();
    cluster.run("one", "a", 5);
    assertThat(before.cohort("c").orElseThrow().usage())
        .containsExactly(new SubtreeUsage("default", "cpu", 5000, 0));
    assertThat(cohort("c").usage()).containsExactly(new SubtreeUsage("default", "cpu", 5000, 5000));
  }

  @Test
  void holdingsSayWhatIsChargedNow() {
    cluster.with(Queues.queue("a", 10));
    Workload job = cluster.jobOf(
        "one",
        "a",
        w -> w.addPodSets(PodSet.builder().count(4).requestAmount("cpu", 2000).build()));
    cluster.run(job);
    cluster.reclaim("one", "main", 3);
    ClusterQueueView view = cluster.engine.view().clusterQueue("a").orElseThrow();
    assertThat(view.holders())
        .containsExactly(new HoldingWorkload(
            job,
            cluster.engine.admission(id("one")).orElseThrow(),
            true,
            false,
            ImmutableList.of(new HeldQuota("default", "cpu", 2000))));
  }

  @Test
  void whatWaitsIsShownInOrder() {
    cluster.with(Queues.queue("a", 10));
    Workload large = cluster.submit("large", "a", 20).job("large");
    cluster.cycle();
    Workload second = cluster.submit("second", "a", 1).job("second");
    Workload third = cluster.submit("third", "a", 1).job("third");
    ClusterQueueView view = cluster.engine.view().clusterQueue("a").orElseThrow();
    assertThat(view.waiting())
        .filteredOn(WaitingWorkload::isActive)
        .extracting(WaitingWorkload::workload)
        .containsExactly(second, third);
    assertThat(view.pending()).containsExactly(second.id(), third.id());
    assertThat(view.waiting())
        .filteredOn(waiting -> !waiting.isActive())
        .extracting(WaitingWorkload::workload)
        .containsExactly(large);
    assertThat(view.pendingCount()).isEqualTo(2);
    assertThat(view.inadmissibleCount()).isEqualTo(1);
    assertThat(view.waitingCount()).isEqualTo(3);
  }
}
