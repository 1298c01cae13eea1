package io.kueue4j.examples.conformance;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.VirtualClock;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.pod.PodTemplates;
import io.kueue4j.k8s.topology.NodeTracker;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Plays one recorded scenario on an engine of its own and compares each cycle with Kueue's. */
final class RecordedPlayer {
  private static final ManifestReader MANIFESTS = ManifestReader.create();
  private static final WorkloadReader WORKLOADS = new WorkloadReader(PodTemplates.plain());

  private final RecordedScenario scenario;
  private final AdmissionEngine engine;

  private RecordedPlayer(RecordedScenario scenario, List<RecordedCycle> recorded) {
    this.scenario = scenario;
    this.engine = AdmissionEngine.builder()
        .settings(settings(scenario, recorded))
        .clock(clock(scenario))
        .build();
  }

  /**
   * Plays a scenario.
   *
   * @param suite the suite
   * @param scenario the scenario
   * @param recorded Kueue's cycles; empty if it was not run
   * @throws InputException if a value of the scenario is invalid
   */
  static ScenarioResult play(
      String suite, RecordedScenario scenario, List<RecordedCycle> recorded) {
    RecordedPlayer player = new RecordedPlayer(scenario, recorded);
    try {
      player.start();
    } catch (IllegalArgumentException | IllegalStateException e) {
      return ScenarioResult.refused(
          suite, scenario.name(), scenario.name() + " is refused: " + e.getMessage() + "\n");
    }
    if (recorded.isEmpty() || recorded.stream().anyMatch(cycle -> cycle.panic() != null)) {
      return ScenarioResult.unrecorded(suite, scenario.name());
    }
    if (recorded.size() != scenario.cycles()) {
      throw new InputException(scenario.name() + ": cycles: " + scenario.cycles() + ", but "
          + recorded.size() + " are recorded");
    }
    return player.compare(suite, recorded);
  }

  private static Settings settings(RecordedScenario scenario, List<RecordedCycle> recorded) {
    Settings.Builder settings = Settings.builder().kueueVersion(KueueVersion.V0_19);
    // Gates that the engine does not have cannot be set.
    scenario
        .gates()
        .forEach((name, enabled) ->
            FeatureGate.named(name).ifPresent(gate -> settings.putFeatureGates(gate, enabled)));
    if (scenario.fairSharing() != null) {
      settings.fairSharing(scenario.fairSharing().preemptionStrategies().stream()
          .map(name -> FairSharingStrategy.named(name)
              .orElseThrow(() -> new InputException("fairSharing.preemptionStrategies: " + name
                  + " is not a strategy of fair sharing")))
          .collect(toImmutableList()));
    }
    recorded.stream()
        .limit(1)
        .flatMap(cycle -> Stream.ofNullable(cycle.afs()))
        .forEach(afs -> settings.admissionFairSharing(usageSharing(afs)));
    return settings.build();
  }

  private static AdmissionFairSharing usageSharing(RecordedCycle.UsageSharing given) {
    AdmissionFairSharing sharing =
        AdmissionFairSharing.of(duration("afs.usageHalfLifeTime", given.usageHalfLifeTime()));
    if (given.usageSamplingInterval() != null) {
      sharing = sharing.withUsageSamplingInterval(
          duration("afs.usageSamplingInterval", given.usageSamplingInterval()));
    }
    for (var weight : given.resourceWeights().entrySet()) {
      sharing = sharing.withResourceWeight(weight.getKey(), weight.getValue());
    }
    return sharing;
  }

  /** {@return a duration in Go's notation, such as {@code 1h10m0s}} */
  private static Duration duration(String field, String text) {
    try {
      return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeException e) {
      throw new InputException(field + ": " + text + "; expected a duration such as 1h10m0s", e);
    }
  }

  private static VirtualClock clock(RecordedScenario scenario) {
    try {
      VirtualClock clock = VirtualClock.create();
      clock.advance(Duration.between(
          VirtualClock.START, OffsetDateTime.parse(scenario.now()).toInstant()));
      return clock;
    } catch (DateTimeException e) {
      throw new InputException(
          "now: " + scenario.now() + "; expected a time such as 2026-01-01T00:00:00Z", e);
    }
  }

  /** Creates the initial state of the scenario: workloads with quota first. */
  private void start() {
    List<ManifestSource> configuration = new ArrayList<>();
    NodeTracker tracker = NodeTracker.create();
    for (JsonNode object : scenario.objects()) {
      switch (object.path("kind").asText()) {
        case "Node" -> tracker.update(Serialization.unmarshal(object.toString(), Node.class));
        case "Pod" -> tracker.update(Serialization.unmarshal(object.toString(), Pod.class));
        default -> configuration.add(source("objects", configuration.size(), object));
      }
    }
    engine.apply(MANIFESTS.read(configuration).configObjects());
    tracker.applyTo(engine);
    ImmutableList<ImportedWorkload> workloads = workloads();
    restore(workloads, true);
    restore(workloads, false);
  }

  private ImmutableList<ImportedWorkload> workloads() {
    List<ManifestSource> sources = new ArrayList<>();
    for (JsonNode workload : scenario.workloads()) {
      sources.add(source("workloads", sources.size(), workload));
    }
    List<Manifest> manifests = MANIFESTS.read(sources).items();
    return manifests.stream().map(WORKLOADS::read).collect(toImmutableList());
  }

  private void restore(ImmutableList<ImportedWorkload> workloads, boolean admitted) {
    workloads.stream()
        .filter(workload -> workload.admission().isPresent() == admitted)
        .forEach(workload -> workload.restoreTo(engine));
  }

  private static ManifestSource source(String field, int index, JsonNode object) {
    return ManifestSource.of(field + "[" + index + "]", object.toString());
  }

  private ScenarioResult compare(String suite, List<RecordedCycle> recorded) {
    for (int i = 0; i < recorded.size(); i++) {
      CycleOutcome expected = recorded.get(i).outcome();
      CycleOutcome actual = outcome(engine.runCycle());
      if (!actual.equals(expected)) {
        return ScenarioResult.differing(
            suite,
            scenario.name(),
            Differences.block(
                scenario.name() + " differs in cycle " + i, expected.lines(), actual.lines()));
      }
    }
    return ScenarioResult.agreeing(suite, scenario.name());
  }

  private CycleOutcome outcome(Decisions cycle) {
    SortedMap<String, CycleOutcome.Assigned> assigned = new TreeMap<>();
    Iterables.concat(cycle.admitted(), cycle.reserved(), cycle.replaced())
        .forEach(admission -> assigned.put(admission.workload().toString(), assigned(admission)));
    SortedMap<String, String> preempted = new TreeMap<>();
    SortedMap<String, String> evicted = new TreeMap<>();
    cycle.preempted().forEach(victim -> {
      preempted.put(victim.workload().toString(), victim.reason().toString());
      evicted.put(victim.workload().toString(), "Preempted");
    });
    cycle
        .evicted()
        .forEach(eviction ->
            evicted.put(eviction.workload().toString(), eviction.reason().toString()));
    return new CycleOutcome(
        assigned,
        preempted,
        evicted,
        queues(ClusterQueueView::pending),
        queues(ClusterQueueView::inadmissible));
  }

  private static CycleOutcome.Assigned assigned(Admission admission) {
    return new CycleOutcome.Assigned(
        admission.clusterQueue(),
        admission.podSetAssignments().stream()
            .map(RecordedPlayer::assigned)
            .collect(toImmutableList()));
  }

  private static CycleOutcome.AssignedPodSet assigned(PodSetAssignment podSet) {
    return new CycleOutcome.AssignedPodSet(
        podSet.name(),
        podSet.count(),
        podSet.flavors(),
        podSet.resourceUsage(),
        podSet.topologyAssignment().map(TopologyAssignment::levels).orElse(ImmutableList.of()),
        podSet.topologyAssignment().map(StepOutcome.Domain::of).orElse(ImmutableList.of()),
        podSet.delayedTopologyRequest().map(Object::toString).orElse(""));
  }

  private SortedMap<String, List<String>> queues(
      Function<ClusterQueueView, List<WorkloadId>> part) {
    SortedMap<String, List<String>> queues = new TreeMap<>();
    for (ClusterQueueView queue : engine.view().clusterQueues()) {
      List<WorkloadId> workloads = part.apply(queue);
      if (!workloads.isEmpty()) {
        queues.put(
            queue.name(),
            workloads.stream().map(WorkloadId::toString).sorted().collect(toImmutableList()));
      }
    }
    return queues;
  }
}
