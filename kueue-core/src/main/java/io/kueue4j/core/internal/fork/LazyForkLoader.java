package io.kueue4j.core.internal.fork;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.ForkLoader;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies parts of a snapshot to its fork when the fork first needs them. Not thread-safe.
 *
 * <p>A tree of cohorts is copied without the pending workloads of its ClusterQueues, which
 * {@link QueueState#pending} requests.
 */
final class LazyForkLoader implements ForkLoader {
  private final EngineState fork;

  /** Null if nothing is left to copy, so that the snapshot can be dropped. */
  private @Nullable Snapshot snapshot;

  private final Set<StatePart.Id> taken = new HashSet<>();
  private boolean tookTrees;
  private boolean tookTreesWithWork;

  /**
   * Creates a loader.
   *
   * @param fork the fork that receives the copies
   * @param snapshot the snapshot that is copied
   */
  LazyForkLoader(EngineState fork, Snapshot snapshot) {
    this.fork = fork;
    this.snapshot = snapshot;
  }

  @Override
  public void takeTreeOfQueue(String clusterQueue) {
    Snapshot from = snapshot;
    if (from != null && !tookTrees) {
      from.treeOfQueue(clusterQueue).ifPresent(tree -> takeTree(tree, from));
    }
  }

  @Override
  public void takeTreeOfCohort(String cohort) {
    Snapshot from = snapshot;
    if (from != null && !tookTrees) {
      from.treeOfCohort(cohort).ifPresent(tree -> takeTree(tree, from));
    }
  }

  private void takeTree(String tree, Snapshot from) {
    if (sharesPlaces()) {
      // Nodes and TPU pools are used by workloads of any tree.
      takeTrees();
    } else {
      installTree(tree, from);
    }
  }

  private boolean sharesPlaces() {
    return fork.inventories().isUsed() || fork.fleets().isUsed();
  }

  @Override
  public void takePartOf(WorkloadId workload) {
    Snapshot from = snapshot;
    if (from != null) {
      from.partOf(workload).filter(part -> !taken.contains(part)).ifPresent(part -> {
        switch (part.kind()) {
          case TREE -> takeTree(part.name(), from);
          case PENDING -> fork.queue(part.name()).ifPresent(QueueState::load);
          case OUTSIDE -> takeOutside();
        }
      });
    }
  }

  @Override
  public void takeTrees() {
    Snapshot from = snapshot;
    if (from != null && !tookTrees) {
      from.trees().forEach(tree -> installTree(tree, from));
      fork.queueStore().rebuildInventories();
      fork.queueStore().rebuildFleets();
      tookTrees = true;
    }
  }

  @Override
  public void takeAll() {
    if (snapshot != null) {
      takeTrees();
      fork.queues().forEach(QueueState::load);
      takeOutside();
      snapshot = null;
      taken.clear();
    }
  }

  /** Runs once, because parts that are not loaded do not change. */
  @Override
  public void takeTreesWithWork() {
    Snapshot from = snapshot;
    if (from != null && !tookTreesWithWork) {
      from.treesWithWork().forEach(tree -> takeTree(tree, from));
      tookTreesWithWork = true;
    }
  }

  @Override
  public void takeBackingOff() {
    Snapshot from = snapshot;
    if (from != null) {
      from.queuesBackingOff().forEach(queue -> fork.queue(queue).ifPresent(QueueState::load));
    }
  }

  @Override
  public void takeFor(List<ConfigObject> objects) {
    if (snapshot == null) {
      return;
    }
    for (ConfigObject object : objects) {
      if (object instanceof ClusterQueue queue) {
        if (fork.queue(queue.name()).isEmpty()) {
          // Workloads may have been waiting for this queue.
          takeOutside();
        }
        queue.cohort().ifPresent(fork.queueStore()::cohort);
      } else if (object instanceof Cohort cohort) {
        fork.queueStore().cohort(cohort.name());
        cohort.parent().ifPresent(fork.queueStore()::cohort);
      } else {
        // The affected workloads and queues cannot be determined by name.
        takeAll();
      }
    }
  }

  @Override
  public void takeOutside() {
    Snapshot from = snapshot;
    if (from != null && !taken.contains(StatePart.Id.OUTSIDE)) {
      PendingState outside = from.copyOfOutside(owner(from));
      fork.journal().keep(() -> {
        outside.records().forEach(fork::install);
        taken.add(StatePart.Id.OUTSIDE);
      });
    }
  }

  private void installTree(String name, Snapshot from) {
    StatePart.Id id = StatePart.Id.tree(name);
    if (!taken.contains(id)) {
      install(from.copyOfTree(name, owner(from)));
      taken.add(id);
    }
  }

  private void install(CohortTreeState tree) {
    fork.journal().keep(() -> {
      fork.queueStore().install(tree.tree(), tree.queues().values());
      tree.reserving().values().forEach(records -> records.forEach(fork::install));
    });
  }

  private void installPending(QueueState queue, Snapshot from) {
    PendingState pending = from.copyOfPending(queue, owner(from));
    fork.journal().keep(() -> {
      queue.setPending(pending.requirePending());
      pending.records().forEach(fork::install);
      taken.add(pending.id());
    });
  }

  private StatePart.Owner owner(Snapshot from) {
    return new StatePart.Owner(
        fork.fairness().order(),
        fork.changes(),
        quota ->
            new QueueState(quota, from.hasWork(quota.name()), queue -> installPending(queue, from)),
        fork.queueStore()::observer);
  }
}
