package io.kueue4j.core.internal.fork;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.quota.CohortTree;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The division of a state into live {@link StatePart}s. Results reflect later changes of the state.
 */
final class StateParts {
  private final EngineState state;

  StateParts(EngineState state) {
    this.state = state;
  }

  /** {@return the names of all trees} */
  Set<String> treeNames() {
    state.loader().takeTrees();
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

  /** {@return the part that a workload belongs to, absent if it is unknown or removed} */
  Optional<StatePart.Id> partOf(WorkloadRecord record) {
    return record.equals(state.workloads().loaded(record.workload().id()))
        ? placeOf(record)
        : Optional.empty();
  }

  /**
   * {@return the part that a workload belongs to or will belong to when added, absent while it
   * moves between parts}
   */
  Optional<StatePart.Id> placeOf(WorkloadRecord record) {
    if (record.head() != null) {
      return Optional.of(StatePart.Id.pending(record.head().queue().name()));
    }
    QueueState queue = record.queue();
    if (queue == null) {
      return Optional.of(StatePart.Id.OUTSIDE);
    }
    return record.reservation() == null
        ? Optional.empty()
        : Optional.of(StatePart.Id.tree(treeName(queue)));
  }

  /** {@return the tree of that name, which must exist} */
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
    state.loader().takeOutside();
    return state.workloads().all().stream()
        .filter(record -> record.queue() == null)
        .toList();
  }
}
