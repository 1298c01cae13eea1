package io.kueue4j.core.testkit;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ListMultimap;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import io.kueue4j.core.testkit.Step.Event;
import io.kueue4j.core.testkit.Step.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Generates steps that are meaningful in the present state of an engine. */
final class StepGenerator {
  /** The maximum number of pending workloads; more only make steps slow. */
  private static final int CROWD = 12;

  private static final int FILLING = 10;

  private static final ImmutableList<Duration> PAUSES = ImmutableList.of(
      Duration.ofMillis(700),
      Duration.ofSeconds(5),
      Duration.ofSeconds(61),
      Duration.ofMinutes(5),
      Duration.ofMinutes(33));

  private static final ImmutableList<CheckState> CHECK_STATES = ImmutableList.of(
      CheckState.READY,
      CheckState.READY,
      CheckState.PENDING,
      CheckState.RETRY,
      CheckState.RETRY,
      CheckState.REJECTED);

  private final Dice dice;
  private final ClusterGenerator cluster;
  private final WorkloadGenerator workloads;
  private final Set<Feature> features;
  private final Temper temper;

  /** The newest accepted version of each workload. */
  private final Map<WorkloadId, Workload> known = new TreeMap<>();

  /** The numbers of reclaimable pods that were reported last of each workload. */
  private final Map<WorkloadId, SortedMap<String, Integer>> reclaimable = new HashMap<>();

  /** The hosts of the pods of each workload in its last admission. */
  private final ListMultimap<WorkloadId, String> hosts = ArrayListMultimap.create();

  private Instant now = Scenario.START;

  /** The maximum number of remaining steps that fill quota. */
  private int filling = FILLING;

  StepGenerator(Dice dice, ClusterGenerator cluster, Set<Feature> features, Temper temper) {
    this.dice = dice;
    this.cluster = cluster;
    this.workloads = new WorkloadGenerator(dice, cluster);
    this.features = features;
    this.temper = temper;
  }

  ImmutableList<Step> first() {
    return ImmutableList.of(new Step.Apply(cluster.everything()));
  }

  ImmutableList<Step> next(Observation engine) {
    List<WorkloadId> waiting = new ArrayList<>(ids(engine, QueueObservation::pending));
    waiting.addAll(ids(engine, QueueObservation::inadmissible));
    List<WorkloadId> holding = ids(engine, QueueObservation::holding);
    if (features.contains(Feature.PODS_READY) && !holding.isEmpty() && dice.oneIn(4)) {
      return podsReady(holding);
    }
    if (filling > 0 && holding.size() <= cluster.queueCount) {
      return fill(engine);
    }
    filling = 0;
    TopologyGenerator topologies = cluster.topologies();
    if (topologies != null && dice.oneIn(10)) {
      return one(topologies.change());
    }
    List<WorkloadId> onHosts = holding.stream().filter(hosts::containsKey).toList();
    if (!onHosts.isEmpty() && dice.oneIn(6)) {
      return failure(dice.pick(onHosts));
    }
    if (features.contains(Feature.CHECKS) && dice.oneIn(4) && !known.isEmpty()) {
      return checks(ids(engine, QueueObservation::reserving), holding);
    }
    if (features.contains(Feature.DRAINS) && dice.oneIn(8)) {
      return one(apply(
          dice.oneIn(2) ? cluster.localQueue() : cluster.queue(dice.upTo(cluster.queueCount - 1))));
    }
    if (features.contains(Feature.ADMISSION_FAIR_SHARING) && dice.oneIn(8)) {
      return one(usage());
    }
    if (temper.isTimely() && dice.oneIn(6)) {
      return one(passTime(Duration.ofSeconds(dice.between(1, 3))));
    }
    if (features.contains(Feature.ELASTIC_JOBS) && dice.oneIn(8)) {
      return grow(holding);
    }
    if (features.contains(Feature.GATES) && dice.oneIn(10) && !known.isEmpty()) {
      return one(gate());
    }
    List<WorkloadId> stopping = ids(engine, QueueObservation::stopping);
    if (!stopping.isEmpty() && dice.oneIn(3)) {
      return stop(stopping);
    }
    boolean isIdle = ids(engine, QueueObservation::pending).isEmpty() && !dice.oneIn(8);
    boolean isFull = holding.size() > cluster.queueCount;
    if (dice.oneIn(20)) {
      return tell(holding, Event.ADMISSION_RECORDED);
    }
    int die = dice.upTo(39);
    if (die < 8 || (die < 22 && isIdle)) {
      return waiting.size() < crowd() ? submissions() : tell(holding, Event.FINISHED);
    }
    if (die < 22) {
      return one(new Step.Cycle());
    }
    if (die < 26) {
      // Running workloads should be preempted rather than finish: otherwise there is no preemption.
      return isFull && dice.oneIn(2) ? tell(holding, Event.FINISHED) : orCycle(waiting);
    }
    if (die < 28) {
      return one(new Step.TryAdmit(remember(workloads.create(now)), dice.oneIn(3)));
    }
    if (die < 30) {
      return waiting.isEmpty()
          ? submissions()
          : one(new Step.TryAdmit(known(dice.pick(waiting)), dice.oneIn(3)));
    }
    if (die < 33) {
      return update(holding);
    }
    if (die < 35) {
      return lifecycle(holding, waiting);
    }
    if (die < 36) {
      return restore();
    }
    return features.contains(Feature.RECONFIGURATION)
        ? one(reconfiguration())
        : one(new Step.Cycle());
  }

  private static List<WorkloadId> ids(
      Observation engine, Function<QueueObservation, Collection<WorkloadId>> part) {
    return engine.clusterQueues().values().stream()
        .flatMap(queue -> part.apply(queue).stream())
        .sorted()
        .toList();
  }

  private static ImmutableList<Step> one(Step step) {
    return ImmutableList.of(step);
  }

  private Workload remember(Workload workload) {
    known.put(workload.id(), workload);
    return workload;
  }

  private Workload known(WorkloadId id) {
    Workload workload = known.get(id);
    if (workload == null) {
      throw new IllegalStateException("nothing was said of workload " + id);
    }
    return workload;
  }

  /** Several submissions at once, so that queues have heads that compete in the next cycle. */
  private ImmutableList<Step> submissions() {
    ImmutableList.Builder<Step> steps = ImmutableList.builder();
    int count = dice.between(1, temper.isTight() ? 2 : 4);
    // Workloads submitted together often belong to one queue, which then borrows everything.
    int favorite = dice.upTo(2 * cluster.queueCount - 1);
    for (int i = 0; i < count; i++) {
      Workload workload =
          favorite < cluster.queueCount ? workloads.create(now, favorite) : workloads.create(now);
      steps.add(queued(remember(workload)));
    }
    return steps.build();
  }

  private Step queued(Workload workload) {
    return features.contains(Feature.RESTORE) && dice.oneIn(12)
        ? new Step.RestoreWaiting(workload, now.plusSeconds(dice.upTo(4)))
        : new Step.Submit(workload);
  }

  /** {@return steps that fill quota, so that workloads compete} */
  private ImmutableList<Step> fill(Observation engine) {
    filling--;
    boolean hasHeads = !ids(engine, QueueObservation::pending).isEmpty();
    return hasHeads && !dice.oneIn(3) ? one(new Step.Cycle()) : submissions();
  }

  private ImmutableList<Step> orCycle(List<WorkloadId> waiting) {
    return waiting.size() < crowd() ? submissions() : one(new Step.Cycle());
  }

  private int crowd() {
    return temper.isTight() ? cluster.queueCount + 2 : CROWD;
  }

  private ImmutableList<Step> tell(List<WorkloadId> to, Event event) {
    return to.isEmpty() ? one(new Step.Cycle()) : one(new Step.Tell(event, dice.pick(to)));
  }

  private ImmutableList<Step> stop(List<WorkloadId> stopping) {
    if (stopping.isEmpty() || dice.oneIn(2)) {
      return tell(stopping, Event.PODS_STOPPED);
    }
    return stopping.stream()
        .map(id -> new Step.Tell(Event.PODS_STOPPED, id))
        .collect(ImmutableList.toImmutableList());
  }

  private ImmutableList<Step> update(List<WorkloadId> holding) {
    if (known.isEmpty()) {
      return submissions();
    }
    WorkloadId id = dice.pick(holding.isEmpty() || dice.oneIn(2) ? knownIds() : holding);
    if (workloads.reclaims() && (holding.contains(id) || dice.oneIn(3))) {
      return one(reclaim(id));
    }
    Workload changed = workloads.change(known(id), holding.contains(id), now);
    if (!holding.contains(id) || changed.podSets().equals(known(id).podSets())) {
      known.put(id, changed);
    }
    return one(new Step.Update(changed));
  }

  private Step reclaim(WorkloadId id) {
    SortedMap<String, Integer> pods =
        workloads.reclaimable(known(id), reclaimable.getOrDefault(id, ImmutableSortedMap.of()));
    reclaimable.put(id, pods);
    return new Step.SetReclaimablePods(id, pods);
  }

  private List<WorkloadId> knownIds() {
    return List.copyOf(known.keySet());
  }

  private ImmutableList<Step> lifecycle(List<WorkloadId> holding, List<WorkloadId> waiting) {
    return switch (dice.upTo(5)) {
      case 0 -> tell(waiting, Event.DELETED);
      case 1 -> tell(holding, Event.RELEASED);
      case 2 -> tell(holding, Event.DELETED);
      case 3 -> one(passTime(Duration.ofSeconds(dice.between(1, 3))));
      // Also for removed workloads, and those that never held quota.
      case 4 -> tell(knownIds(), dice.pick(List.of(Event.values())));
      default -> tell(holding, Event.ADMISSION_RECORDED);
    };
  }

  private Step passTime(Duration duration) {
    now = now.plus(duration);
    return new Step.PassTime(duration);
  }

  /** {@return a step that lets usage decay; rarely, one that restores stored usage} */
  private Step usage() {
    return features.contains(Feature.RESTORE) && dice.oneIn(6)
        ? new Step.RestoreUsage(
            dice.pick(ClusterGenerator.NAMESPACES),
            "l" + dice.upTo(cluster.queueCount - 1),
            new ConsumedUsage(
                ImmutableSortedMap.of(
                    QuotaGenerator.CPU, BigDecimal.valueOf(dice.upTo(8000), 3),
                    QuotaGenerator.GPU, BigDecimal.valueOf(dice.upTo(9))),
                now.minusSeconds(dice.between(-1, 400))))
        : passTime(dice.pick(PAUSES));
  }

  private ImmutableList<Step> grow(List<WorkloadId> holding) {
    List<WorkloadId> elastic = (dice.oneIn(6) ? knownIds() : holding)
        .stream().filter(id -> known(id).elastic()).toList();
    if (elastic.isEmpty()) {
      return submissions();
    }
    Workload successor = workloads.successor(known(dice.pick(elastic)), now);
    return one(
        dice.oneIn(4)
            ? new Step.TryAdmit(remember(successor), dice.oneIn(2))
            : new Step.Submit(remember(successor)));
  }

  /**
   * {@return steps by which a workload passes its checks, or not; rarely, a change of the checks}
   */
  private ImmutableList<Step> checks(List<WorkloadId> reserving, List<WorkloadId> holding) {
    if (dice.oneIn(8)) {
      String name = dice.pick(ClusterGenerator.CHECKS);
      return one(
          dice.oneIn(3)
              ? remove(Kind.ADMISSION_CHECK, name)
              : apply(cluster.check(name, !dice.oneIn(3))));
    }
    List<WorkloadId> concerned = reserving.isEmpty() || dice.oneIn(6)
        ? (holding.isEmpty() ? knownIds() : holding)
        : reserving;
    WorkloadId id = dice.pick(dice.oneIn(8) ? knownIds() : concerned);
    if (!dice.oneIn(3)) {
      return ClusterGenerator.CHECKS.stream()
          .map(name -> new Step.SetCheck(id, AdmissionCheckState.of(name, CheckState.READY)))
          .collect(ImmutableList.toImmutableList());
    }
    AdmissionCheckState.Builder check = AdmissionCheckState.builder()
        .name(dice.pick(ClusterGenerator.CHECKS))
        .state(dice.pick(CHECK_STATES));
    if (dice.oneIn(2)) {
      check.requeueAfter(Duration.ofSeconds(dice.upTo(4)));
    }
    return one(new Step.SetCheck(id, check.build()));
  }

  /** {@return steps by which pods become ready, lose that again, or are not ready in time} */
  private ImmutableList<Step> podsReady(List<WorkloadId> holding) {
    if (dice.oneIn(3)) {
      return ImmutableList.of(passTime(Duration.ofSeconds(dice.between(1, 3))), new Step.Cycle());
    }
    if (dice.oneIn(4)) {
      return holding.stream()
          .map(id -> new Step.SetPodsReady(id, true))
          .collect(ImmutableList.toImmutableList());
    }
    WorkloadId id = dice.pick(dice.oneIn(8) ? knownIds() : holding);
    return one(new Step.SetPodsReady(id, !dice.oneIn(3)));
  }

  private Step gate() {
    String gate = dice.oneIn(2) ? "g0" : "g1";
    return new Step.SetGate(dice.pick(knownIds()), gate, !dice.oneIn(4));
  }

  private ImmutableList<Step> restore() {
    if (!features.contains(Feature.RESTORE)) {
      return submissions();
    }
    Workload workload = remember(workloads.create(now));
    Optional<PreemptedCondition> preempted = dice.oneIn(3)
        ? Optional.of(new PreemptedCondition(
            dice.pick(List.of(PreemptionReason.values())), now.minusSeconds(dice.upTo(2))))
        : Optional.empty();
    return one(new Step.Restore(workload, workloads.admission(workload, now), preempted));
  }

  /** Records the domains of pods in a generated step. */
  void note(Step step, StepOutcome outcome) {
    if (step instanceof Step.Restore restore && !outcome.isRefused()) {
      note(restore.admission());
    } else if (outcome instanceof StepOutcome.Decided decided) {
      decided.decision().admission().ifPresent(this::note);
    } else if (outcome instanceof StepOutcome.Cycled cycled) {
      cycled.decisions().replaced().forEach(this::note);
      cycled.decisions().admitted().forEach(this::note);
    }
  }

  private void note(Admission admission) {
    hosts.removeAll(admission.workload());
    admission.podSetAssignments().stream()
        .flatMap(podSet -> podSet.topologyAssignment().stream())
        .filter(places -> places.levels().contains(Topology.HOSTNAME))
        .flatMap(places -> places.domains().stream())
        .forEach(domain ->
            hosts.put(admission.workload(), domain.values().get(domain.values().size() - 1)));
  }

  /**
   * {@return steps for a failed node, which is often removed; rarely it recovers, or another fails}
   */
  private ImmutableList<Step> failure(WorkloadId of) {
    String host = dice.pick(hosts.get(of));
    ImmutableList.Builder<Step> steps = ImmutableList.builder();
    if (!dice.oneIn(4)) {
      steps.add(new Step.Remove(Kind.NODE, "", TopologyGenerator.nodeOf(host)));
    }
    steps.add(new Step.TellOfNode(of, host, true));
    if (dice.oneIn(6)) {
      steps.add(new Step.TellOfNode(of, dice.pick(hosts.get(of)), dice.oneIn(2)));
    }
    return steps.add(new Step.Cycle()).build();
  }

  // ----- configuration

  private Step reconfiguration() {
    int queue = dice.upTo(cluster.queueCount - 1);
    int cohort = dice.upTo(cluster.cohortCount - 1);
    int flavor = dice.upTo(cluster.flavorCount - 1);
    return switch (dice.upTo(15)) {
      case 0, 1, 2, 3 -> apply(cluster.queue(queue));
      case 4, 5, 6 -> apply(cluster.cohort(cohort, dice.oneIn(4)));
      case 7 -> remove(Kind.CLUSTER_QUEUE, "q" + queue);
      case 8, 9 -> remove(Kind.COHORT, "c" + cohort);
      case 10 ->
        new Step.Remove(Kind.LOCAL_QUEUE, dice.pick(ClusterGenerator.NAMESPACES), "l" + queue);
      case 11, 12 -> apply(cluster.localQueue());
      case 13 -> {
        String name = dice.pick(ClusterGenerator.CLASSES);
        yield dice.oneIn(3)
            ? remove(Kind.PRIORITY_CLASS, name)
            : apply(cluster.priorityClass(name));
      }
      case 14 -> {
        String name = dice.pick(ClusterGenerator.NAMESPACES);
        yield dice.oneIn(3) ? remove(Kind.NAMESPACE, name) : apply(cluster.namespace(name));
      }
      default ->
        dice.oneIn(3) ? remove(Kind.RESOURCE_FLAVOR, "f" + flavor) : apply(cluster.flavor(flavor));
    };
  }

  private static Step apply(ConfigObject object) {
    return new Step.Apply(ImmutableList.of(object));
  }

  private static Step remove(Kind kind, String name) {
    return new Step.Remove(kind, "", name);
  }
}
