package io.kueue4j.core;

import static io.kueue4j.core.Admissions.admission;
import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.START;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Restoring workloads that ran before the engine existed; rules and M-31. */
class RestoreTest {
  private final Cluster cluster = new Cluster().with(queue("a", 10));
  private final AdmissionEngine engine = cluster.engine;

  private static Admission admissionOf(
      String name, UnaryOperator<PodSetAssignment.Builder> assignment) {
    return Admission.builder()
        .workload(id(name))
        .clusterQueue("a")
        .quotaReservedTime(START)
        .addPodSetAssignments(
            assignment.apply(PodSetAssignment.builder().name("main")).build())
        .build();
  }

  private Workload pods(String name, int count) {
    return cluster.jobOf(
        name,
        "a",
        w -> w.addPodSets(
            PodSet.builder().count(count).requestAmount("cpu", 1000).build()));
  }

  private QuotaUsage usageOf(String flavor, String resource) {
    return cluster.view("a").usage().stream()
        .filter(usage -> usage.flavor().equals(flavor) && usage.resource().equals(resource))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void holdsTheQuotaThatTheAdmissionSays() {
    Admission admission = admission("w", "a", 4);
    engine.lifecycle().restore(cluster.job("w", "a", 4), admission);
    assertThat(engine.admission(id("w"))).contains(admission);
    assertThat(cluster.used("a")).isEqualTo(4);
    assertThat(cluster.available("a")).isEqualTo(6);
  }

  @Test
  void chargesTheAdmissionAndNotTheSpec() {
    engine.lifecycle().restore(cluster.job("w", "a", 1), admission("w", "a", 4));
    assertThat(cluster.used("a")).isEqualTo(4);
  }

  @Test
  void acceptsAnOverfullQueueAndAdmitsNothingUntilThereIsRoom() {
    engine.lifecycle().restore(cluster.job("w", "a", 12), admission("w", "a", 12));
    engine.lifecycle().restore(cluster.job("v", "a", 3), admission("v", "a", 3));
    assertThat(cluster.used("a")).isEqualTo(15);
    assertThat(cluster.available("a")).isZero();
    cluster.submit("new", "a", 7);
    assertThat(admitted(cluster.cycle())).isEmpty();
    engine.finish(id("w"));
    assertThat(admitted(cluster.cycle())).containsExactly("new");
  }

  @Test
  void debtOfOneQueueIsDebtOfItsCohort() {
    cluster.with(queue("b", 5).cohort("team"), queue("c", 5).cohort("team"));
    engine.lifecycle().restore(cluster.job("w", "b", 8), admission("w", "b", 8));
    assertThat(cluster.available("c")).isEqualTo(2);
    engine.lifecycle().restore(cluster.job("v", "b", 8), admission("v", "b", 8));
    assertThat(cluster.available("c")).isZero();
  }

  @Test
  void countsWhatTheQueueDoesNotListAtTheQueueAndInItsCohort() {
    cluster.with(
        queue("a", 10).cohort("team"),
        Queues.openQueue("b")
            .cohort("team")
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.of("cpu", "5")))));
    engine
        .lifecycle()
        .restore(
            cluster.job("w", "a", 2),
            admissionOf(
                "w", a -> a.count(1).putFlavors("cpu", "spot").resourceUsageAmount("cpu", 2000)));
    assertThat(usageOf("spot", "cpu")).isEqualTo(new QuotaUsage("spot", "cpu", 0, 2000, 0));
    assertThat(cluster.available("b")).isEqualTo(3);
  }

  @Test
  void oneWorkloadMayUseUnlistedPairsOnWhichNothingIsCharged() {
    engine
        .lifecycle()
        .restore(
            cluster.job("zero", "a", 0),
            admissionOf(
                "zero", a -> a.count(1).putFlavors("cpu", "old").resourceUsageAmount("cpu", 0)));
    engine
        .lifecycle()
        .restore(
            cluster.job("w", "a", 0),
            admissionOf(
                "w",
                a -> a.count(1)
                    .putFlavors("cpu", "old")
                    .resourceUsageAmount("cpu", 1000)
                    .putFlavors("memory", "old")
                    .resourceUsageAmount("memory", 5)));
    assertThat(usageOf("old", "cpu").used()).isEqualTo(1000);
    assertThat(usageOf("old", "memory").used()).isEqualTo(5);
  }

  @Test
  void aWorkloadThatHoldsNothingOfAGonePairCanFinish() {
    Workload zero = cluster.run("zero", "a", 0).job("zero");
    cluster.with(Queues.openQueue("a").build());
    assertThatCode(() -> engine.finish(zero.id())).doesNotThrowAnyException();
  }

  private static WorkloadStatus admittedWithEnded(int pods) {
    return WorkloadStatus.builder()
        .conditions(Stream.of(ConditionType.QUOTA_RESERVED, ConditionType.ADMITTED)
            .map(type -> new WorkloadCondition(type, true, type.toString(), "", Cluster.START))
            .toList())
        .putReclaimablePods("main", pods)
        .build();
  }

  @Test
  void moreReclaimablePodsThanThereAreCannotBeRestored() {
    Workload workload = pods("w", 5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine
            .lifecycle()
            .restore(
                workload,
                Optional.empty(),
                WorkloadStatus.builder().putReclaimablePods("main", 6).build()))
        .withMessageContaining("reclaimablePods[main]: 6; expected 0 to the pod set's count of 5");
    assertThat(engine.workload(workload.id())).isEmpty();
  }

  @Test
  void reclaimablePodsAreNotCharged() {
    engine
        .lifecycle()
        .restore(
            pods("w", 5),
            Optional.of(admissionOf(
                "w", a -> a.count(5).putFlavors("cpu", FLAVOR).resourceUsageAmount("cpu", 5000))),
            admittedWithEnded(2));
    assertThat(cluster.used("a")).isEqualTo(3);
  }

  @Test
  void reclaimablePodsCountFromTheFullSizeIfFewerAreAdmitted() {
    engine
        .lifecycle()
        .restore(
            pods("w", 5),
            Optional.of(admissionOf(
                "w", a -> a.count(3).putFlavors("cpu", FLAVOR).resourceUsageAmount("cpu", 3000))),
            admittedWithEnded(1));
    assertThat(cluster.used("a")).isEqualTo(3);
    cluster.reclaim("w", "main", 3);
    assertThat(cluster.used("a")).isEqualTo(2);
  }

  /** The ClusterQueue has got the check while no engine ran. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theChecksOfTheQueueAreThoseOfNow(boolean isAdmitted) {
    cluster.with(
        AdmissionCheck.of("budget", "test"),
        queue("a", 10)
            .addAdmissionChecks(new AdmissionCheckRule("budget", ImmutableList.of()))
            .build());
    engine
        .lifecycle()
        .restore(
            cluster.job("w", "a", 4),
            Optional.of(admission("w", "a", 4)).filter(unused -> isAdmitted),
            isAdmitted ? admittedWithEnded(0) : WorkloadStatus.builder().build());

    assertThat(cluster.workload("w").checks()).isEqualTo("budget Pending");
    assertThat(cluster.workload("w").holdsQuota()).isEqualTo(isAdmitted);
    assertThat(cluster.workload("w").phase()).isNotEqualTo(WorkloadStatus.Phase.ADMITTED);
  }

  private static WorkloadStatus with(
      ConditionType type, boolean isTrue, String reason, WorkloadCondition... more) {
    return WorkloadStatus.builder()
        .addConditions(new WorkloadCondition(type, isTrue, reason, "", START))
        .addConditions(more)
        .build();
  }

  @Test
  void whatWaitedForAQueueThatHasStartedAgainIsTried() {
    engine
        .lifecycle()
        .restore(
            cluster.job("w", "a", 4),
            Optional.empty(),
            with(ConditionType.REQUEUED, false, "ClusterQueueStopped"));

    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void whatWaitsIsExplainedByThePreemptionBefore() {
    engine
        .lifecycle()
        .restore(
            cluster.job("w", "a", 4),
            Optional.empty(),
            with(
                ConditionType.PREEMPTED,
                true,
                "InClusterQueue",
                new WorkloadCondition(ConditionType.EVICTED, true, "Preempted", "", START)));

    assertThat(engine.explain(id("w")).preempted())
        .contains(new PreemptedCondition(PreemptionReason.IN_CLUSTER_QUEUE, START));
  }

  @Test
  void takesBackAnAmountThatLeftTheRange() {
    cluster.with(Queues.openQueue("a")
        .addResourceGroups(ResourceGroup.of(
            FlavorQuotas.of(FLAVOR, ResourceQuota.ofAmount("cpu", Long.MAX_VALUE))))
        .build());
    Workload huge = cluster.jobOf(
        "huge",
        "a",
        w -> w.addPodSets(
            PodSet.builder().count(3).requestAmount("cpu", Long.MAX_VALUE / 2).build()));
    cluster.run(huge);
    Admission decided = engine.admission(huge.id()).orElseThrow();
    assertThat(decided.podSetAssignments().get(0).resourceUsage())
        .containsEntry("cpu", Long.MAX_VALUE);
    engine.release(huge.id());

    engine.lifecycle().restore(huge, decided);

    assertThat(engine.admission(huge.id())).contains(decided);
    assertThat(usageOf(FLAVOR, "cpu").used()).isEqualTo(Long.MAX_VALUE);
    engine.finish(huge.id());
    assertThat(usageOf(FLAVOR, "cpu").used()).isZero();
  }

  @Test
  void aRestoredWorkloadIsAdmittedForAllCalls() {
    Workload workload = cluster.job("w", "a", 4);
    engine.lifecycle().restore(workload, admission("w", "a", 4));
    assertThat(engine.tryAdmit(workload).result())
        .isEqualTo(new AdmissionResult.Admitted(admission("w", "a", 4)));
    assertThat(engine.submit(workload).result().isAdmitted()).isTrue();
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(engine.release(workload.id()).removed()).isNotEmpty();
    assertThat(cluster.used("a")).isZero();
  }

  @Test
  void theViewHasTheOldestAdmissionFirst() {
    for (String name : ImmutableList.of("b", "late", "a", "early")) {
      long second = name.equals("early") ? -1 : name.equals("late") ? 1 : 0;
      engine
          .lifecycle()
          .restore(
              cluster.job(name, "a", 1),
              Admission.builder()
                  .workload(id(name))
                  .clusterQueue("a")
                  .quotaReservedTime(START.plusSeconds(second))
                  .addAllPodSetAssignments(admission(name, "a", 1).podSetAssignments())
                  .build());
    }

    assertThat(cluster.view("a").admitted())
        .extracting(admission -> admission.workload().name())
        .containsExactly("early", "a", "b", "late");
  }

  @Test
  void aStoppedQueueStillTakesWhatRanInIt() {
    cluster.with(queue("a", 10).stopPolicy(StopPolicy.HOLD).build());
    engine.lifecycle().restore(cluster.job("w", "a", 4), admission("w", "a", 4));
    assertThat(cluster.used("a")).isEqualTo(4);
  }

  static Stream<Arguments> badAdmissions() {
    return Stream.of(
        Arguments.of(admission("other", "a", 1), "ns/other"),
        Arguments.of(admission("w", "missing", 1), "missing"),
        Arguments.of(admissionOf("w", a -> a.name("extra").count(1)), "extra"),
        Arguments.of(admissionOf("w", a -> a.count(-1)), "-1"),
        Arguments.of(
            admissionOf(
                "w", a -> a.count(1).putFlavors("cpu", FLAVOR).resourceUsageAmount("cpu", -1)),
            "-1"),
        Arguments.of(
            admissionOf(
                "w", a -> a.count(2).putFlavors("cpu", FLAVOR).resourceUsageAmount("cpu", 3)),
            "multiple"),
        Arguments.of(admissionOf("w", a -> a.count(1).resourceUsageAmount("cpu", 1)), "no flavor"),
        Arguments.of(
            Admission.builder()
                .workload(id("w"))
                .clusterQueue("a")
                .quotaReservedTime(START)
                .build(),
            "pod sets"));
  }

  @ParameterizedTest
  @MethodSource("badAdmissions")
  void refusesAdmissionsThatDoNotBelongToTheWorkload(Admission admission, String named) {
    Workload workload = cluster.job("w", "a", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.lifecycle().restore(workload, admission))
        .withMessageContaining(named);
    assertThat(cluster.used("a")).isZero();
    assertThat(engine.delete(id("w")).removed()).isEmpty();
  }

  @Test
  void refusesAWorkloadThatIsKnown() {
    Workload workload = cluster.submit("w", "a", 1).job("w");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.lifecycle().restore(workload, admission("w", "a", 1)))
        .withMessageContaining("ns/w");
    assertThat(cluster.used("a")).isZero();
  }

  @Test
  void refusesAWorkloadThatBreaksRules() {
    Workload invalid = cluster.jobOf("w", "a", w -> w);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.lifecycle().restore(invalid, admission("w", "a", 1)))
        .withMessageContaining("podSets");
  }
}
