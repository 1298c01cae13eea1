package io.kueue4j.core.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.lint.Finding.Severity;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Preemption.Policy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ConfigurationLintTest {
  private static final Preemption RECLAIM_BY_PRIORITY =
      Preemption.builder().reclaimWithinCohort(Policy.LOWER_PRIORITY).build();

  private static ClusterQueue queue(
      String name, ResourceQuota quota, UnaryOperator<ClusterQueue.Builder> more) {
    return more.apply(ClusterQueue.builder()
            .name(name)
            .cohort("all")
            .preemption(Preemption.builder().reclaimWithinCohort(Policy.ANY).build())
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("default", quota))))
        .build();
  }

  private static ClusterQueue queue(String name, ResourceQuota quota) {
    return queue(name, quota, builder -> builder);
  }

  private static ResourceQuota cores(int cores) {
    return ResourceQuota.of("cpu", String.valueOf(cores));
  }

  private static ConfigurationLint lint(ConfigObject... objects) {
    return ConfigurationLint.of(ImmutableList.<ConfigObject>builder()
        .add(ResourceFlavor.of("default"))
        .add(objects)
        .build());
  }

  private static Workload job(String name, int cores, int priority) {
    return Workload.builder()
        .from(Workload.of(
            "ns",
            name,
            "lq",
            PodSet.builder().request("cpu", String.valueOf(cores)).build()))
        .priority(priority)
        .build();
  }

  @Test
  void aSoundConfigurationHasNoFindings() {
    assertThat(lint(queue("a", cores(4)), queue("b", cores(6)), LocalQueue.of("ns", "lq", "a"))
            .withWorkloads(List.of(job("j", 10, 0)))
            .findings())
        .isEmpty();
  }

  @Test
  void whatKueueRefusesIsAllThatIsFound() {
    List<Finding> findings = lint(
            queue("a", cores(4).withLendingLimit("5")), LocalQueue.of("ns", "lq", "b"))
        .findings();

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).toString())
        .isEqualTo("error invalid-object: ClusterQueue a:"
            + " resourceGroups[0].flavors[0].resources[0].lendingLimit: 5 is more than the nominal"
            + " quota of 4; expected at most that; correct it; Kueue refuses the object as it is");
  }

  @Test
  void aLimitCountsOnlyBelowWhatOthersLend() {
    assertThat(lint(queue("a", cores(4).withBorrowingLimit("6")), queue("b", cores(6)))
            .findings())
        .extracting(Finding::message)
        .containsExactly("the borrowing limit of 6 changes nothing: of cpu in flavor default there"
            + " is at most 6 to borrow");
    assertThat(lint(queue("a", cores(4).withBorrowingLimit("5")), queue("b", cores(6)))
            .findings())
        .isEmpty();
  }

  @Test
  void aLimitThatLendsAllHasNoEffect() {
    assertThat(lint(queue("a", cores(4).withLendingLimit("4")), queue("b", cores(4)))
            .findings())
        .singleElement()
        .returns(LintRule.LIMIT_WITHOUT_EFFECT, Finding::rule)
        .returns("ClusterQueue a", Finding::object);
  }

  /** A cohort lends the queue 6, of which it may borrow 5. */
  @Test
  void aLimitIsJudgedWithAllOtherLimits() {
    Cohort cohort = Cohort.builder()
        .name("all")
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("default", cores(6))))
        .build();

    assertThat(lint(cohort, queue("a", cores(4).withBorrowingLimit("5").withLendingLimit("2")))
            .findings())
        .singleElement()
        .returns("resourceGroups[0].flavors[0].resources[0].lendingLimit", Finding::field);
  }

  @Test
  void aResourceOfWhichAQueueGetsNoneIsNoted() {
    ResourceGroup group =
        ResourceGroup.of(FlavorQuotas.of("default", cores(4), ResourceQuota.of("memory", "0")));

    assertThat(lint(queue("a", cores(4), builder -> builder.resourceGroups(List.of(group))))
            .findings())
        .extracting(Finding::rule, Finding::severity)
        .containsExactly(tuple(LintRule.ZERO_QUOTA, Severity.NOTE));
  }

  @Test
  void quotaOfACohortThatNoQueueNamesIsUnreachable() {
    ResourceFlavor spot = ResourceFlavor.of("spot");
    assertThat(lint(spot, cohortWithSpot(3), queue("a", cores(4))).findings())
        .extracting(Finding::rule, Finding::object)
        .containsExactly(tuple(LintRule.UNREACHABLE_QUOTA, "Cohort all"));
    assertThat(lint(spot, cohortWithSpot(0), queue("a", cores(4))).findings()).isEmpty();
  }

  private static Cohort cohortWithSpot(int cores) {
    return Cohort.builder()
        .name("all")
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("spot", cores(cores))))
        .build();
  }

  @Test
  void aBorrowerIsFoundAmongLargeQueuesThatCannotBorrow() {
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    for (int i = 0; i < 5; i++) {
      objects.add(queue("large-" + i, cores(50).withBorrowingLimit("0").withLendingLimit("0")));
    }
    objects.add(queue(
        "owner", cores(4), builder -> builder.preemption(Preemption.builder().build())));
    objects.add(queue("small", cores(1)));

    assertThat(lint(objects.build().toArray(ConfigObject[]::new)).findings())
        .extracting(Finding::rule, Finding::object)
        .containsExactly(tuple(LintRule.UNRECLAIMABLE_QUOTA, "ClusterQueue owner"));
  }

  @Test
  void aFlavorOfTpuPoolsNeedsNoNodes() {
    TpuPool pod = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.of(4, 4), 4);
    ResourceFlavor tpu = ResourceFlavor.builder()
        .name("tpu")
        .tpuPoolSet("v6e")
        .putNodeLabels("pool", "tpu")
        .build();
    ResourceFlavor gpu =
        ResourceFlavor.builder().name("gpu").putNodeLabels("pool", "gpu").build();
    ResourceGroup group = ResourceGroup.of(
        FlavorQuotas.of("tpu", ResourceQuota.of(ResourceNames.TPU, "16")),
        FlavorQuotas.of("gpu", ResourceQuota.of(ResourceNames.TPU, "16")));

    assertThat(ConfigurationLint.of(List.of(
                TpuPoolSet.of("v6e", pod),
                tpu,
                gpu,
                queue("a", cores(4), builder -> builder.resourceGroups(List.of(group))),
                Node.builder().name("node").build()))
            .findings())
        .extracting(Finding::rule, Finding::object)
        .containsExactly(tuple(LintRule.FLAVOR_WITHOUT_NODES, "ResourceFlavor gpu"));
  }

  @Test
  void aCheckThatIsNotActiveIsNotAnswered() {
    ClusterQueue queue = queue(
        "a",
        cores(4),
        builder -> builder.addAdmissionChecks(new AdmissionCheckRule("check", List.of())));

    assertThat(lint(queue, AdmissionCheck.of("check", "controller")).findings()).isEmpty();
    assertThat(lint(queue, new AdmissionCheck("check", "controller", false)).findings())
        .singleElement()
        .returns(LintRule.UNANSWERED_CHECK, Finding::rule);
  }

  @Test
  void aMissingTopologyIsReportedOnce() {
    ResourceFlavor flavor = ResourceFlavor.builder()
        .name("default")
        .topologyName("racks")
        .putNodeLabels("pool", "tas")
        .build();

    assertThat(ConfigurationLint.of(List.of(flavor, queue("a", cores(4)), queue("b", cores(4))))
            .findings())
        .extracting(Finding::rule)
        .containsExactly(LintRule.MISSING_OBJECT);
  }

  @Test
  void equalPrioritiesReclaimNothing() {
    ConfigurationLint lint = lint(
        queue("a", cores(4), builder -> builder.preemption(RECLAIM_BY_PRIORITY)),
        queue("b", cores(6)),
        LocalQueue.of("ns", "lq", "a"));

    assertThat(lint.findings()).isEmpty();
    assertThat(lint.withWorkloads(List.of(job("j", 1, 0), job("k", 1, 1))).findings())
        .isEmpty();
    Finding finding =
        lint.withWorkloads(List.of(job("j", 1, 3), job("k", 1, 3))).findings().get(0);
    assertThat(finding.rule()).isEqualTo(LintRule.UNRECLAIMABLE_QUOTA);
    assertThat(finding.message()).endsWith("LowerPriority, and every priority is 3");
    assertThat(finding.play().orElseThrow().story())
        .satisfiesExactly(
            line -> assertThat(line)
                .isEqualTo("ns/lint-1 in LocalQueue lint-b with priority 3 (cpu 10) gets quota in"
                    + " flavor default of ClusterQueue b"),
            line -> assertThat(line)
                .startsWith("ns/lint-2 in LocalQueue lq with priority 3 (cpu 4) waits: "));
  }

  @Test
  void aQueueOfWeightZeroYields() {
    ConfigObject[] objects = {
      queue("a", cores(4), builder -> builder.fairSharingWeight(0)),
      queue("b", cores(4)),
      queue("c", cores(4))
    };

    assertThat(lint(objects).findings()).isEmpty();
    assertThat(
            lint(objects).withSettings(Settings.builder().fairSharing().build()).findings())
        .extracting(Finding::rule, Finding::object)
        .containsExactly(tuple(LintRule.ZERO_WEIGHT, "ClusterQueue a"));
  }

  @Test
  void aHugeJobBlocksOnlyAStrictQueue() {
    Workload huge = job("huge", 11, 0);
    LocalQueue local = LocalQueue.of("ns", "lq", "a");

    assertThat(lint(queue("a", cores(10)), local).withWorkloads(List.of(huge)).findings())
        .extracting(Finding::rule, Finding::severity)
        .containsExactly(tuple(LintRule.NEVER_ADMITTED, Severity.WARNING));
    List<Finding> findings = lint(
            queue(
                "a", cores(10), builder -> builder.queueingStrategy(QueueingStrategy.STRICT_FIFO)),
            local)
        .withWorkloads(List.of(huge))
        .findings();
    assertThat(findings)
        .extracting(Finding::rule, Finding::severity)
        .containsExactly(tuple(LintRule.STRICT_FIFO_BLOCKED, Severity.ERROR));
    assertThat(findings.get(0).play().orElseThrow().story()).hasSize(2);
  }

  @Test
  void aJobOfAPlayMayBlockAQueueToo() {
    assertThat(lint(
                queue(
                    "a",
                    cores(10),
                    builder -> builder.queueingStrategy(QueueingStrategy.STRICT_FIFO)),
                LocalQueue.of("ns", "lq", "a"))
            .withWorkloads(List.of(job("lint-1", 11, 0)))
            .findings())
        .extracting(Finding::rule)
        .containsExactly(LintRule.STRICT_FIFO_BLOCKED);
  }

  @Test
  void aJobThatWaitsForAWindowIsAdmittedLater() {
    CapacityWindow window = CapacityWindow.builder()
        .name("maintenance")
        .start(Instant.parse("2030-01-01T08:00:00Z"))
        .end(Instant.parse("2030-01-01T12:00:00Z"))
        .clusterQueue("a")
        .keep("default", "cpu", "4")
        .build();

    assertThat(lint(queue("a", cores(4)), LocalQueue.of("ns", "lq", "a"), window)
            .withSettings(Settings.builder().backfill(Backfill.ofDepth(0)).build())
            .withWorkloads(List.of(job("j", 4, 0)))
            .findings())
        .isEmpty();
  }

  @Test
  void deepCohortsAreFollowed() {
    int depth = 5_000;
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    objects.add(queue("a", cores(4).withBorrowingLimit("6"), builder -> builder.cohort("c0")));
    for (int i = 0; i < depth; i++) {
      objects.add(Cohort.builder().name("c" + i).parent("c" + (i + 1)).build());
    }
    objects.add(queue("b", cores(6), builder -> builder.cohort("c" + depth)));

    assertThat(lint(objects.build().toArray(ConfigObject[]::new)).findings())
        .extracting(Finding::rule, Finding::object)
        .containsExactly(tuple(LintRule.LIMIT_WITHOUT_EFFECT, "ClusterQueue a"));
  }

  @Test
  void aFlavorIsUsefulIfOneOfItsQueuesUsesIt() {
    ResourceFlavor spot = ResourceFlavor.builder()
        .name("spot")
        .addNodeTaints(new Taint("spot", "", Taint.Effect.NO_SCHEDULE))
        .build();
    ResourceGroup both =
        ResourceGroup.of(FlavorQuotas.of("default", cores(4)), FlavorQuotas.of("spot", cores(4)));
    ResourceGroup only = ResourceGroup.of(FlavorQuotas.of("spot", cores(4)));
    ConfigurationLint lint = lint(
        spot,
        queue("a", cores(4), builder -> builder.resourceGroups(List.of(both))),
        queue("b", cores(4), builder -> builder.resourceGroups(List.of(only))),
        LocalQueue.of("ns", "lq", "a"),
        LocalQueue.of("ns", "spot", "b"));
    PodSet tolerant = PodSet.builder()
        .request("cpu", "1")
        .addTolerations(Toleration.exists("spot"))
        .build();

    assertThat(lint.withWorkloads(List.of(job("j", 1, 0))).findings())
        .extracting(Finding::rule, Finding::object)
        .containsExactly(tuple(LintRule.FLAVOR_WITHOUT_PODS, "ResourceFlavor spot"));
    assertThat(lint.withWorkloads(List.of(job("j", 1, 0), Workload.of("ns", "k", "spot", tolerant)))
            .findings())
        .isEmpty();
  }

  @Test
  void theObstacleOfAnotherFlavorSaysNothingOfThisOne() {
    ResourceFlavor spot = ResourceFlavor.builder()
        .name("spot")
        .addNodeTaints(new Taint("spot", "", Taint.Effect.NO_SCHEDULE))
        .build();
    ResourceGroup cores = ResourceGroup.of(FlavorQuotas.of("spot", cores(4)));
    ResourceGroup gpus =
        ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.of("nvidia.com/gpu", "4")));
    ConfigurationLint lint = lint(
        spot,
        queue("a", cores(4), builder -> builder.resourceGroups(List.of(cores, gpus))),
        LocalQueue.of("ns", "lq", "a"));
    PodSet pods =
        PodSet.builder().request("cpu", "1").request("nvidia.com/gpu", "1").build();

    assertThat(lint.withWorkloads(List.of(Workload.of("ns", "j", "lq", pods))).findings())
        .filteredOn(finding -> finding.rule() == LintRule.FLAVOR_WITHOUT_PODS)
        .extracting(Finding::object)
        .containsExactly("ResourceFlavor spot");
  }
}
