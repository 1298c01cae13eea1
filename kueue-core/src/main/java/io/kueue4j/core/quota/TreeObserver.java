package io.kueue4j.core.quota;

/**
 * Keeps what follows from the usage of a tree and from who holds its quota, and is told when either
 * changes, on trial as well. It must not change the tree while it is told.
 */
public interface TreeObserver {
  /** A node uses more of a column than its own quota from now on, or no longer does. */
  void borrowingChanged(int node, int column);

  /** The usage of a node has changed. Received only after {@link Borrowers#observeUsage}. */
  default void usageChanged(int node) {}

  /**
   * A ClusterQueue has changed in what is not quota: whether it takes part in scheduling, its
   * weight.
   */
  void queueChanged(int node);

  /** A workload that holds quota may be preempted from now on, or stands in another order. */
  void candidateAdded(QuotaHolder holder);

  /**
   * A workload that holds quota may not be preempted from now on, or is about to stand in another
   * order; told while it stands in the old one.
   */
  void candidateRemoved(QuotaHolder holder);
}
