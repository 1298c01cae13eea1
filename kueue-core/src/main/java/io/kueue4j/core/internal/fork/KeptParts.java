package io.kueue4j.core.internal.fork;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Immutable copies of parts of an engine's state, made before the engine changed the originals.
 * Thread-safe; acquires no lock but its own.
 */
public final class KeptParts {
  @GuardedBy("this")
  private final Map<StatePart.Id, StatePart> parts = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<String, CohortTreeState> treeOfQueue = new HashMap<>();

  @GuardedBy("this")
  private final Map<String, CohortTreeState> treeOfCohort = new HashMap<>();

  @GuardedBy("this")
  private final Map<WorkloadId, StatePart.Id> partOfWorkload = new HashMap<>();

  /** Parts that are not indexed by their members yet; most are never looked up. */
  @GuardedBy("this")
  private final List<StatePart> notIndexed = new ArrayList<>();

  @GuardedBy("this")
  private boolean complete;

  synchronized void add(StatePart part) {
    parts.put(part.id(), part);
    notIndexed.add(part);
  }

  /** Records that all parts are present. */
  synchronized void setComplete() {
    complete = true;
  }

  /** {@return whether all parts are present} */
  synchronized boolean isComplete() {
    return complete;
  }

  synchronized boolean has(StatePart.Id id) {
    return parts.containsKey(id);
  }

  /** {@return the tree of that name, if it is kept} */
  synchronized Optional<CohortTreeState> tree(String name) {
    return Optional.ofNullable((CohortTreeState) parts.get(StatePart.Id.tree(name)));
  }

  /** {@return the part of workloads in or outside of a ClusterQueue, if it is kept} */
  public synchronized Optional<PendingState> pending(StatePart.Id id) {
    return Optional.ofNullable((PendingState) parts.get(id));
  }

  /** {@return all trees that are kept} */
  public synchronized ImmutableList<CohortTreeState> trees() {
    return all(CohortTreeState.class);
  }

  /** {@return all kept parts of workloads without quota} */
  public synchronized ImmutableList<PendingState> pending() {
    return all(PendingState.class);
  }

  @GuardedBy("this")
  private <T> ImmutableList<T> all(Class<T> type) {
    return parts.values().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the kept tree that a ClusterQueue is in} */
  synchronized Optional<CohortTreeState> treeOfQueue(String queue) {
    index();
    return Optional.ofNullable(treeOfQueue.get(queue));
  }

  /** {@return the kept tree that a cohort is in} */
  synchronized Optional<CohortTreeState> treeOfCohort(String cohort) {
    index();
    return Optional.ofNullable(treeOfCohort.get(cohort));
  }

  /** {@return the kept part that a workload belongs to} */
  synchronized Optional<StatePart.Id> partOf(WorkloadId workload) {
    index();
    return Optional.ofNullable(partOfWorkload.get(workload));
  }

  @GuardedBy("this")
  private void index() {
    for (StatePart part : notIndexed) {
      if (part instanceof CohortTreeState tree) {
        tree.queues().keySet().forEach(queue -> treeOfQueue.put(queue, tree));
        tree.tree().cohortNames().forEach(cohort -> treeOfCohort.put(cohort, tree));
        tree.reserving()
            .values()
            .forEach(records ->
                records.forEach(record -> partOfWorkload.put(record.workload().id(), tree.id())));
      } else if (part instanceof PendingState pending) {
        pending.workloads().forEach(workload -> partOfWorkload.put(workload, pending.id()));
      }
    }
    notIndexed.clear();
  }
}
