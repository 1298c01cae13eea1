package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.lint.Finding.Play;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.ResourceNames;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A configuration in force on a private engine, on whose forks scenarios are played.
 *
 * <p>Nothing runs at the beginning of a play. Time stands still, and pods are not watched, so
 * admitted workloads stay admitted until they are preempted. Capacity windows end, so there are
 * none.
 */
final class Stage {
  private static final int MAX_CYCLES = 100;
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  /** What tolerates every taint. */
  private static final Toleration ANYTHING =
      Toleration.builder().operator(Toleration.Operator.EXISTS).build();

  /**
   * How a play ended.
   *
   * @param play what was played
   * @param holding the flavors of the workloads that hold quota in the end, by pod set and resource
   * @param reasons why the others wait
   */
  record Outcome(
      Play play,
      ImmutableMap<WorkloadId, List<Map<String, String>>> holding,
      ImmutableMap<WorkloadId, List<Reason>> reasons) {
    /** {@return whether a workload holds quota in the end} */
    boolean holds(Workload workload) {
      return holding.containsKey(workload.id());
    }

    /** {@return whether some workload holds quota of a pair in the end} */
    boolean holds(QuotaPair pair) {
      return holding.values().stream()
          .flatMap(List::stream)
          .anyMatch(flavors -> pair.flavor().equals(flavors.get(pair.resource())));
    }

    /** {@return whether no workload holds quota in the end} */
    boolean isWaiting() {
      return holding.isEmpty();
    }

    /** {@return why a workload waits, empty if it does not} */
    List<Reason> reasons(Workload workload) {
      return reasons.getOrDefault(workload.id(), List.of());
    }
  }

  private final Settings settings;
  private final EngineView view;
  private final ImmutableList<ConfigObject> objects;
  private final ImmutableMap<String, ClusterQueueView> queueViews;
  private final SharedQuotas quotas;
  private final ImmutableMap<String, Entrance> entrances;

  /** Whether an engine forgets all about a workload that is deleted, so that it can be reused. */
  private final boolean isForgetful;

  private @Nullable AdmissionEngine reused;

  private Stage(ImmutableList<ConfigObject> objects, Settings settings, AdmissionEngine engine) {
    this.objects = objects;
    this.settings = settings;
    this.quotas = new SharedQuotas(all(Cohort.class), all(ClusterQueue.class));
    this.isForgetful = settings.admissionFairSharing().isEmpty()
        && settings.preemptionLimits().isEmpty()
        && settings.backfill().isEmpty();
    this.entrances = Entrance.all(engine.view(), settings);
    engine.apply(entrances.values().stream()
        .flatMap(entrance -> entrance.added().stream())
        .distinct()
        .toList());
    this.view = engine.view();
    this.queueViews = view.clusterQueues().stream()
        .collect(toImmutableMap(ClusterQueueView::name, queue -> queue));
  }

  private Stage(Stage other, EngineView view) {
    this.view = view;
    objects = other.objects;
    settings = other.settings;
    queueViews = other.queueViews;
    quotas = other.quotas;
    entrances = other.entrances;
    isForgetful = other.isForgetful;
  }

  /**
   * {@return the stage of a configuration}
   *
   * @throws InvalidConfigurationException if an object is invalid or contradicts another one
   */
  static Stage create(ImmutableList<ConfigObject> objects, Settings settings) {
    Settings unwatched =
        Settings.builder().from(settings).podsReady(Optional.empty()).build();
    AdmissionEngine engine =
        AdmissionEngine.builder().clock(CLOCK).settings(unwatched).build();
    engine.apply(objects);
    for (CapacityWindow window : engine.view().configuration(CapacityWindow.class)) {
      engine.remove(CapacityWindow.class, window.name());
    }
    return new Stage(objects, settings, engine);
  }

  /** {@return this stage, on which plays start with other objects in the place of some} */
  Stage with(Iterable<? extends ConfigObject> replaced) {
    AdmissionEngine engine = view.whatIf();
    engine.apply(replaced);
    return new Stage(this, engine.view());
  }

  Settings settings() {
    return settings;
  }

  SharedQuotas quotas() {
    return quotas;
  }

  /** {@return the given objects of a kind, in their order} */
  <T extends ConfigObject> ImmutableList<T> all(Class<T> kind) {
    return objects.stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the object of a kind and name in force} */
  <T extends ConfigObject> Optional<T> find(Class<T> kind, String name) {
    return view.configuration(kind, name);
  }

  /** {@return the state of a ClusterQueue without any workload} */
  ClusterQueueView view(ClusterQueue queue) {
    return Objects.requireNonNull(queueViews.get(queue.name()), queue.name());
  }

  /** {@return how workloads reach a ClusterQueue; empty if it matches no namespace} */
  Optional<Entrance> entrance(ClusterQueue queue) {
    return Optional.ofNullable(entrances.get(queue.name()));
  }

  /** {@return a workload that requests an amount of a resource, and takes that flavor only} */
  Workload request(LocalQueue queue, int number, QuotaPair pair, long amount) {
    return request(queue, number, podSet(pair, amount));
  }

  /** {@return a workload of one pod set} */
  Workload request(LocalQueue queue, int number, PodSet podSet) {
    return Workload.builder()
        .namespace(queue.namespace())
        .name(name(number))
        .queueName(queue.name())
        .creationTime(Instant.ofEpochSecond(number))
        .addPodSets(podSet)
        .build();
  }

  /** {@return the name of the workload of a number} */
  static String name(int number) {
    return "lint-" + number;
  }

  /** {@return one pod that requests an amount, or as many pods if these are what is counted} */
  PodSet podSet(QuotaPair pair, long amount) {
    PodSet.Builder podSet = PodSet.builder().addTolerations(ANYTHING);
    find(ResourceFlavor.class, pair.flavor())
        .ifPresent(flavor -> podSet.putAllNodeSelector(flavor.nodeLabels()));
    if (pair.resource().equals(ResourceNames.PODS)) {
      podSet.count((int) Math.min(amount, Integer.MAX_VALUE));
    } else {
      podSet.requestAmount(pair.resource(), amount);
    }
    return podSet.build();
  }

  /**
   * {@return how it ends if a workload requests the least of a pair; empty if none reaches the
   * queue}
   */
  Optional<Outcome> playLeast(ClusterQueue queue, QuotaPair pair) {
    return entrance(queue).map(at -> play(at, request(at.queue(), 1, pair, 1)));
  }

  /** {@return how it ends if workloads are submitted one after another} */
  Outcome play(Entrance entrance, Workload... workloads) {
    List<List<Workload>> steps = new ArrayList<>();
    for (Workload workload : workloads) {
      steps.add(ImmutableList.of(workload));
    }
    return play(entrance.added(), steps);
  }

  /**
   * {@return how it ends if workloads are submitted step by step, with cycles after each step until
   * nothing changes}
   *
   * @param added what the entrances of the workloads have added to the configuration
   */
  Outcome play(List<ConfigObject> added, List<List<Workload>> steps) {
    AdmissionEngine engine = engine();
    Map<WorkloadId, WorkloadId> preemptors = new HashMap<>();
    Map<WorkloadId, List<Reason>> why = new HashMap<>();
    for (List<Workload> step : steps) {
      for (Workload workload : step) {
        noteReasons(engine.submit(workload).result(), why);
      }
      Decisions decided = engine.runUntilStable(MAX_CYCLES, () -> cycle(engine)).decisions();
      decided.pending().forEach(pending -> noteReasons(pending, why));
      decided.preempted().forEach(victim -> preemptors.put(victim.workload(), victim.preemptor()));
    }
    ImmutableMap.Builder<WorkloadId, List<Map<String, String>>> holding = ImmutableMap.builder();
    ImmutableMap.Builder<WorkloadId, List<Reason>> reasons = ImmutableMap.builder();
    ImmutableList.Builder<String> story = ImmutableList.builder();
    steps.stream().flatMap(List::stream).forEach(workload -> {
      Optional<Admission> admission = engine.admission(workload.id());
      admission.ifPresent(found -> holding.put(workload.id(), Stories.flavors(found)));
      List<Reason> waiting =
          admission.isPresent() ? List.of() : why.getOrDefault(workload.id(), List.of());
      reasons.put(workload.id(), waiting);
      Optional<WorkloadId> preemptor = Optional.ofNullable(preemptors.get(workload.id()));
      story.add(Stories.line(workload, admission, waiting, preemptor));
    });
    steps.stream().flatMap(List::stream).map(Workload::id).forEach(engine::delete);
    return new Outcome(
        new Play(added, steps, story.build()), holding.buildOrThrow(), reasons.buildOrThrow());
  }

  private static void noteReasons(AdmissionResult result, Map<WorkloadId, List<Reason>> reasons) {
    if (result instanceof AdmissionResult.Pending pending) {
      reasons.put(pending.workload(), pending.reasons());
    }
  }

  /** {@return an engine without workloads, which need not be deleted unless it is reused} */
  private AdmissionEngine engine() {
    if (!isForgetful) {
      return view.whatIf();
    }
    if (reused == null) {
      reused = view.whatIf();
    }
    return reused;
  }

  private static Decisions cycle(AdmissionEngine engine) {
    Decisions decided = engine.runCycle();
    for (WorkloadId workload : decided.mustStop()) {
      decided = decided.and(engine.podsStopped(workload));
    }
    return decided;
  }
}
