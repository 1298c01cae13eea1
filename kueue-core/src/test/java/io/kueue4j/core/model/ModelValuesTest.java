package io.kueue4j.core.model;

import static io.kueue4j.core.internal.validation.Specs.podSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The defaults of the tables of section 2, and what the value types promise. */
class ModelValuesTest {
  private static Workload.Builder workload() {
    return Workload.builder()
        .namespace("ns")
        .name("job")
        .queueName("queue")
        .addPodSets(PodSet.builder().build());
  }

  @Test
  void quotasOfAGroupChangeByFlavorAndResource() {
    ResourceGroup group = ResourceGroup.of(
        FlavorQuotas.of("a", ResourceQuota.of("cpu", "1"), ResourceQuota.of("memory", "2")),
        FlavorQuotas.of("b", ResourceQuota.of("cpu", "3"), ResourceQuota.of("memory", "4")));

    ResourceGroup changed = group.withQuotas(
        (flavor, quota) -> flavor.equals("b") && quota.resource().equals("cpu")
            ? ResourceQuota.of("cpu", "9")
            : quota);

    assertThat(changed)
        .isEqualTo(ResourceGroup.of(
            group.flavors().get(0),
            FlavorQuotas.of("b", ResourceQuota.of("cpu", "9"), ResourceQuota.of("memory", "4"))));
    assertThat(
            ClusterQueue.builder().name("q").addResourceGroups(changed).build().flavors())
        .containsExactly("a", "b");
  }

  static Stream<Supplier<Object>> quantitiesOfAResource() {
    String gpu = "nvidia.com/gpu";
    return Stream.of(
        () -> ResourceQuota.of(gpu, "eight"),
        () -> ResourceQuota.of(gpu, "8").withBorrowingLimit("eight"),
        () -> ResourceQuota.of(gpu, "8").withLendingLimit("eight"),
        () -> PodSet.builder().request(gpu, "eight"),
        () -> Node.builder().allocatable(gpu, "eight"),
        () -> CapacityWindow.builder().keep("flavor", gpu, "eight"));
  }

  @ParameterizedTest
  @MethodSource("quantitiesOfAResource")
  void whatIsNoQuantityIsSaidWithItsResource(Supplier<Object> value) {
    assertThatIllegalArgumentException()
        .isThrownBy(value::get)
        .withMessageStartingWith("nvidia.com/gpu: \"eight\" is not a quantity, expected");
  }

  @Test
  void aClusterQueueHasTheDefaultsOfTheApi() {
    ClusterQueue queue = ClusterQueue.builder().name("queue").build();

    assertThat(queue.cohort()).isEmpty();
    assertThat(queue.resourceGroups()).isEmpty();
    assertThat(queue.queueingStrategy()).isEqualTo(QueueingStrategy.BEST_EFFORT_FIFO);
    assertThat(queue.namespaceSelector()).isEmpty();
    assertThat(queue.flavorFungibility().whenCanBorrow()).isEqualTo(Policy.MAY_STOP_SEARCH);
    assertThat(queue.flavorFungibility().whenCanPreempt()).isEqualTo(Policy.TRY_NEXT_FLAVOR);
    assertThat(queue.flavorFungibility().preference()).isEmpty();
    assertThat(queue.preemption().withinClusterQueue()).isEqualTo(Preemption.Policy.NEVER);
    assertThat(queue.preemption().reclaimWithinCohort()).isEqualTo(Preemption.Policy.NEVER);
    assertThat(queue.preemption().borrowWithinCohort()).isEqualTo(Preemption.Policy.NEVER);
    assertThat(queue.preemption().maxPriorityThreshold()).isEmpty();
    assertThat(queue.admissionChecks()).isEmpty();
    assertThat(queue.stopPolicy()).isEqualTo(StopPolicy.NONE);
    assertThat(queue.fairSharingWeight()).isEqualTo(1.0);
  }

  @Test
  void aCohortHasNoQuotaNoParentAndWeightOne() {
    Cohort cohort = Cohort.builder().name("cohort").build();
    assertThat(cohort.parent()).isEmpty();
    assertThat(cohort.resourceGroups()).isEmpty();
    assertThat(cohort.fairSharingWeight()).isEqualTo(1.0);
  }

  @Test
  void aLocalQueueIsOpenAndHasWeightOne() {
    LocalQueue queue = LocalQueue.of("ns", "queue", "research");
    assertThat(queue.stopPolicy()).isEqualTo(StopPolicy.NONE);
    assertThat(queue.fairSharingWeight()).isEqualTo(1.0);
  }

  @Test
  void aFlavorHasNoLabelsTaintsTolerationsOrTopology() {
    ResourceFlavor flavor = ResourceFlavor.of("flavor");
    assertThat(flavor.nodeLabels()).isEmpty();
    assertThat(flavor.nodeTaints()).isEmpty();
    assertThat(flavor.tolerations()).isEmpty();
    assertThat(flavor.topologyName()).isEmpty();
  }

  @Test
  void aPodSetIsOnePodOfMain() {
    PodSet podSet = PodSet.builder().build();
    assertThat(podSet.name()).isEqualTo("main");
    assertThat(podSet.count()).isEqualTo(1);
    assertThat(podSet.minCount()).isEmpty();
    assertThat(podSet.requests()).isEmpty();
    assertThat(podSet.group()).isEmpty();
  }

  @Test
  void aWorkloadIsActiveWithPriorityZero() {
    Workload workload = workload().build();
    assertThat(workload.active()).isTrue();
    assertThat(workload.priority()).isZero();
    assertThat(workload.priorityClass()).isEmpty();
    assertThat(workload.priorityBoost()).isZero();
    assertThat(workload.admissionGates()).isEmpty();
    assertThat(workload.uid()).isEqualTo("ns/job");
    assertThat(workload.id()).isEqualTo(WorkloadId.of("ns", "job"));
  }

  @Test
  void aQuotaHasNoLimitsUnlessGiven() {
    ResourceQuota quota = ResourceQuota.of("cpu", "10");
    assertThat(quota)
        .isEqualTo(new ResourceQuota("cpu", 10_000, OptionalLong.empty(), OptionalLong.empty()));
    assertThat(quota.withBorrowingLimit("5").withLendingLimit("500m"))
        .isEqualTo(new ResourceQuota("cpu", 10_000, OptionalLong.of(5_000), OptionalLong.of(500)));
  }

  @Test
  void aQuotaBeyondTheRangeIsUnlimited() {
    assertThat(ResourceQuota.of("cpu", "1E").nominalQuota()).isEqualTo(Long.MAX_VALUE);
    assertThat(ResourceQuota.of("memory", "8Ei").nominalQuota()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aGroupCoversWhatItsFirstFlavorHasQuotasFor() {
    ResourceGroup group = ResourceGroup.of(FlavorQuotas.of(
        "f", ResourceQuota.ofAmount("cpu", 1), ResourceQuota.ofAmount("memory", 1)));
    assertThat(group.coveredResources()).containsExactly("cpu", "memory");
    assertThat(ResourceGroup.of().coveredResources()).isEmpty();
  }

  @Test
  void aNamespaceAlwaysCarriesTheLabelOfItsName() {
    assertThat(Namespace.of("ns").labels()).containsExactly(Map.entry(Namespace.NAME_LABEL, "ns"));
    assertThat(Namespace.of("ns", Map.of("team", "a", Namespace.NAME_LABEL, "forged"))
            .labels())
        .containsOnly(Map.entry("team", "a"), Map.entry(Namespace.NAME_LABEL, "ns"));
  }

  @Test
  void mapsAreInTheOrderOfTheirKeys() {
    Map<String, Long> requests = new LinkedHashMap<>();
    requests.put("nvidia.com/gpu", 1L);
    requests.put("cpu", 2L);
    requests.put("memory", 3L);
    PodSet podSet = podSet(p ->
        p.putAllRequests(requests).putNodeSelector("zone", "b").putNodeSelector("arch", "arm"));
    assertThat(podSet.requests().keySet()).containsExactly("cpu", "memory", "nvidia.com/gpu");
    assertThat(podSet.nodeSelector().keySet()).containsExactly("arch", "zone");
  }

  @Test
  void valuesAreEqualWhateverTheOrderInWhichMapsWereFilled() {
    PodSet one = podSet(p -> p.requestAmount("a", 1).requestAmount("b", 2));
    PodSet other = podSet(p -> p.requestAmount("b", 2).requestAmount("a", 1));
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one).isNotEqualTo(podSet(p -> p.requestAmount("a", 1).requestAmount("b", 3)));
  }

  @Test
  void copiesAreEqualToTheirSource() {
    Workload workload = workload()
        .priority(3)
        .creationTime(Instant.EPOCH)
        .active(false)
        .addAllAdmissionGates(ImmutableList.of("gate"))
        .build();
    assertThat(Workload.builder().from(workload).build()).isEqualTo(workload);
  }

  @Test
  void builtValuesDoNotChangeWithTheirBuilder() {
    Workload.Builder builder = workload();
    Workload first = builder.build();
    builder.priority(5);
    assertThat(first.priority()).isZero();
    assertThat(builder.build().priority()).isEqualTo(5);
  }

  static Stream<Arguments> incomplete() {
    return Stream.<Supplier<?>>of(
            () -> Workload.builder().namespace("ns").name("job").build(),
            () -> ClusterQueue.builder().build(),
            () -> Cohort.builder().build(),
            () -> ResourceFlavor.builder().build(),
            () -> Admission.builder().clusterQueue("queue").build(),
            () -> Reason.builder().build())
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("incomplete")
  void buildersRefuseToLeaveOutWhatIsRequired(Supplier<?> build) {
    assertThatIllegalStateException().isThrownBy(build::get);
  }

  @Test
  void requestsInWordsMustBeQuantities() {
    assertThat(podSet(p -> p.request("cpu", "1500m").request("memory", "1Ki")).requests())
        .isEqualTo(ImmutableSortedMap.of("cpu", 1500L, "memory", 1024L));
    assertThatIllegalArgumentException().isThrownBy(() -> PodSet.builder().request("cpu", "much"));
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of(ResourceFlavor.of("x"), "ResourceFlavor x"),
        Arguments.of(ClusterQueue.builder().name("x").build(), "ClusterQueue x"),
        Arguments.of(Cohort.builder().name("x").build(), "Cohort x"),
        Arguments.of(LocalQueue.of("ns", "x", "y"), "LocalQueue ns/x"),
        Arguments.of(Namespace.of("x"), "Namespace x"),
        Arguments.of(new WorkloadPriorityClass("x", 1), "WorkloadPriorityClass x"));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void theKeyOfAnObjectIsItsKindAndName(ConfigObject object, String key) {
    assertThat(object.key()).isEqualTo(key);
  }

  @Test
  void workloadIdsAreOrderedByNamespaceThenName() {
    WorkloadId first = WorkloadId.of("a", "z");
    assertThat(first).isLessThan(WorkloadId.of("b", "a")).isLessThan(WorkloadId.of("a", "zz"));
    assertThat(first).isEqualByComparingTo(WorkloadId.of("a", "z")).hasToString("a/z");
  }

  @Test
  void enumsReadAsInManifests() {
    assertThat(QueueingStrategy.STRICT_FIFO).hasToString("StrictFIFO");
    assertThat(QueueingStrategy.BEST_EFFORT_FIFO).hasToString("BestEffortFIFO");
    assertThat(StopPolicy.HOLD_AND_DRAIN).hasToString("HoldAndDrain");
    assertThat(Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY)
        .hasToString("LowerOrNewerEqualPriority");
    assertThat(Taint.Effect.PREFER_NO_SCHEDULE).hasToString("PreferNoSchedule");
    assertThat(new Taint("gpu", "present", Taint.Effect.NO_SCHEDULE))
        .hasToString("gpu=present:NoSchedule");
    assertThat(new Taint("gpu", "", Taint.Effect.NO_EXECUTE)).hasToString("gpu:NoExecute");
    assertThat(PendingCause.EXCEEDS_MAX_QUOTA).hasToString("ExceedsMaxQuota");
  }

  @Test
  void preemptionIsWithoutBorrowingUnlessSaidSo() {
    Preemption preemption = Preemption.builder()
        .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
        .reclaimWithinCohort(Preemption.Policy.ANY)
        .build();
    assertThat(preemption)
        .isEqualTo(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .build());
  }

  @Test
  void anInvalidConfigurationListsEveryViolationInItsMessage() {
    InvalidConfigurationException invalid = new InvalidConfigurationException(ImmutableList.of(
        new Violation("Cohort a", "name", "empty"), new Violation("Cohort b", "", "twice")));
    assertThat(invalid).hasMessage("Cohort a: name: empty\nCohort b: twice");
    assertThat(invalid.violations()).hasSize(2);
  }

  @Test
  void aWorkloadRequestsWhatAllItsPodsDo() {
    Workload workload = Workload.builder()
        .namespace("ns")
        .name("w")
        .queueName("q")
        .addPodSets(
            PodSet.builder().name("a").count(3).requestAmount("cpu", 500).build(),
            PodSet.builder()
                .name("b")
                .count(2)
                .requestAmount("cpu", 1000)
                .requestAmount("gpu", 4)
                .build(),
            PodSet.builder().name("c").count(0).requestAmount("memory", 7).build())
        .build();
    assertThat(workload.totalRequests())
        .isEqualTo(ImmutableMap.of("cpu", 3500L, "gpu", 8L, "memory", 0L));
  }

  @Test
  void collectionsAreCopied() {
    List<String> names = new ArrayList<>(List.of("a"));
    SortedMap<String, Long> amounts = new TreeMap<>(Map.of("cpu", 1L));
    List<FairSharingStrategy> strategies =
        new ArrayList<>(List.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE));
    LabelRequirement requirement = new LabelRequirement("key", LabelRequirement.Operator.IN, names);
    PodSet podSet =
        PodSet.builder().putAllRequests(amounts).podRequests(amounts).build();
    Settings settings = Settings.builder().fairSharing(strategies).build();
    Namespace namespace = new Namespace("n", new TreeMap<>(Map.of("k", "v")));

    names.add("b");
    amounts.put("memory", 1L);
    strategies.clear();

    assertThat(requirement.values()).containsExactly("a");
    assertThat(podSet.requests()).containsOnlyKeys("cpu");
    assertThat(podSet.podRequests().orElseThrow()).containsOnlyKeys("cpu");
    assertThat(settings.fairSharing().orElseThrow()).hasSize(1);
    assertThatThrownBy(() -> namespace.labels().put("other", "v"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
