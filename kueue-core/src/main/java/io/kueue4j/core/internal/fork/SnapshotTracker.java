package io.kueue4j.core.internal.fork;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.queue.QueueObserver;
import io.kueue4j.core.internal.queue.ReversibleChange;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.CopyOnWriteTracker;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.WorkloadRecord;

/**
 * Copies the parts of a state to its snapshots before the parts change.
 *
 * <p>A workload belongs to no part while it moves from one to another, and both moves are
 * announced. So a copy never shows an incomplete change.
 */
public final class SnapshotTracker implements CopyOnWriteTracker {
  private final EngineState state;
  private final StateParts parts;
  private final LiveSnapshots snapshots = new LiveSnapshots();

  SnapshotTracker(EngineState state) {
    this.state = state;
    this.parts = new StateParts(state);
  }

  /**
   * {@return a snapshot of the current state; there must be no undelivered events}
   *
   * @param access access to the state, to read the parts that have not changed since
   */
  public Snapshot snapshot(StateAccess access) {
    return snapshots.current(number -> new Snapshot(access, state, this, number));
  }

  @Override
  public QueueObserver pendingObserver(String clusterQueue) {
    StatePart.Id id = StatePart.Id.pending(clusterQueue);
    return new QueueObserver() {
      @Override
      public void beforeChange() {
        SnapshotTracker.this.beforeChange(id);
      }

      @Override
      public void beforeReversibleChange(ReversibleChange change) {
        if (!snapshots.isEmpty()) {
          snapshots.defer(id, change, snapshot -> copy(id, snapshot.owner()));
        }
      }
    };
  }

  /**
   * Copies the pending workloads of a ClusterQueue to a snapshot if they have changed since. Must
   * be called before the snapshot reads them from the state.
   */
  void beforeReading(Snapshot snapshot, StatePart.Id pending) {
    snapshots.settle(snapshot, pending, owner -> copy(pending, owner.owner()));
  }

  /** Copies all pending workloads to a snapshot that have changed since. */
  void beforeReading(Snapshot snapshot) {
    for (StatePart.Id id : snapshots.deferred()) {
      beforeReading(snapshot, id);
    }
  }

  @Override
  public void beforeChange(WorkloadRecord record) {
    if (!snapshots.isEmpty()) {
      snapshots.noteChange();
      parts.partOf(record).ifPresent(this::beforeChange);
    }
  }

  @Override
  public void beforeAdding(WorkloadRecord record) {
    if (!snapshots.isEmpty()) {
      snapshots.noteChange();
      parts.placeOf(record).ifPresent(this::beforeChange);
    }
  }

  @Override
  public void beforeLeavingQueues() {
    beforeChange(StatePart.Id.OUTSIDE);
  }

  @Override
  public void beforeChange(QueueQuota queue) {
    if (!snapshots.isEmpty()) {
      beforeChange(StatePart.Id.tree(state.forest().treeName(queue)));
    }
  }

  private void beforeChange(StatePart.Id id) {
    if (!snapshots.isEmpty()) {
      snapshots.give(id, snapshot -> copy(id, snapshot.owner()));
    }
  }

  private StatePart copy(StatePart.Id id, StatePart.Owner owner) {
    return switch (id.kind()) {
      case TREE -> parts.tree(id.name()).copy(owner);
      case PENDING -> {
        QueueState queue = state.queue(id.name()).orElseThrow();
        yield PendingState.copyOf(queue.pending(), queue, owner);
      }
      case OUTSIDE -> PendingState.copyOfOutside(parts.outside(), owner);
    };
  }

  @Override
  public void beforeOtherChange() {
    snapshots.noteChange();
  }

  @Override
  public void beforeConfigurationChange() {
    if (!snapshots.isEmpty()) {
      state.loader().takeAll();
      parts.treeNames().forEach(tree -> beforeChange(StatePart.Id.tree(tree)));
      state.queues().forEach(queue -> beforeChange(StatePart.Id.pending(queue.name())));
      beforeChange(StatePart.Id.OUTSIDE);
      snapshots.complete();
    }
  }
}
