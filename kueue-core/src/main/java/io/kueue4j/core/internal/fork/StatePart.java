package io.kueue4j.core.internal.fork;

import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.queue.QueueObserver;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.ChangeLog;
import java.util.function.Function;

/**
 * A part of the state of an engine that forks and snapshots share with the engine or copy as a
 * unit. Each ClusterQueue, cohort and workload belongs to exactly one part.
 */
public sealed interface StatePart permits CohortTreeState, PendingState {
  /** {@return its id, unique within its engine} */
  Id id();

  /** What a part contains. */
  enum Kind {
    /** A tree of cohorts with its ClusterQueues and the workloads that hold their quota. */
    TREE,

    /** The pending workloads of one ClusterQueue. */
    PENDING,

    /** The workloads that hold no quota and are in no ClusterQueue. */
    OUTSIDE
  }

  /**
   * Identifies a part of an engine.
   *
   * @param kind what the part contains
   * @param name the name of the tree or of the ClusterQueue
   */
  record Id(Kind kind, String name) {
    /** Identifies the workloads that are in no ClusterQueue. */
    static final Id OUTSIDE = new Id(Kind.OUTSIDE, "");

    /** {@return the id of a tree of cohorts} */
    static Id tree(String name) {
      return new Id(Kind.TREE, name);
    }

    /** {@return the id of the pending workloads of a ClusterQueue} */
    public static Id pending(String clusterQueue) {
      return new Id(Kind.PENDING, clusterQueue);
    }
  }

  /**
   * The engine or the snapshot that a copy of a part is made for.
   *
   * @param usage the usage that orders LocalQueues, where a ClusterQueue orders them by usage
   * @param changes the log of changes of the copy
   * @param queues creates the ClusterQueue of a copied quota
   * @param observers returns the observer of the pending workloads of the named ClusterQueue
   */
  record Owner(
      LocalQueueUsage usage,
      ChangeLog changes,
      Function<QueueQuota, QueueState> queues,
      Function<String, QueueObserver> observers) {}
}
