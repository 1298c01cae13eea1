package io.kueue4j.core.internal.fork;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.fairness.UsageLedger;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.ChangeLog;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.UndividedState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The state of an engine at one moment. Immutable and thread-safe. */
public final class Snapshot {
  /*
   * Creating a snapshot copies nothing. The snapshot reads each part of the state (StatePart) from the engine until the
   * engine is about to change the part; then the engine copies it to all live snapshots (LiveSnapshots). The
   * configuration and the set of queues and cohorts are shared with the engine until the snapshot is complete: before a
   * change of them, the engine copies all parts to it.
   *
   * Readers acquire the lock of the engine, and, while holding it or not, the lock of the kept parts. The engine holds its own
   * lock when it adds kept parts. A fork acquires its own lock first. So locks are always acquired in the order from the
   * fork to the engine that it was made from, which excludes deadlocks.
   */
  private final StateAccess engine;
  private final SnapshotTracker tracker;
  private final long number;
  private final UndividedState undivided;
  private final ImmutableList<PoolSetState> poolSets;
  private final KeptParts kept = new KeptParts();
  private final ViewCache views = new ViewCache(this);

  /**
   * Creates a snapshot. The caller must hold the lock of the engine.
   *
   * @param engine access to the engine
   * @param state the state of the engine
   * @param tracker the tracker of changes of the state
   * @param number the number of the snapshot among the snapshots of the state
   */
  Snapshot(StateAccess engine, EngineState state, SnapshotTracker tracker, long number) {
    this.engine = engine;
    this.tracker = tracker;
    this.number = number;
    this.undivided = state.undivided();
    this.poolSets = state.poolSets();
  }

  /** {@return the number of the snapshot; later ones have higher numbers} */
  long number() {
    return number;
  }

  /** {@return the undivided state, which is immutable} */
  UndividedState undivided() {
    return undivided;
  }

  /** {@return the owner of the kept copies} */
  StatePart.Owner owner() {
    UsageLedger usage = undivided.usage();
    return new StatePart.Owner(
        usage == null ? LocalQueueUsage.NONE : usage,
        new ChangeLog(),
        // Pending workloads are kept separately, so this is never called.
        quota -> new QueueState(quota, false, queue -> {}),
        clusterQueue -> () -> {});
  }

  /** {@return the TPU pools with all TPU slices in use} */
  public ImmutableList<PoolSetState> poolSets() {
    return poolSets;
  }

  public ViewCache views() {
    return views;
  }

  public KeptParts kept() {
    return kept;
  }

  /**
   * {@return the result of {@code kept}, otherwise of {@code ofEngine}, which is not called for
   * kept parts}
   */
  private <R> Optional<R> read(
      Supplier<Optional<R>> ofKept, Function<EngineState, Optional<R>> ofEngine) {
    return read(() -> {}, ofKept, ofEngine);
  }

  /** {@return the result for a ClusterQueue whose pending workloads are read} */
  private <R> Optional<R> readPending(
      String clusterQueue,
      Supplier<Optional<R>> ofKept,
      Function<EngineState, Optional<R>> ofEngine) {
    return read(
        () -> tracker.beforeReading(this, StatePart.Id.pending(clusterQueue)), ofKept, ofEngine);
  }

  private <R> Optional<R> read(
      Runnable preparation,
      Supplier<Optional<R>> ofKept,
      Function<EngineState, Optional<R>> ofEngine) {
    // Read in this order, because parts are added before the snapshot becomes complete.
    boolean complete = kept.isComplete();
    Optional<R> found = ofKept.get();
    if (found.isPresent() || complete) {
      return found;
    }
    return engine.call(state -> {
      preparation.run();
      Optional<R> meanwhile = ofKept.get();
      return meanwhile.isPresent() || kept.isComplete() ? meanwhile : ofEngine.apply(state);
    });
  }

  // ----- for forks: look-ups

  /** {@return the name of the tree that a ClusterQueue was in, absent if there was none} */
  Optional<String> treeOfQueue(String clusterQueue) {
    return read(
        () -> kept.treeOfQueue(clusterQueue).map(CohortTreeState::name),
        state -> new StateParts(state).treeNameOfQueue(clusterQueue));
  }

  /** {@return the name of the tree that a cohort was in, absent if there was none} */
  Optional<String> treeOfCohort(String cohort) {
    return read(
        () -> kept.treeOfCohort(cohort).map(CohortTreeState::name),
        state -> state.queueStore().treeNameOfCohort(cohort));
  }

  /** {@return the part that a workload belonged to, absent if there was no such workload} */
  Optional<StatePart.Id> partOf(WorkloadId workload) {
    return read(
        () -> kept.partOf(workload),
        // If the part is kept without the workload, the workload is new.
        state -> new StateParts(state).partOf(workload).filter(part -> !kept.has(part)));
  }

  /** {@return the names of all trees} */
  Set<String> trees() {
    return engine.call(state -> {
      Set<String> names = new LinkedHashSet<>();
      kept.trees().forEach(tree -> names.add(tree.name()));
      if (!kept.isComplete()) {
        names.addAll(new StateParts(state).treeNames());
      }
      return names;
    });
  }

  /** {@return the names of the trees that have work for a cycle} */
  Set<String> treesWithWork() {
    return engine.call(state -> {
      tracker.beforeReading(this);
      Set<String> names = new LinkedHashSet<>();
      kept.pending().stream()
          .filter(PendingState::hasWork)
          .forEach(pending -> treeOfQueue(pending.id().name()).ifPresent(names::add));
      if (!kept.isComplete()) {
        state.pending().queuesWithWork().stream()
            .map(QueueState::name)
            .filter(queue -> !kept.has(StatePart.Id.pending(queue)))
            .forEach(queue -> treeOfQueue(queue).ifPresent(names::add));
      }
      return names;
    });
  }

  /** {@return the names of the ClusterQueues with workloads whose backoff was to end} */
  Set<String> queuesBackingOff() {
    return engine.call(state -> {
      tracker.beforeReading(this);
      Set<String> names = new LinkedHashSet<>();
      kept.pending().stream()
          .filter(PendingState::awaitsEndOfBackoff)
          .forEach(pending -> names.add(pending.id().name()));
      if (!kept.isComplete()) {
        state.queueStore().backingOff().stream()
            .filter(queue -> !kept.has(StatePart.Id.pending(queue)))
            .forEach(names::add);
      }
      return names;
    });
  }

  /** {@return whether a ClusterQueue had work for a cycle} */
  boolean hasWork(String clusterQueue) {
    return readPending(
            clusterQueue,
            () -> kept.pending(StatePart.Id.pending(clusterQueue)).map(PendingState::hasWork),
            state -> state.queue(clusterQueue).map(QueueState::hasWork))
        .orElse(false);
  }

  // ----- for forks: copies

  /** {@return a copy of the tree of that name, which must exist} */
  CohortTreeState copyOfTree(String name, StatePart.Owner owner) {
    return engine.call(state ->
        kept.tree(name).orElseGet(() -> new StateParts(state).tree(name)).copy(owner));
  }

  /**
   * {@return a copy of the pending workloads of a ClusterQueue}
   *
   * @param queue the copy of the ClusterQueue
   * @param owner the engine or snapshot that the copy is made for
   */
  PendingState copyOfPending(QueueState queue, StatePart.Owner owner) {
    String name = queue.name();
    return engine.call(state -> {
      tracker.beforeReading(this, StatePart.Id.pending(name));
      return PendingState.copyOf(
          keptPending(name).orElseGet(() -> state.queue(name).orElseThrow().pending()),
          queue,
          owner);
    });
  }

  /** {@return a copy of the workloads that were in no ClusterQueue} */
  PendingState copyOfOutside(StatePart.Owner owner) {
    return engine.call(state -> PendingState.copyOfOutside(
        kept.pending(StatePart.Id.OUTSIDE)
            .<List<WorkloadRecord>>map(PendingState::records)
            .orElseGet(() -> new StateParts(state).outside()),
        owner));
  }

  // ----- for views

  /**
   * Reads a ClusterQueue.
   *
   * @param <R> the type of the result
   */
  interface Look<R> {
    /** {@return the result for the quota, the pending workloads, and the holders of the quota} */
    R at(QueueQuota quota, PendingQueue pending, List<WorkloadRecord> reserving);
  }

  /** {@return the result for a ClusterQueue, if it existed} */
  <R> Optional<R> ofQueue(String name, Look<R> look) {
    return readPending(
        name,
        () -> kept.treeOfQueue(name)
            .flatMap(tree -> keptPending(name).map(pending -> look(tree, name, pending, look))),
        state -> state.queue(name).map(queue -> look(queue, state, look)));
  }

  /** {@return the result for each ClusterQueue} */
  <R> List<R> ofAllQueues(Look<R> look) {
    return engine.call(state ->
        queueNames(state).stream().flatMap(name -> ofQueue(name, look).stream()).toList());
  }

  /** Passes the quota of each ClusterQueue to {@code action}. */
  void forEachQuota(Consumer<QueueQuota> action) {
    engine.call(state -> {
      Set<String> names = queueNames(state);
      for (String name : names) {
        kept.treeOfQueue(name)
            .map(tree -> tree.queue(name))
            .or(() -> state.queue(name))
            .map(QueueState::quota)
            .ifPresent(action);
      }
      return names;
    });
  }

  /** {@return the configuration objects of one kind, in no particular order} */
  Collection<? extends ConfigObject> configuration(ConfigKind kind) {
    Configuration configuration = undivided.configuration();
    return switch (kind) {
      case LOCAL_QUEUE -> configuration.localQueues();
      case CLUSTER_QUEUE -> clusterQueues();
      case COHORT -> cohorts();
      case RESOURCE_FLAVOR -> configuration.flavors().all();
      case TOPOLOGY -> configuration.inventories().topologies();
      case TPU_POOL_SET -> configuration.fleets().poolSets().values();
      case NODE -> configuration.inventories().nodes();
      case ADMISSION_CHECK -> configuration.admissionChecks();
      case WORKLOAD_PRIORITY_CLASS -> configuration.priorityClasses();
      case NAMESPACE -> configuration.namespaces();
    };
  }

  private List<ClusterQueue> clusterQueues() {
    List<ClusterQueue> found = new ArrayList<>();
    forEachQuota(quota -> found.add(quota.compiled().source()));
    return found;
  }

  private List<Cohort> cohorts() {
    return engine.call(state -> trees().stream()
        .map(name -> kept.tree(name)
            .map(CohortTreeState::tree)
            .orElseGet(() -> state.forest().tree(name)))
        .flatMap(tree -> tree.appliedCohorts().stream())
        .toList());
  }

  private Set<String> queueNames(EngineState state) {
    Set<String> names = new LinkedHashSet<>();
    kept.trees().forEach(tree -> names.addAll(tree.queues().keySet()));
    if (!kept.isComplete()) {
      state.queues().forEach(queue -> names.add(queue.name()));
    }
    return names;
  }

  private Optional<PendingQueue> keptPending(String queue) {
    return kept.pending(StatePart.Id.pending(queue)).map(PendingState::requirePending);
  }

  /** {@return the result for a ClusterQueue of the engine that is not kept, or only partly} */
  private <R> R look(QueueState queue, EngineState state, Look<R> look) {
    PendingQueue pending = keptPending(queue.name()).orElseGet(queue::pending);
    return kept.treeOfQueue(queue.name())
        .map(tree -> look(tree, queue.name(), pending, look))
        .orElseGet(() -> look.at(queue.quota(), pending, state.reserving(queue)));
  }

  private static <R> R look(CohortTreeState tree, String name, PendingQueue pending, Look<R> look) {
    QueueState queue = tree.queue(name);
    return look.at(queue.quota(), pending, tree.reserving(queue));
  }
}
