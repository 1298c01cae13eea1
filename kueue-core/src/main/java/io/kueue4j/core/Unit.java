package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.fairness.LocalQueueUsage;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingWorkload;
import io.kueue4j.core.quota.CohortTree;
import io.kueue4j.core.quota.QueueQuota;
import io.kueue4j.core.support.UndoLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What engines and their forks share or copy as a whole: a tree of cohorts with its ClusterQueues
 * and their workloads, or the workloads that are in no queue. Nothing in it refers to what belongs
 * to another unit, so a copy of it can live in another engine.
 *
 * @param name names the unit among those of an engine
 * @param tree the cohorts and quotas
 * @param queues the ClusterQueues by name, in the order of those of the tree
 * @param reserving what holds quota of each ClusterQueue, in no order that matters
 * @param waiting the workloads that hold no quota, in no order that matters
 */
record Unit(
    String name,
    CohortTree tree,
    ImmutableMap<String, QueueState> queues,
    ImmutableMap<String, List<WorkloadRecord>> reserving,
    ImmutableList<WorkloadRecord> waiting) {
  /** The name of the unit of workloads that are in no queue. */
  static final String OUTSIDE = "";

  /** {@return the unit of workloads that are in no queue} */
  static Unit outside(ImmutableList<WorkloadRecord> workloads) {
    return new Unit(OUTSIDE, CohortTree.empty(), ImmutableMap.of(), ImmutableMap.of(), workloads);
  }

  /**
   * What a copy of a unit belongs to: an engine, or a snapshot of one.
   *
   * @param catalog gives the ids, a fork of the catalog of the original
   * @param usage what LocalQueues are served by where ClusterQueues say so
   * @param undo takes back changes of calls that fail
   */
  record Owner(Catalog catalog, LocalQueueUsage usage, UndoLog undo) {}

  /** Something that belongs to one unit at most. */
  sealed interface Member {
    /** A ClusterQueue. */
    record OfQueue(String name) implements Member {}

    /** A cohort. */
    record OfCohort(String name) implements Member {}

    /** A workload. */
    record OfWorkload(WorkloadId id) implements Member {}
  }

  /** {@return everything that belongs to it} */
  List<Member> members() {
    List<Member> members = new ArrayList<>();
    queues.keySet().forEach(queue -> members.add(new Member.OfQueue(queue)));
    tree.cohortNames().forEach(cohort -> members.add(new Member.OfCohort(cohort)));
    records()
        .forEach(record -> members.add(new Member.OfWorkload(record.workload().id())));
    return members;
  }

  /** {@return its workloads} */
  List<WorkloadRecord> records() {
    List<WorkloadRecord> records = new ArrayList<>(waiting);
    reserving.values().forEach(records::addAll);
    return records;
  }

  /** {@return its ClusterQueue of that name} */
  QueueState queue(String queue) {
    QueueState known = queues.get(queue);
    if (known == null) {
      throw new IllegalArgumentException("there is no ClusterQueue " + queue + " in " + name);
    }
    return known;
  }

  /** {@return what holds quota of one of its queues, in no order that matters} */
  List<WorkloadRecord> reserving(QueueState queue) {
    return reserving.getOrDefault(queue.name(), List.of());
  }

  /** {@return whether it has work for a cycle} */
  boolean hasWork() {
    return queues.values().stream().anyMatch(queue -> queue.pending().hasWork());
  }

  /**
   * {@return a unit of the same content, which decides alike; changes of either are not seen in the
   * other}
   *
   * @param owner what the copy belongs to
   */
  Unit copy(Owner owner) {
    CohortTree newTree = tree.copy(owner.catalog());
    Map<PendingWorkload, QueuedWorkload> newCandidates = new HashMap<>();
    ImmutableMap.Builder<String, QueueState> queuesInOrder = ImmutableMap.builder();
    ImmutableMap.Builder<String, List<WorkloadRecord>> newReserving = ImmutableMap.builder();
    for (QueueQuota newQuota : newTree.queues()) {
      QueueState queue = queue(newQuota.name());
      QueueState copy = copy(queue, newQuota, newCandidates, owner);
      queuesInOrder.put(copy.name(), copy);
      List<WorkloadRecord> holding = new ArrayList<>();
      reserving(queue).forEach(record -> holding.add(record.copy(copy, owner.undo())));
      newReserving.put(copy.name(), holding);
    }
    ImmutableMap<String, QueueState> newQueues = queuesInOrder.buildOrThrow();
    ImmutableList.Builder<WorkloadRecord> newWaiting =
        ImmutableList.builderWithExpectedSize(waiting.size());
    for (WorkloadRecord record : waiting) {
      WorkloadRecord copy = record.copy(
          record.queue == null ? null : newQueues.get(record.queue.name()), owner.undo());
      QueuedWorkload queued = record.candidate == null ? null : newCandidates.get(record.candidate);
      if (queued != null) {
        queued.belongTo(copy);
      }
      newWaiting.add(copy);
    }
    return new Unit(name, newTree, newQueues, newReserving.buildOrThrow(), newWaiting.build());
  }

  private static QueueState copy(
      QueueState queue,
      QueueQuota newQuota,
      Map<PendingWorkload, QueuedWorkload> newCandidates,
      Owner owner) {
    QueueState copy =
        new QueueState(newQuota, queue.pending().newEmpty(owner.usage(), owner.undo()));
    UnaryOperator<PendingWorkload> counterpart = workload ->
        newCandidates.computeIfAbsent(workload, known -> ((QueuedWorkload) known).copy(copy));
    copy.pending().fillFrom(queue.pending(), counterpart);
    return copy;
  }
}
