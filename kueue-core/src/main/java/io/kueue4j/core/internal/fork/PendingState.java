package io.kueue4j.core.internal.fork;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.state.QueuedWorkload;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.WorkloadId;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the workloads that hold no quota: of those pending in one ClusterQueue, or in none.
 *
 * @param id identifies the part
 * @param pending the pending workloads in their order, null for workloads in no ClusterQueue
 * @param records the workloads, in no particular order
 */
public record PendingState(
    Id id, @Nullable PendingQueue pending, ImmutableList<WorkloadRecord> records)
    implements StatePart {

  /**
   * Copies the pending workloads of a ClusterQueue.
   *
   * @param pending the pending workloads, which belong to a part with the same id
   * @param queue the ClusterQueue of the copies
   * @param owner the engine or snapshot that the copy is made for
   */
  static PendingState copyOf(PendingQueue pending, QueueState queue, Owner owner) {
    Id id = Id.pending(queue.name());
    PendingQueue copy = pending.newEmpty(
        owner.usage(), owner.changes().journal(), owner.observers().apply(id.name()));
    int size = pending.activeCount() + pending.parkedCount();
    ImmutableList.Builder<WorkloadRecord> records = ImmutableList.builderWithExpectedSize(size);
    Map<PendingWorkload, QueuedWorkload> copies = Maps.newHashMapWithExpectedSize(size);
    copy.fillFrom(pending, workload -> {
      QueuedWorkload known = copies.get(workload);
      if (known == null) {
        known = ((QueuedWorkload) workload).copy(queue, owner.changes(), records::add);
        copies.put(workload, known);
      }
      return known;
    });
    return new PendingState(id, copy, records.build());
  }

  /** Copies the workloads that are in no ClusterQueue. */
  static PendingState copyOfOutside(Collection<WorkloadRecord> records, Owner owner) {
    return new PendingState(
        Id.OUTSIDE,
        null,
        records.stream()
            .map(record -> record.copy(null, owner.changes(), null))
            .collect(toImmutableList()));
  }

  /** {@return the pending workloads in their order; fails for workloads in no ClusterQueue} */
  PendingQueue requirePending() {
    return Objects.requireNonNull(pending, "these workloads are in no ClusterQueue");
  }

  /** {@return the ids of its workloads} */
  ImmutableList<WorkloadId> workloads() {
    return records.stream().map(record -> record.workload().id()).collect(toImmutableList());
  }

  /** {@return whether it has workloads whose backoff will end} */
  boolean awaitsEndOfBackoff() {
    return pending != null && pending.awaitsEndOfBackoff();
  }

  /** {@return whether it has work for a cycle} */
  boolean hasWork() {
    return pending != null && pending.hasWork();
  }
}
