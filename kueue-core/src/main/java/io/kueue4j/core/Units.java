package io.kueue4j.core;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingQueue;
import io.kueue4j.core.quota.CohortTree;
import io.kueue4j.core.quota.QueueQuota;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The division of a state into {@link StatePart}s, and the snapshots that are given copies of parts
 * before these change.
 *
 * <p>A {@link PendingQueue} announces its changes itself; every other change of a part is preceded
 * by a call here. A workload belongs to no part while it moves from one to another, and both are
 * announced; so a copy never shows half of a change.
 */
final class Units {
  private final EngineState state;
  private final LiveSnapshots snapshots = new LiveSnapshots();

  Units(EngineState state) {
    this.state = state;
  }

  // ----- parts as they are; not copies

  /** {@return the names of all trees} */
  Set<String> treeNames() {
    state.inheritance().takeTrees();
    return state.forest().treeNames();
  }

  /** {@return the name of the tree that a ClusterQueue is in} */
  String treeName(QueueState queue) {
    return state.forest().treeName(queue.quota());
  }

  /** {@return the name of the tree of a ClusterQueue, absent for none} */
  Optional<String> treeNameOfQueue(String clusterQueue) {
    return state.queue(clusterQueue).map(this::treeName);
  }

  /** {@return the part that a workload belongs to, absent if there is no such workload} */
  Optional<StatePart.Id> partOf(WorkloadId workload) {
    return Optional.ofNullable(state.record(workload)).flatMap(this::partOf);
  }

  private Optional<StatePart.Id> partOf(WorkloadRecord record) {
    if (!record.equals(state.workloads().get(record.workload().id()))) {
      return Optional.empty();
    }
    if (record.candidate != null) {
      return Optional.of(StatePart.Id.pending(record.candidate.queue().name()));
    }
    QueueState queue = record.queue;
    if (queue == null) {
      return Optional.of(StatePart.Id.OUTSIDE);
    }
    return record.reservation == null
        ? Optional.empty()
        : Optional.of(StatePart.Id.tree(treeName(queue)));
  }

  /** {@return the tree of that name, of which there is one} */
  CohortTreeState tree(String name) {
    CohortTree tree = state.forest().tree(name);
    ImmutableMap.Builder<String, QueueState> queues = ImmutableMap.builder();
    ImmutableMap.Builder<String, List<WorkloadRecord>> reserving = ImmutableMap.builder();
    for (QueueQuota quota : tree.queues()) {
      QueueState queue = state.queue(quota.name()).orElseThrow();
      queues.put(queue.name(), queue);
      reserving.put(queue.name(), state.reserving(queue));
    }
    return new CohortTreeState(name, tree, queues.buildOrThrow(), reserving.buildOrThrow());
  }

  /** {@return the workloads that hold no quota and are in no ClusterQueue} */
  List<WorkloadRecord> outside() {
    state.inheritance().takeOutside();
    return state.workloads().all().stream()
        .filter(record -> record.queue == null)
        .toList();
  }

  // ----- snapshots

  /** {@return the state as it is now; no events are waiting to be acted on} */
  Snapshot snapshot(Exclusive<EngineCore> engine) {
    return snapshots.current(() -> new Snapshot(engine, state));
  }

  /** {@return what is called before the pending workloads of a ClusterQueue change} */
  Runnable observer(String clusterQueue) {
    StatePart.Id id = StatePart.Id.pending(clusterQueue);
    return () -> beforeChange(id);
  }

  /** Prepares for a change of a workload, where it is. */
  void beforeChange(WorkloadRecord record) {
    if (!snapshots.isEmpty()) {
      snapshots.noteChange();
      partOf(record).ifPresent(this::beforeChange);
    }
  }

  /** Prepares for a change of a ClusterQueue or of its tree, but for its pending workloads. */
  void beforeChange(QueueQuota queue) {
    if (!snapshots.isEmpty()) {
      beforeChange(StatePart.Id.tree(state.forest().treeName(queue)));
    }
  }

  /** Prepares for a change of a part. */
  void beforeChange(StatePart.Id id) {
    if (!snapshots.isEmpty()) {
      snapshots.give(id, snapshot -> copy(id, snapshot.owner()));
    }
  }

  private StatePart copy(StatePart.Id id, StatePart.Owner owner) {
    return switch (id.kind()) {
      case TREE -> tree(id.name()).copy(owner);
      case PENDING -> {
        QueueState queue = state.queue(id.name()).orElseThrow();
        yield PendingState.copyOf(queue.pending(), queue, owner);
      }
      case OUTSIDE -> PendingState.copyOfOutside(outside(), owner);
    };
  }

  /**
   * Prepares for a change of what belongs to no part, such as what LocalQueues have used: later
   * snapshots differ from those taken so far.
   */
  void beforeOtherChange() {
    snapshots.noteChange();
  }

  /** Prepares for a change of the configuration. */
  void beforeConfigurationChange() {
    if (!snapshots.isEmpty()) {
      state.inheritance().takeAll();
      treeNames().forEach(tree -> beforeChange(StatePart.Id.tree(tree)));
      state.queues().forEach(queue -> beforeChange(StatePart.Id.pending(queue.name())));
      beforeChange(StatePart.Id.OUTSIDE);
      snapshots.complete();
    }
  }
}
