package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.group;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Remedy.Raise;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The remedies that raise quotas and limits, and their effect. */
class QuotaRemedyTest extends RemedyFixture {
  @Test
  void nominalQuotaIsRaisedByWhatIsMissing() {
    cluster.run("running", "a", 4);
    cluster.submit("w", "a", 7);
    assertThat(kinds("w"))
        .containsExactly(Remedy.Kind.RAISE_NOMINAL_QUOTA, Remedy.Kind.STOP_HOLDERS);
    Remedy remedy = make("w");
    assertThat(remedy.raises()).containsExactly(raise("ClusterQueue a", 10, 11));
    assertThat(remedy)
        .hasToString(
            "ClusterQueue a has more nominal quota: cpu in flavor default from 10 to 11 (+1)");
  }

  @Test
  void aDebtHasToBeCoveredAsWell() {
    cluster.run("running", "a", 8);
    cluster.with(queue("a", 5).build());
    cluster.submit("w", "a", 2);
    assertThat(make("w").raises()).containsExactly(raise("ClusterQueue a", 5, 10));
  }

  @Test
  void severalResourcesAreRaisedInOneStep() {
    cluster.with(openQueue("b")
        .addResourceGroups(group(cpu(2), ResourceQuota.ofAmount("nvidia.com/gpu", 1L))));
    PodSet pods = PodSet.builder()
        .requestAmount("cpu", 3000)
        .requestAmount("nvidia.com/gpu", 4)
        .build();
    cluster.submit(cluster.jobOf("w", "b", w -> w.addPodSets(pods)));
    assertThat(make("w").raises())
        .containsExactly(
            raise("ClusterQueue b", 2, 3),
            new Raise("ClusterQueue b", FLAVOR, "nvidia.com/gpu", 1, 4));
  }

  @Test
  void podSetsThatWereNotLookedAtCountToo() {
    PodSet one = PodSet.builder().name("one").requestAmount("cpu", 11_000).build();
    PodSet two = PodSet.builder().name("two").requestAmount("cpu", 5000).build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(one, two)));
    assertThat(make("w").raises()).containsExactly(raise("ClusterQueue a", 10, 16));
  }

  @Test
  void withPartialAdmissionTheLeastNumberOfPodsIsEnough() {
    cluster.run("running", "a", 8);
    PodSet pods =
        PodSet.builder().count(5).minCount(3).requestAmount("cpu", 1000).build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(pods)));
    assertThat(make("w").raises()).containsExactly(raise("ClusterQueue a", 10, 11));
  }

  @Test
  void ofSeveralFlavorsThatWhichMissesLeastIsRaised() {
    cluster.with(ResourceFlavor.of("spot"));
    cluster.with(openQueue("b")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of(FLAVOR, cpu(2)), FlavorQuotas.of("spot", cpu(5)))));
    cluster.submit("w", "b", 6);
    assertThat(make("w").raises())
        .containsExactly(new Raise("ClusterQueue b", "spot", "cpu", 5000, 6000));
  }

  @Test
  void ofSeveralFlavorsThatWithTheFewestRaisesIsRaised() {
    cluster.with(ResourceFlavor.of("spot"));
    ResourceQuota one = ResourceQuota.ofAmount("gpu", 1);
    ResourceQuota two = ResourceQuota.ofAmount("gpu", 2);
    cluster.with(openQueue("b")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of(FLAVOR, cpu(5), one), FlavorQuotas.of("spot", cpu(2), two))));
    cluster.submit(cluster.job("w", "b", 0, Map.of("cpu", 6000L, "gpu", 2L)));
    assertThat(make("w").raises())
        .containsExactly(new Raise("ClusterQueue b", "spot", "cpu", 2000, 6000));
  }

  @Test
  void whatIsEnoughForFewerPodsIsNotRaised() {
    cluster.with(openQueue("b").addResourceGroups(group(cpu(2), ResourceQuota.ofAmount("gpu", 0))));
    PodSet pods = PodSet.builder()
        .count(3)
        .minCount(1)
        .requestAmount("cpu", 1000)
        .requestAmount("gpu", 1)
        .build();
    cluster.submit(cluster.jobOf("w", "b", w -> w.addPodSets(pods)));
    assertThat(make("w").raises())
        .containsExactly(new Raise("ClusterQueue b", FLAVOR, "gpu", 0, 1));
  }

  @Test
  void limitsStayWhereQuotaIsRaised() {
    cluster.with(openQueue("b")
        .cohort("c")
        .addResourceGroups(group(cpu(2).withBorrowingLimit("1").withLendingLimit("1"))));
    cluster.submit("w", "b", 6);
    assertThat(make("w").objects())
        .containsExactly(openQueue("b")
            .cohort("c")
            .addResourceGroups(group(cpu(6).withBorrowingLimit("1").withLendingLimit("1")))
            .build());
  }

  @Test
  void aBorrowingLimitComesBeforeNominalQuota() {
    cluster.with(
        openQueue("b").cohort("c").addResourceGroups(group(cpu(2).withBorrowingLimit("1"))),
        queue("lender", 8).cohort("c"));
    cluster.submit("w", "b", 6);
    assertThat(kinds("w"))
        .containsExactly(Remedy.Kind.RAISE_BORROWING_LIMIT, Remedy.Kind.RAISE_NOMINAL_QUOTA);
    Remedy remedy = make("w");
    assertThat(remedy.raises()).containsExactly(raise("ClusterQueue b", 1, 4));
    assertThat(remedy.message()).startsWith("ClusterQueue b has a higher borrowing limit: ");
  }

  @Test
  void theBorrowingLimitOfACohortIsRaised() {
    cluster.with(queue("b", 2).cohort("left"), queue("lender", 8).cohort("root"));
    cluster.with(Cohort.builder()
        .name("left")
        .parent("root")
        .addResourceGroups(group(cpu(0).withBorrowingLimit("1")))
        .build());
    cluster.submit("w", "b", 6);
    assertThat(make("w").raises()).containsExactly(raise("Cohort left", 1, 4));
  }

  @Test
  void aBorrowingLimitIsNotRaisedIfThatWouldNotBeEnough() {
    cluster.with(
        openQueue("b").cohort("c").addResourceGroups(group(cpu(2).withBorrowingLimit("1"))),
        queue("lender", 3).cohort("c"));
    cluster.submit("w", "b", 6);
    assertThat(make("w").raises()).containsExactly(raise("ClusterQueue b", 2, 5));
  }

  @Test
  void whoKeepsQuotaLendsMoreOfIt() {
    cluster.with(
        queue("b", 2).cohort("c"),
        openQueue("lender").cohort("c").addResourceGroups(group(cpu(8).withLendingLimit("1"))),
        openQueue("miser").cohort("c").addResourceGroups(group(cpu(2).withLendingLimit("0"))));
    cluster.run("held", "lender", 2);
    cluster.submit("w", "b", 6);
    assertThat(kinds("w"))
        .containsExactly(Remedy.Kind.RAISE_LENDING_LIMIT, Remedy.Kind.RAISE_NOMINAL_QUOTA);
    Remedy remedy = make("w");
    assertThat(remedy.raises()).containsExactly(raise("ClusterQueue lender", 1, 4));
    assertThat(remedy)
        .hasToString("ClusterQueue lender has a higher lending limit:"
            + " cpu in flavor default from 1 to 4 (+3)");
  }

  @Test
  void whoUsesWhatItKeepsIsPassedOver() {
    ResourceQuota gpu = ResourceQuota.ofAmount("gpu", 4).withLendingLimit("0");
    cluster.with(
        queue("b", 2).cohort("c"),
        openQueue("busy").cohort("c").addResourceGroups(group(cpu(9).withLendingLimit("0"))),
        openQueue("lender")
            .cohort("c")
            .addResourceGroups(group(cpu(8).withLendingLimit("1"), gpu)));
    cluster.run("held", "busy", 9);
    cluster.submit("w", "b", 6);
    assertThat(make("w").raises()).containsExactly(raise("ClusterQueue lender", 1, 4));
  }

  /** No more than 16 lenders are tried. */
  @Test
  void whoKeepsMostIsAskedFirst() {
    cluster.with(
        queue("b", 2).cohort("c"),
        openQueue("rich").cohort("c").addResourceGroups(group(cpu(8).withLendingLimit("1"))));
    for (int i = 0; i < 16; i++) {
      cluster.with(openQueue("miser-" + i)
          .cohort("c")
          .addResourceGroups(group(cpu(1).withLendingLimit("0"))));
    }
    cluster.submit("w", "b", 6);
    assertThat(make("w").raises()).containsExactly(raise("ClusterQueue rich", 1, 4));
  }

  @Test
  void aCohortAsideLendsMoreOfWhatItsMembersHave() {
    cluster.with(queue("b", 2).cohort("root"), queue("rich", 8).cohort("left"));
    cluster.with(Cohort.builder()
        .name("left")
        .parent("root")
        .addResourceGroups(group(cpu(0).withLendingLimit("1")))
        .build());
    cluster.submit("w", "b", 6);
    assertThat(make("w").raises()).containsExactly(raise("Cohort left", 1, 4));
  }

  @Test
  void aLendingLimitIsNotRaisedIfThatWouldNotBeEnough() {
    cluster.with(
        queue("b", 2).cohort("c"),
        openQueue("lender").cohort("c").addResourceGroups(group(cpu(5).withLendingLimit("1"))));
    cluster.submit("w", "b", 8);
    assertThat(kinds("w")).containsExactly(Remedy.Kind.RAISE_NOMINAL_QUOTA);
  }

  @Test
  void theQuotaOfACohortAboveIsRaised() {
    cluster.with(queue("b", 2).cohort("left"));
    cluster.with(Cohort.builder().name("left").parent("root").build());
    cluster.with(Cohort.builder().name("root").addResourceGroups(group(cpu(1))).build());
    cluster.submit("w", "b", 6);
    assertThat(kinds("w"))
        .containsExactly(Remedy.Kind.RAISE_NOMINAL_QUOTA, Remedy.Kind.RAISE_COHORT_QUOTA);
    Remedy remedy = changes("w").get(1);
    assertThat(remedy.raises()).containsExactly(raise("Cohort root", 1, 4));
    assertThat(remedy)
        .hasToString(
            "Cohort root has more nominal quota:" + " cpu in flavor default from 1 to 4 (+3)");
    engine.apply(remedy);
    cluster.settle();
    assertThat(cluster.workload("w").holdsQuota()).isTrue();
  }

  @Test
  void theQuotaOfACohortDoesNotHelpAgainstABorrowingLimit() {
    cluster.with(
        openQueue("b").cohort("c").addResourceGroups(group(cpu(2).withBorrowingLimit("1"))));
    cluster.with(Cohort.builder().name("c").addResourceGroups(group(cpu(1))).build());
    cluster.submit("w", "b", 6);
    assertThat(kinds("w")).containsExactly(Remedy.Kind.RAISE_NOMINAL_QUOTA);
  }

  @Test
  void aResourceWithoutQuotaGetsIt() {
    PodSet one = PodSet.builder()
        .name("one")
        .requestAmount("cpu", 1000)
        .requestAmount("nvidia.com/gpu", 1)
        .build();
    PodSet two = PodSet.builder().name("two").requestAmount("nvidia.com/gpu", 1).build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(one, two)));
    Remedy remedy = make("w");
    assertThat(remedy.kind()).isEqualTo(Remedy.Kind.COVER_RESOURCES);
    assertThat(remedy.raises())
        .containsExactly(new Raise("ClusterQueue a", FLAVOR, "nvidia.com/gpu", 0, 2));
  }

  @Test
  void theFirstGroupThatHelpsIsExtended() {
    cluster.with(
        ResourceFlavor.of("spot"),
        ResourceFlavor.builder()
            .name("arm")
            .addNodeTaints(new Taint("arm", "yes", Taint.Effect.NO_SCHEDULE))
            .build());
    cluster.with(openQueue("b")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("arm", ResourceQuota.ofAmount("memory", 1))),
            group(cpu(2)),
            ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.ofAmount("disk", 1)))));
    PodSet pods = PodSet.builder()
        .requestAmount("cpu", 1000)
        .requestAmount("nvidia.com/gpu", 1)
        .build();
    cluster.submit(cluster.jobOf("w", "b", w -> w.addPodSets(pods)));
    assertThat(kinds("w")).containsExactly(Remedy.Kind.COVER_RESOURCES);
    assertThat(make("w").raises())
        .containsExactly(new Raise("ClusterQueue b", FLAVOR, "nvidia.com/gpu", 0, 1));
  }

  @Test
  void aQueueWithoutGroupsGetsOne() {
    cluster.with(openQueue("empty"));
    cluster.submit("w", "empty", 2);
    Remedy remedy = make("w");
    assertThat(remedy.kind()).isEqualTo(Remedy.Kind.COVER_RESOURCES);
    assertThat(remedy.objects())
        .containsExactly(openQueue("empty").addResourceGroups(group(cores(2))).build());
  }

  @Test
  void nothingReachesTheEngineThatWasAsked() {
    cluster.run("running", "a", 4);
    cluster.submit("w", "a", 7);
    cluster.cycle();
    Explanation before = engine.explain(id("w"));
    assertThat(before.remedies()).hasSize(2);
    assertThat(engine.explain(id("w"))).isEqualTo(before);
    assertThat(cluster.view("a").spec()).isEqualTo(queue("a", 10).build());
    assertThat(cluster.workload("running").holdsQuota()).isTrue();
  }
}
