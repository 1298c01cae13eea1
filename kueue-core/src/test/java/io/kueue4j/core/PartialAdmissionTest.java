package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fewer pods than requested, and undeclared resources; rules and
 * F-5.
 */
class PartialAdmissionTest {
  private static Workload workers(Cluster cluster, int count, int minCount) {
    return cluster.jobOf(
        "w",
        "a",
        w -> w.addPodSets(
            PodSet.builder().name("driver").requestAmount("cpu", 1000).build(),
            PodSet.builder()
                .name("workers")
                .count(count)
                .minCount(minCount)
                .requestAmount("cpu", 1000)
                .build()));
  }

  private static PodSetAssignment assignment(Cluster cluster, int podSet) {
    return cluster.engine.admission(id("w")).orElseThrow().podSetAssignments().get(podSet);
  }

  @ParameterizedTest
  @CsvSource({"10, 9", "6, 5", "3, 2", "50, 20"})
  void admitsAsManyPodsAsThereIsRoomFor(int quota, int workers) {
    Cluster cluster = new Cluster().with(queue("a", quota));
    cluster.submit(workers(cluster, 20, 2));
    assertThat(admitted(cluster.cycle())).containsExactly("w");
    assertThat(assignment(cluster, 0).count()).isEqualTo(1);
    assertThat(assignment(cluster, 1).count()).isEqualTo(workers);
    assertThat(assignment(cluster, 1).resourceUsage()).containsEntry("cpu", workers * 1000L);
    assertThat(cluster.used("a")).isEqualTo(1 + workers);
  }

  @Test
  void admitsNothingBelowTheMinimum() {
    Cluster cluster = new Cluster().with(queue("a", 2));
    assertThat(cluster.engine.tryAdmit(workers(cluster, 20, 2)).result().isAdmitted())
        .isFalse();
    assertThat(cluster.used("a")).isZero();
  }

  @Test
  void admitsOnlyTheFullSizeWithoutTheFeatureGate() {
    Cluster cluster = Cluster.with(FeatureGate.PARTIAL_ADMISSION, false);
    cluster.with(queue("a", 10));
    assertThat(cluster.engine.tryAdmit(workers(cluster, 20, 2)).result().isAdmitted())
        .isFalse();
    assertThat(cluster.engine.tryAdmit(workers(cluster, 9, 2)).result().isAdmitted())
        .isTrue();
  }

  @Test
  void prefersTheFullSizeOnALaterFlavorToFewerPodsOnTheFirst() {
    Cluster cluster = new Cluster().with(ResourceFlavor.of("big"));
    cluster.with(openQueue("a")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of(FLAVOR, ResourceQuota.of("cpu", "5")),
            FlavorQuotas.of("big", ResourceQuota.of("cpu", "10")))));
    cluster.run(workers(cluster, 9, 1));
    assertThat(assignment(cluster, 1).count()).isEqualTo(9);
    assertThat(assignment(cluster, 1).flavors()).containsEntry("cpu", "big");
  }

  @Test
  void podsThatWereNeverAdmittedAreReclaimedFirst() {
    Cluster cluster = new Cluster().with(queue("a", 6));
    cluster.run(workers(cluster, 10, 2));
    assertThat(cluster.used("a")).isEqualTo(6);
    cluster.reclaim("w", "workers", 5);
    assertThat(cluster.used("a")).isEqualTo(6);
    cluster.reclaim("w", "workers", 8);
    assertThat(cluster.used("a")).isEqualTo(3);
  }

  @Test
  void whatAShrunkWorkloadHeldIsFreeWhenItFinishes() {
    Cluster cluster = new Cluster().with(queue("a", 6));
    cluster.run(workers(cluster, 10, 2));
    cluster.engine.finish(id("w"));
    assertThat(cluster.used("a")).isZero();
    assertThat(cluster.available("a")).isEqualTo(6);
  }

  @Test
  void undeclaredResourcesBlockUnlessTheyAreIgnored() {
    for (QuotaCheckStrategy strategy : QuotaCheckStrategy.values()) {
      Cluster cluster =
          new Cluster(Settings.builder().quotaCheckStrategy(strategy).build());
      cluster.with(queue("a", 6));
      Workload workload = cluster.jobOf(
          "w",
          "a",
          w -> w.addPodSets(PodSet.builder()
              .requestAmount("cpu", 1000)
              .requestAmount("example.com/licence", 1)
              .build()));
      boolean admitted = cluster.engine.tryAdmit(workload).result().isAdmitted();
      assertThat(admitted).isEqualTo(strategy == QuotaCheckStrategy.IGNORE_UNDECLARED);
      if (admitted) {
        assertThat(assignment(cluster, 0).flavors()).containsOnlyKeys("cpu");
        assertThat(assignment(cluster, 0).resourceUsage()).containsOnlyKeys("cpu");
      }
    }
  }

  @Test
  void withoutTopologiesAnEmptyQueueTakesPodsWithoutRequests() {
    Cluster cluster = Cluster.with(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, false);
    cluster.with(openQueue("a"));
    assertThat(cluster
            .engine
            .tryAdmit(cluster.jobOf("w", "a", w -> w.addPodSets(PodSet.builder().build())))
            .result()
            .isAdmitted())
        .isTrue();
  }

  @Test
  void featureGatesAreNamedAndOnOrOffAsInKueue() {
    assertThat(FeatureGate.named("PartialAdmission")).contains(FeatureGate.PARTIAL_ADMISSION);
    assertThat(FeatureGate.named("NoSuchGate")).isEmpty();
    Set<FeatureGate> off = EnumSet.of(
        FeatureGate.CONCURRENT_ADMISSION,
        FeatureGate.PRIORITY_BOOST,
        FeatureGate.DISABLE_WAIT_FOR_PODS_READY,
        FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS,
        FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS,
        FeatureGate.TAS_BALANCED_PLACEMENT,
        FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED);
    for (FeatureGate gate : FeatureGate.values()) {
      assertThat(FeatureGate.named(gate.toString())).contains(gate);
      assertThat(Settings.defaults().isEnabled(gate)).isEqualTo(!off.contains(gate));
    }
  }
}
