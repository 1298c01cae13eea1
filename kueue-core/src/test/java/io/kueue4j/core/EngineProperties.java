package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.EngineScenario.Action;
import io.kueue4j.core.EngineScenario.Step;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** What holds after every step of whatever is done to an engine; invariants of the field. */
class EngineProperties {
  private static final int VARIANTS = 1_000_000;

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void usageAndAvailabilityAreWhatTheRulesGive(
      @ForAll @IntRange(max = VARIANTS) int variant,
      @ForAll @From("settings") Settings settings,
      @ForAll @From("steps") List<Step> steps) {
    EngineScenario scenario = new EngineScenario(settings, variant);
    for (Step step : steps) {
      scenario.run(step);
      EngineModel model = scenario.model();
      scenario.engine.view().clusterQueues().forEach(queue -> assertAgrees(queue, model, step));
    }
  }

  private static void assertAgrees(ClusterQueueView queue, EngineModel model, Step step) {
    Map<String, Long> shown = new TreeMap<>();
    for (QuotaUsage usage : queue.usage()) {
      String pair = EngineModel.pair(usage.flavor(), usage.resource());
      String at = queue.name() + " " + pair + " after " + step;
      shown.put(pair, usage.used());
      assertThat(usage.used()).as(at).isNotNegative();
      if (isDeclared(queue, usage)) {
        assertThat(BigInteger.valueOf(usage.available()))
            .as("available of " + at)
            .isEqualTo(model.available(queue.name(), pair));
      }
    }
    for (String pair : model.pairs()) {
      assertThat(BigInteger.valueOf(shown.getOrDefault(pair, 0L)))
          .as("usage of " + queue.name() + " " + pair + " after " + step)
          .isEqualTo(model.queueUsage(queue.name(), pair));
    }
  }

  private static boolean isDeclared(ClusterQueueView queue, QuotaUsage usage) {
    return queue.spec().resourceGroups().stream()
        .filter(group -> group.coveredResources().contains(usage.resource()))
        .anyMatch(group ->
            group.flavors().stream().anyMatch(flavor -> flavor.flavor().equals(usage.flavor())));
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void noDecisionOvercommitsAnyQueueOrCohort(
      @ForAll @IntRange(max = VARIANTS) int variant,
      @ForAll @From("settings") Settings settings,
      @ForAll @From("steps") List<Step> steps) {
    EngineScenario scenario = new EngineScenario(settings, variant);
    Map<String, BigInteger> before = Map.of();
    for (Step step : steps) {
      scenario.run(step);
      Map<String, BigInteger> after = scenario.model().overcommitment();
      if (step.action().decides()) {
        assertThat(after).as("over quota after " + step).isEqualTo(before);
      }
      before = after;
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void aWorkloadIsInExactlyOnePlace(
      @ForAll @IntRange(max = VARIANTS) int variant,
      @ForAll @From("settings") Settings settings,
      @ForAll @From("steps") List<Step> steps) {
    EngineScenario scenario = new EngineScenario(settings, variant);
    for (Step step : steps) {
      scenario.run(step);
      List<WorkloadId> expected = new ArrayList<>();
      scenario.workloads.forEach((id, workload) -> {
        boolean holdsQuota = scenario.engine.admission(id).isPresent();
        if (holdsQuota || scenario.queues.containsKey(workload.queueName())) {
          expected.add(id);
        }
      });
      assertThat(places(scenario.engine.view()))
          .as("after " + step)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static List<WorkloadId> places(EngineView view) {
    List<WorkloadId> places = new ArrayList<>();
    view.clusterQueues().forEach(queue -> {
      queue.admitted().forEach(admission -> places.add(admission.workload()));
      places.addAll(queue.pending());
      places.addAll(queue.inadmissible());
      assertThat(queue.waitingCount())
          .isEqualTo(queue.pending().size() + queue.inadmissible().size());
    });
    return places;
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void nobodyOvertakesTheHeadOfAStrictQueue(
      @ForAll @IntRange(max = VARIANTS) int variant,
      @ForAll @From("settings") Settings settings,
      @ForAll @From("steps") List<Step> steps) {
    EngineScenario scenario = new EngineScenario(settings, variant);
    for (Step step : steps) {
      EngineView before = scenario.engine.view();
      scenario.run(step);
      for (ClusterQueueView queue : before.clusterQueues()) {
        if (queue.spec().queueingStrategy() == QueueingStrategy.STRICT_FIFO) {
          assertThat(queue.inadmissible()).as(queue.name() + " before " + step).isEmpty();
          if (step.action() == Action.CYCLE) {
            assertThat(queue.pending().stream()
                    .filter(id -> scenario.engine.admission(id).isPresent()))
                .as("admitted from " + queue + " in " + step)
                .isSubsetOf(queue.pending().stream().limit(1).toList());
          }
        }
      }
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void anAdmissionTakenBackLeavesEverythingAsItWas(
      @ForAll @IntRange(max = VARIANTS) int variant,
      @ForAll @From("settings") Settings settings,
      @ForAll @From("steps") List<Step> steps,
      @ForAll @IntRange(max = VARIANTS) int tried) {
    EngineScenario scenario = new EngineScenario(settings, variant);
    steps.forEach(scenario::run);
    List<String> before = usages(scenario.engine);
    List<WorkloadId> places = places(scenario.engine.view());
    Workload workload = scenario.newWorkload(tried);

    AdmissionResult result = scenario.engine.tryAdmit(workload);

    assertThat(scenario.engine.tryAdmit(workload)).isEqualTo(result);
    assertThat(scenario.engine.release(workload.id())).isEqualTo(result.isAdmitted());
    assertThat(usages(scenario.engine)).isEqualTo(before);
    assertThat(places(scenario.engine.view())).containsExactlyInAnyOrderElementsOf(places);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void whatAFreshEngineIsToldOfRunningWorkloadsGivesTheSameUsage(
      @ForAll @IntRange(max = VARIANTS) int variant,
      @ForAll @From("settings") Settings settings,
      @ForAll @From("steps") List<Step> steps) {
    EngineScenario scenario = new EngineScenario(settings, variant);
    steps.forEach(scenario::run);
    AdmissionEngine fresh =
        AdmissionEngine.builder().clock(() -> Cluster.START).settings(settings).build();
    fresh.apply(scenario.configuration());
    scenario
        .running()
        .forEach(admission -> fresh.restore(scenario.known(admission.workload()), admission));
    assertThat(usages(fresh)).isEqualTo(usages(scenario.engine));
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void theOrderOfTheConfigurationDecidesNothing(
      @ForAll @IntRange(max = VARIANTS) int variant,
      @ForAll @From("settings") Settings settings,
      @ForAll @From("steps") List<Step> steps,
      @ForAll long order) {
    EngineScenario scenario = new EngineScenario(settings, variant);
    EngineScenario shuffled =
        new EngineScenario(settings, variant, objects -> EngineScenario.shuffled(objects, order));
    for (Step step : steps) {
      assertThat(shuffled.run(step)).as(step.toString()).isEqualTo(scenario.run(step));
      assertThat(explanations(shuffled)).as("after " + step).isEqualTo(explanations(scenario));
    }
    assertThat(shuffled.engine.view().toString())
        .isEqualTo(scenario.engine.view().toString());
  }

  private static List<String> explanations(EngineScenario scenario) {
    return scenario.workloads.keySet().stream()
        .map(id -> scenario.engine.explain(id).toString())
        .toList();
  }

  /** {@return all quotas and usages, without pairs that are neither declared nor used} */
  private static List<String> usages(AdmissionEngine engine) {
    return engine.view().clusterQueues().stream()
        .map(queue -> queue.name() + " " + queue.isActive() + " "
            + queue.usage().stream().map(QuotaUsage::toString).sorted().toList())
        .toList();
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Action> actions = Arbitraries.frequency(
        Tuple.of(2, Action.APPLY_QUEUE),
        Tuple.of(1, Action.REMOVE_QUEUE),
        Tuple.of(2, Action.APPLY_COHORT),
        Tuple.of(1, Action.REMOVE_COHORT),
        Tuple.of(8, Action.SUBMIT),
        Tuple.of(3, Action.UPDATE),
        Tuple.of(1, Action.DELETE),
        Tuple.of(6, Action.FINISH),
        Tuple.of(1, Action.RELEASE),
        Tuple.of(10, Action.CYCLE),
        Tuple.of(3, Action.TRY_NEW),
        Tuple.of(2, Action.TRY_PENDING),
        Tuple.of(1, Action.RESTORE));
    return Combinators.combine(
            actions,
            Arbitraries.integers().between(0, 20),
            Arbitraries.integers().between(0, VARIANTS))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  @Provide
  Arbitrary<Settings> settings() {
    List<FeatureGate> gates = ImmutableList.of(
        FeatureGate.PARTIAL_ADMISSION,
        FeatureGate.FLAVOR_FUNGIBILITY,
        FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS,
        FeatureGate.PRIORITY_SORTING_WITHIN_COHORT,
        FeatureGate.SCHEDULING_EQUIVALENCE_HASHING);
    Arbitrary<Settings> oneOff = Arbitraries.of(gates)
        .map(gate -> Settings.builder().putFeatureGates(gate, false).build());
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.just(Settings.defaults())), Tuple.of(1, oneOff));
  }
}
