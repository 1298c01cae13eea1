package io.kueue4j.core.internal.fork;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.quota.CohortTree;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.WorkloadRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * A tree of cohorts with its ClusterQueues and the workloads that hold their quota. It contains no
 * references to other trees. The pending workloads of its ClusterQueues are separate parts.
 *
 * @param name the name of the tree within its engine
 * @param tree the cohorts and quotas
 * @param queues the ClusterQueues by name, in the order of the tree
 * @param reserving the workloads that hold quota of each ClusterQueue, in no particular order
 */
record CohortTreeState(
    String name,
    CohortTree tree,
    ImmutableMap<String, QueueState> queues,
    ImmutableMap<String, List<WorkloadRecord>> reserving)
    implements StatePart {

  @Override
  public Id id() {
    return Id.tree(name);
  }

  /** {@return its ClusterQueue of that name} */
  QueueState queue(String queue) {
    QueueState known = queues.get(queue);
    if (known == null) {
      throw new IllegalArgumentException("there is no ClusterQueue " + queue + " in " + name);
    }
    return known;
  }

  /** {@return the workloads that hold quota of one of its queues, in no particular order} */
  List<WorkloadRecord> reserving(QueueState queue) {
    return reserving.getOrDefault(queue.name(), List.of());
  }

  /**
   * {@return a copy with the same content; changes to either are not visible in the other}
   *
   * @param owner the engine or snapshot that the copy is made for
   */
  CohortTreeState copy(Owner owner) {
    CohortTree newTree = tree.copy(owner.changes().journal());
    ImmutableMap.Builder<String, QueueState> newQueues = ImmutableMap.builder();
    ImmutableMap.Builder<String, List<WorkloadRecord>> newReserving = ImmutableMap.builder();
    for (QueueQuota newQuota : newTree.queues()) {
      QueueState copy = owner.queues().apply(newQuota);
      newQueues.put(copy.name(), copy);
      List<WorkloadRecord> holding = new ArrayList<>();
      reserving(queue(newQuota.name()))
          .forEach(record -> holding.add(record.copy(copy, owner.changes(), null)));
      newReserving.put(copy.name(), holding);
    }
    return new CohortTreeState(
        name, newTree, newQueues.buildOrThrow(), newReserving.buildOrThrow());
  }
}
