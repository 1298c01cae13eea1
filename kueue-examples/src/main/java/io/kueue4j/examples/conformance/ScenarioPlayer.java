package io.kueue4j.examples.conformance;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Lists;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.ClusterQueueView;
import io.kueue4j.core.CycleResult;
import io.kueue4j.core.FeatureGate;
import io.kueue4j.core.PreemptionVictim;
import io.kueue4j.core.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FairSharingStrategy;
import io.kueue4j.core.model.WorkloadId;
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

/** Plays one scenario on an engine of its own and compares each step with the recorded outcome. */
final class ScenarioPlayer {
  private static final Duration CYCLE_INTERVAL = Duration.ofSeconds(1);

  private final PlayableScenario playable;
  private final VirtualClock clock = VirtualClock.create();
  private final AdmissionEngine engine;

  /** What holds quota, in the order in which it was last admitted; within a cycle by name. */
  private final Set<String> holders = new LinkedHashSet<>();

  private ScenarioPlayer(PlayableScenario playable) {
    this.playable = playable;
    this.engine = AdmissionEngine.builder()
        .clock(clock)
        .settings(settings(playable.scenario().config()))
        .build();
  }

  static ScenarioResult play(PlayableScenario playable) {
    Scenario scenario = playable.scenario();
    return new ScenarioResult(
        scenario.suite(), scenario.name(), new ScenarioPlayer(playable).firstDifference());
  }

  /** Gates that the engine does not know have no setting that could be set. */
  private static Settings settings(Scenario.Config config) {
    Settings.Builder settings = Settings.builder();
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
      // The engine refuses what Kueue accepted.
      return Optional.of(scenario.name() + " differs in step " + step + ": the engine refuses: "
          + e.getMessage() + "\n");
    }
  }

  private void start() {
    engine.apply(playable.configuration());
    playable
        .workloads()
        .forEach((name, imported) -> imported.admission().ifPresent(admission -> {
          imported
              .preempted()
              .ifPresentOrElse(
                  preempted -> engine.restore(imported.workload(), admission, preempted),
                  () -> engine.restore(imported.workload(), admission));
          holders.add(name);
        }));
  }

  private StepOutcome play(Scenario.Step step, ImmutableList<ConfigObject> changes) {
    clock.advance(Duration.ofSeconds(step.advanceSeconds()));
    ImmutableList<String> finished = toFinish(step);
    finished.forEach(name -> {
      engine.finish(id(name));
      holders.remove(name);
    });
    changes.forEach(engine::apply);
    step.submit().forEach(name -> engine.submit(imported(name).workload()));
    List<StepOutcome.Cycle> cycles = new ArrayList<>();
    for (int i = 0; i < step.cycles(); i++) {
      clock.advance(CYCLE_INTERVAL);
      if (engine.view().clusterQueues().stream()
          .allMatch(queue -> queue.pending().isEmpty())) {
        break;
      }
      cycles.add(runCycle());
    }
    return new StepOutcome(
            finished,
            cycles,
            queues(ClusterQueueView::pending),
            queues(ClusterQueueView::inadmissible))
        .trimmed();
  }

  /** Those named come first; the oldest are picked among all that hold quota now. */
  private ImmutableList<String> toFinish(Scenario.Step step) {
    Set<String> finished = new LinkedHashSet<>();
    step.finish().stream().filter(holders::contains).forEach(finished::add);
    holders.stream().limit(step.finishOldest()).forEach(finished::add);
    return ImmutableList.copyOf(finished);
  }

  private StepOutcome.Cycle runCycle() {
    CycleResult cycle = engine.runCycle();
    ImmutableList<Admission> admitted =
        sorted(cycle.admitted(), admission -> admission.workload().toString());
    for (Admission admission : admitted) {
      String name = admission.workload().toString();
      holders.remove(name);
      holders.add(name);
      engine.admissionRecorded(admission.workload());
    }
    ImmutableList<PreemptionVictim> preempted =
        sorted(cycle.preempted(), victim -> victim.workload().toString());
    for (PreemptionVictim victim : preempted) {
      engine.podsStopped(victim.workload());
      holders.remove(victim.workload().toString());
    }
    return new StepOutcome.Cycle(
        Lists.transform(admitted, ScenarioPlayer::outcome),
        Lists.transform(preempted, ScenarioPlayer::outcome));
  }

  private static <T> ImmutableList<T> sorted(List<T> elements, Function<T, String> name) {
    return ImmutableList.sortedCopyOf(Comparator.comparing(name), elements);
  }

  private static StepOutcome.Preempted outcome(PreemptionVictim victim) {
    return new StepOutcome.Preempted(
        victim.workload().toString(),
        victim.preemptor().toString(),
        victim.reason().toString());
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
                ImmutableList.of(),
                ImmutableList.of()))
            .collect(toImmutableList()));
  }

  private SortedMap<String, List<String>> queues(
      Function<ClusterQueueView, ImmutableList<WorkloadId>> part) {
    ImmutableSortedMap.Builder<String, List<String>> queues = ImmutableSortedMap.naturalOrder();
    for (ClusterQueueView queue : engine.view().clusterQueues()) {
      ImmutableList<WorkloadId> workloads = part.apply(queue);
      if (!workloads.isEmpty()) {
        queues.put(
            queue.name(),
            workloads.stream().map(WorkloadId::toString).sorted().collect(toImmutableList()));
      }
    }
    return queues.buildOrThrow();
  }

  private ImportedWorkload imported(String name) {
    return Objects.requireNonNull(playable.workloads().get(name));
  }

  private WorkloadId id(String name) {
    return imported(name).workload().id();
  }
}
