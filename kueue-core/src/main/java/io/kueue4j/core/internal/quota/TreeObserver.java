package io.kueue4j.core.internal.quota;

/**
 * Notified when the usage of a tree or the workloads that hold its quota change, in trials too.
 * Must not change the tree during a notification.
 */
public interface TreeObserver {
  /** A node has started or stopped to use more of a column than its own quota. */
  void borrowingChanged(int node, int column);

  /** The usage of a node has changed. Received only after {@link Borrowers#observeUsage}. */
  default void usageChanged(int node) {}

  /**
   * A property of a ClusterQueue other than quota has changed: whether it takes part in scheduling,
   * or its weight.
   */
  void queueChanged(int node);

  /** A workload that holds quota of the ClusterQueue {@code node} may be preempted from now on. */
  void candidateAdded(int node, QuotaHolder holder);

  /**
   * A workload that holds quota of the ClusterQueue {@code node} must not be preempted any more.
   */
  void candidateRemoved(int node, QuotaHolder holder);
}
