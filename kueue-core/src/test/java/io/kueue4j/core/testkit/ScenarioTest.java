package io.kueue4j.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioTest {
  @Test
  void theLineOfAScenarioMakesTheSameScenario() {
    ScenarioGenerator generator = ScenarioGenerator.create();
    LongStream.range(0, 200).mapToObj(generator::scenario).forEach(scenario -> {
      assertThat(scenario.toString()).doesNotContain("\n");
      assertThat(Scenario.parse(scenario.toString())).isEqualTo(scenario);
    });
  }

  @Test
  void theLineKeepsEveryFieldThatTheGeneratorLeavesOut() {
    Scenario scenario = new Scenario(
        Settings.builder()
            .strictQuota(true)
            .admissionFairSharing(
                AdmissionFairSharing.of(Duration.ofHours(1)).withResourceWeight("gpu", 2.5))
            .podsReady(PodsReadyPolicy.builder()
                .timeout(Duration.ofSeconds(5))
                .recoveryTimeout(Duration.ZERO)
                .backoffBase(Duration.ofSeconds(1))
                .backoffMax(Duration.ofSeconds(4))
                .backoffLimitCount(2)
                .requeuingTimestamp(RequeuingTimestamp.CREATION)
                .blockAdmission(true)
                .build())
            .putFeatureGates(FeatureGate.PRIORITY_BOOST, true)
            .build(),
        ImmutableList.of(
            new Step.Apply(ImmutableList.of(
                ResourceFlavor.builder()
                    .name("f \"0\"\\\n")
                    .putNodeLabels("a/b", "")
                    .addNodeTaints(new Taint("k", "v", Taint.Effect.NO_EXECUTE))
                    .addTolerations(Toleration.builder()
                        .operator(Toleration.Operator.EXISTS)
                        .effect(Taint.Effect.NO_EXECUTE)
                        .tolerationSeconds(7)
                        .build())
                    .topologyName("rack")
                    .build(),
                Topology.of("rack", "a", "b"),
                Node.builder()
                    .name("node")
                    .putLabels("a", "1")
                    .addTaints(new Taint("k", "", Taint.Effect.NO_EXECUTE))
                    .ready(false)
                    .unschedulable(true)
                    .allocatableAmount("cpu", 5)
                    .usedByOthersAmount("pods", 1)
                    .build(),
                ClusterQueue.builder()
                    .name("q")
                    .admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
                    .namespaceSelector(new LabelSelector(
                        ImmutableSortedMap.of("l", "x"),
                        ImmutableList.of(LabelRequirement.in("m", "x", "y"))))
                    .addAllAdmissionChecks(
                        ImmutableList.of(new AdmissionCheckRule("c", ImmutableList.of("f"))))
                    .build())),
            new Step.Submit(Workload.builder()
                .namespace("n")
                .name("w")
                .queueName("l")
                .uid("uid")
                .addAllAdmissionGates(ImmutableSortedSet.of("gate"))
                .addAllPreemptionGates(ImmutableSortedSet.of("g0", "g1"))
                .allowedFlavors(ImmutableSortedSet.of("f0", "f1"))
                .elastic(true)
                .replaces(WorkloadId.of("n", "old"))
                .sliceName("first")
                .maximumExecutionTime(Duration.ofSeconds(9))
                .addAllAdmissibilityProblems(ImmutableList.of("a problem"))
                .addPodSets(PodSet.builder()
                    .name("slices")
                    .podRequests(ImmutableSortedMap.of("cpu", 1L))
                    .topologyRequest(TopologyRequest.builder()
                        .preferred("a")
                        .unconstrained(false)
                        .sliceTopology("b")
                        .sliceSize(2)
                        .podIndexLabel("i")
                        .subGroupIndexLabel("j")
                        .subGroupCount(3)
                        .build())
                    .build())
                .addPodSets(PodSet.builder()
                    .shape("shape")
                    .topologyRequest(TopologyRequest.builder()
                        .required("a")
                        .addSliceConstraints(new TopologyRequest.SliceConstraint("b", 2))
                        .build())
                    .addAllNodeAffinity(
                        ImmutableList.of(NodeSelectorTerm.of(LabelRequirement.in("z", "1"))))
                    .build())
                .build()),
            new Step.Apply(ImmutableList.of(
                AdmissionCheck.of("c", AdmissionCheck.PROVISIONING_REQUEST),
                new AdmissionCheck("d", "budget", false))),
            new Step.SetCheck(
                WorkloadId.of("n", "w"), AdmissionCheckState.of("c", CheckState.READY)),
            new Step.SetCheck(
                WorkloadId.of("n", "w"),
                AdmissionCheckState.builder()
                    .name("d")
                    .state(CheckState.RETRY)
                    .requeueAfter(Duration.ofSeconds(5))
                    .build()),
            new Step.Remove(Step.Kind.ADMISSION_CHECK, "", "c"),
            new Step.SetPodsReady(WorkloadId.of("n", "w"), true),
            new Step.SetPodsReady(WorkloadId.of("n", "w"), false),
            new Step.SetReclaimablePods(WorkloadId.of("n", "w"), ImmutableSortedMap.of()),
            new Step.SetReclaimablePods(
                WorkloadId.of("n", "w"), ImmutableSortedMap.of("a", 1, "b", 2)),
            new Step.RestoreWaiting(
                Workload.of("n", "waits", "l", PodSet.builder().build()),
                Scenario.START.plusNanos(1)),
            new Step.SetGate(WorkloadId.of("n", "w"), "g0", true),
            new Step.SetGate(WorkloadId.of("n", "w"), "g1", false),
            new Step.Restore(
                Workload.of("n", "v", "l", PodSet.builder().build()),
                Admission.builder()
                    .workload(WorkloadId.of("n", "v"))
                    .clusterQueue("q")
                    .quotaReservedTime(Scenario.START)
                    .build(),
                Optional.of(new PreemptedCondition(
                    PreemptionReason.IN_COHORT_FAIR_SHARING, Scenario.START.plusSeconds(1)))),
            new Step.RestoreUsage(
                "n",
                "l",
                new ConsumedUsage(
                    ImmutableSortedMap.of("cpu", new BigDecimal("1.500000001")),
                    Scenario.START.minusMillis(1))),
            new Step.PassTime(Duration.ofMillis(1500))));

    assertThat(Scenario.parse(scenario.toString())).isEqualTo(scenario);
  }

  @Test
  void aSeedStandsForTheScenarioThatIsMadeFromIt() {
    assertThat(Scenario.parse("seed:17")).isEqualTo(ScenarioGenerator.create().scenario(17));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cycle",
        "seed:x",
        "settings fly",
        "settings apply(planet(x))",
        "settings tell(eaten a w)",
        "settings wait(5)",
        "settings submit(a w l set(p many))",
        "settings submit(a w)",
        "settings apply(",
        "settings )",
        "settings \"cycle",
        "settings tell(finished a \"\\u00zz\")"
      })
  void aLineThatIsNoneIsRefused(String line) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scenario.parse(line))
        .withMessageContaining("expected");
  }

  @Test
  void stepsCanBeDroppedAndAdded() {
    Step cycle = new Step.Cycle();
    Step wait = new Step.PassTime(Duration.ofSeconds(1));
    Scenario scenario = Scenario.of(cycle, wait, cycle);

    assertThat(scenario.without(0, 1)).isEqualTo(Scenario.of(wait, cycle));
    assertThat(scenario.without(1, 2)).isEqualTo(Scenario.of(cycle));
    assertThat(Scenario.of(cycle).then(ImmutableList.of(wait, cycle))).isEqualTo(scenario);
    assertThatIllegalArgumentException().isThrownBy(() -> scenario.without(2, 2));
  }

  @Test
  void theSameSeedMakesTheSameScenarioAndAnotherAnother() {
    ScenarioGenerator generator = ScenarioGenerator.create();

    assertThat(generator.scenario(5)).isEqualTo(generator.scenario(5));
    assertThat(generator.scenario(5)).isNotEqualTo(generator.scenario(6));
  }

  @Test
  void onlyWhatIsAllowedAppears() {
    ScenarioOptions plain = ScenarioOptions.builder()
        .clusterQueues(1)
        .cohorts(1)
        .flavors(1)
        .steps(20)
        .features(Set.<Feature>of())
        .build();
    for (long seed = 0; seed < 50; seed++) {
      Scenario scenario = ScenarioGenerator.create(plain).scenario(seed);
      assertThat(scenario.settings()).isEqualTo(Settings.defaults());
      assertThat(scenario.steps().size()).isBetween(11, 30);
      assertThat(scenario.toString())
          .doesNotContain(
              "usageBased",
              "used(",
              "q1",
              "c1",
              "f1",
              "lend(",
              "preempt(Never",
              "weight(",
              "min(",
              "restore(");
    }
  }

  @Test
  void optionsMustLeaveSomething() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScenarioOptions.builder().flavors(0).build())
        .withMessageContaining("0 flavors");
  }
}
