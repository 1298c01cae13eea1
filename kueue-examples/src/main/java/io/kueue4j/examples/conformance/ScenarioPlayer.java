package io.kueue4j.examples.conformance;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Lists;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.CycleDecisions;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import io.kueue4j.core.testkit.ObservedPreemption;
import io.kueue4j.examples.simulation.VirtualClock;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;

/** Plays one scenario on a new engine and compares each step with the recorded outcome. */
final class ScenarioPlayer {
  private static final Duration CYCLE_INTERVAL = Duration.ofSeconds(1);

  private final PlayableScenario playable;
  private final VirtualClock clock = VirtualClock.create();
  private final EngineUnderTest engine;

  /**
   * The workloads with quota, in the order in which they were last admitted; within a cycle by
   * name.
   */
  private final Set<String> holders = new LinkedHashSet<>();

  private ScenarioPlayer(PlayableScenario playable, EngineUnderTest.Factory factory) {
    this.playable = playable;
    this.engine = factory.create(settings(playable.scenario().config()), clock);
  }

  static ScenarioResult play(PlayableScenario playable, EngineUnderTest.Factory factory) {
    Scenario scenario = playable.scenario();
    return new ScenarioPlayer(playable, factory)
        .firstDifference()
        .map(difference -> ScenarioResult.differing(scenario.suite(), scenario.name(), difference))
        .orElseGet(() -> ScenarioResult.agreeing(scenario.suite(), scenario.name()));
  }

  /** {@return the settings} Gates that the engine does not have are ignored. */
  private static Settings settings(Scenario.Config config) {
    Settings.Builder settings = Settings.builder().kueueVersion(KueueVersion.V0_19);
    config
        .featureGates()
        .forEach((name, enabled) ->
            FeatureGate.named(name).ifPresent(gate -> settings.putFeatureGates(gate, enabled)));
    if (config.fairSharing() != null) {
      settings.fairSharing(config.fairSharing().preemptionStrategies().stream()
          .flatMap(name -> FairSharingStrategy.named(name).stream())
          .collect(toImmutableList()));
    }
    return settings.build();
  }

  private Optional<String> firstDifference() {
    Scenario scenario = playable.scenario();
    int step = 0;
    try {
      start();
      for (; step < scenario.steps().size(); step++) {
        StepOutcome actual = play(scenario.steps().get(step), playable.changes().get(step));
        StepOutcome expected = scenario.outcome().get(step).trimmed();
        if (!actual.equals(expected)) {
          return Optional.of(Differences.describe(scenario.name(), step, expected, actual));
        }
      }
      return Optional.empty();
    } catch (IllegalArgumentException | IllegalStateException e) {
      // The engine rejects what Kueue accepted.
      return Optional.of(scenario.name() + " differs in step " + step + ": the engine refuses: "
          + e.getMessage() + "\n");
    }
  }

  private void start() {
    engine.apply(playable.configuration());
    playable
        .workloads()
        .forEach((name, imported) -> imported.admission().ifPresent(admission -> {
          engine.restore(imported.workload(), admission);
          reclaim(imported);
          holders.add(name);
        }));
  }

  private void reclaim(ImportedWorkload imported) {
    SortedMap<String, Integer> pods = imported.status().reclaimablePods();
    if (!pods.isEmpty()) {
      engine.setReclaimablePods(imported.workload().id(), pods);
    }
  }

  private StepOutcome play(Scenario.Step step, List<ConfigObject> changes) {
    clock.advance(Duration.ofSeconds(step.advanceSeconds()));
    ImmutableList<String> finished = toFinish(step);
    finished.forEach(name -> {
      engine.finish(id(name));
      holders.remove(name);
    });
    changes.forEach(object -> engine.apply(ImmutableList.of(object)));
    step.submit().forEach(name -> {
      engine.submit(imported(name).workload());
      reclaim(imported(name));
    });
    List<StepOutcome.Cycle> cycles = new ArrayList<>();
    for (int i = 0; i < step.cycles(); i++) {
      clock.advance(CYCLE_INTERVAL);
      if (engine.observe().clusterQueues().values().stream()
          .allMatch(queue -> queue.pending().isEmpty())) {
        break;
      }
      cycles.add(runCycle());
    }
    return new StepOutcome(
            finished,
            cycles,
            queues(QueueObservation::pending),
            queues(QueueObservation::inadmissible))
        .trimmed();
  }

  /**
   * {@return the workloads to finish} The named ones come first; the oldest are selected among all
   * with quota now.
   */
  private ImmutableList<String> toFinish(Scenario.Step step) {
    Set<String> finished = new LinkedHashSet<>();
    step.finish().stream().filter(holders::contains).forEach(finished::add);
    holders.stream().limit(step.finishOldest()).forEach(finished::add);
    return ImmutableList.copyOf(finished);
  }

  private StepOutcome.Cycle runCycle() {
    CycleDecisions cycle = engine.runCycle();
    ImmutableList<Admission> admitted =
        sorted(cycle.admitted(), admission -> admission.workload().toString());
    for (Admission admission : admitted) {
      String name = admission.workload().toString();
      holders.remove(name);
      holders.add(name);
      engine.admissionRecorded(admission.workload());
    }
    ImmutableList<ObservedPreemption> preempted =
        sorted(cycle.evictions(), eviction -> eviction.victim().toString());
    for (ObservedPreemption eviction : preempted) {
      engine.podsStopped(eviction.victim());
      holders.remove(eviction.victim().toString());
    }
    return new StepOutcome.Cycle(
        Lists.transform(admitted, ScenarioPlayer::outcome),
        Lists.transform(preempted, ScenarioPlayer::outcome));
  }

  private static <T> ImmutableList<T> sorted(List<T> elements, Function<T, String> name) {
    return ImmutableList.sortedCopyOf(Comparator.comparing(name), elements);
  }

  private static StepOutcome.Preempted outcome(ObservedPreemption eviction) {
    return new StepOutcome.Preempted(
        eviction.victim().toString(),
        eviction.preemptor().toString(),
        eviction.reason().toString());
  }

  private static StepOutcome.Admitted outcome(Admission admission) {
    return new StepOutcome.Admitted(
        admission.workload().toString(),
        admission.clusterQueue(),
        admission.podSetAssignments().stream()
            .map(podSet -> new StepOutcome.AdmittedPodSet(
                podSet.name(),
                podSet.count(),
                podSet.flavors(),
                podSet
                    .topologyAssignment()
                    .map(TopologyAssignment::levels)
                    .orElse(ImmutableList.of()),
                podSet.topologyAssignment().map(StepOutcome.Domain::of).orElse(ImmutableList.of())))
            .collect(toImmutableList()));
  }

  private SortedMap<String, List<String>> queues(
      Function<QueueObservation, List<WorkloadId>> part) {
    ImmutableSortedMap.Builder<String, List<String>> queues = ImmutableSortedMap.naturalOrder();
    engine.observe().clusterQueues().forEach((name, queue) -> {
      List<WorkloadId> workloads = part.apply(queue);
      if (!workloads.isEmpty()) {
        queues.put(
            name, workloads.stream().map(WorkloadId::toString).sorted().collect(toImmutableList()));
      }
    });
    return queues.buildOrThrow();
  }

  private ImportedWorkload imported(String name) {
    return Objects.requireNonNull(playable.workloads().get(name));
  }

  private WorkloadId id(String name) {
    return imported(name).workload().id();
  }
}
