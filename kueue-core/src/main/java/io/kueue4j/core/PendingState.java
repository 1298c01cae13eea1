package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingQueue;
import io.kueue4j.core.queue.PendingWorkload;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that hold no quota: those pending in one ClusterQueue, or those in none.
 *
 * @param id identifies the part
 * @param pending the pending workloads in their order, null for workloads in no ClusterQueue
 * @param records the workloads, in no order that matters
 */
record PendingState(Id id, @Nullable PendingQueue pending, ImmutableList<WorkloadRecord> records)
    implements StatePart {

  /** {@return the workloads that are in no ClusterQueue} */
  static PendingState outside(ImmutableList<WorkloadRecord> records) {
    return new PendingState(Id.OUTSIDE, null, records);
  }

  /**
   * {@return a part with the same content; a change of either is not visible in the other}
   *
   * @param queue the ClusterQueue of the copied workloads, null for none
   * @param owner what the copy is made for
   */
  PendingState copy(@Nullable QueueState queue, Owner owner) {
    Map<PendingWorkload, QueuedWorkload> candidates = new HashMap<>();
    PendingQueue newPending = null;
    if (pending != null && queue != null) {
      newPending =
          pending.newEmpty(owner.usage(), owner.undo(), owner.observers().apply(id.name()));
      newPending.fillFrom(
          pending,
          workload ->
              candidates.computeIfAbsent(workload, known -> ((QueuedWorkload) known).copy(queue)));
    }
    ImmutableList.Builder<WorkloadRecord> copies =
        ImmutableList.builderWithExpectedSize(records.size());
    for (WorkloadRecord record : records) {
      WorkloadRecord copy = record.copy(queue, owner.undo());
      QueuedWorkload candidate = record.candidate == null ? null : candidates.get(record.candidate);
      if (candidate != null) {
        candidate.belongTo(copy);
      }
      copies.add(copy);
    }
    return new PendingState(id, newPending, copies.build());
  }

  /** {@return the pending workloads in their order; fails for workloads in no ClusterQueue} */
  PendingQueue requirePending() {
    return Objects.requireNonNull(pending, "these workloads are in no ClusterQueue");
  }

  /** {@return the ids of its workloads} */
  ImmutableList<WorkloadId> workloads() {
    return records.stream()
        .map(record -> record.workload().id())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return whether it has work for a cycle} */
  boolean hasWork() {
    return pending != null && pending.hasWork();
  }
}
